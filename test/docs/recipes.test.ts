import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { readRecipes } from "./recipe.ts";
import { takeStep } from "./take-step.ts";

const recipes = readRecipes(readFileSync("docs/recipes.md", "utf8"));

test("there are recipes, and each does something", () => {
  expect(recipes.length).toBeGreaterThan(0);
  expect(recipes.filter(({ steps }) => steps.every(({ kind }) => kind === "file"))).toEqual([]);
});

describe.each(recipes)("$title", ({ steps }) => {
  test("prints what the document says", async () => {
    const frond = createFrond();
    for (const step of steps) await takeStep(step, frond);
  });
});

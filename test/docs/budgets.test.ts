import { readFileSync } from "node:fs";
import { describe, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { readRecipes } from "./recipe.ts";
import { takeStep } from "./take-step.ts";

const sections = readRecipes(readFileSync("docs/budgets.md", "utf8")).filter(({ steps }) => steps.length > 0);

describe("docs/budgets.md", () => {
  test.each(sections)("$title: what it shows is what is printed", async ({ steps }) => {
    const frond = createFrond();
    for (const step of steps) await takeStep(step, frond);
  });
});

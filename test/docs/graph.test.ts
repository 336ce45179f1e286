import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { readRecipes } from "./recipe.ts";
import { takeStep } from "./take-step.ts";

const steps = readRecipes(readFileSync("docs/graph.md", "utf8")).flatMap((section) => section.steps);

test("the graphs in the document are what the command prints", async () => {
  expect(steps.map(({ kind }) => kind)).toEqual(["file", "commands", "commands"]);
  const frond = createFrond();
  for (const step of steps) await takeStep(step, frond);
});

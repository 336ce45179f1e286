import { readFileSync } from "node:fs";
import { test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { readRecipes } from "./recipe.ts";
import { takeStep } from "./take-step.ts";

const [shown] = readRecipes(readFileSync("docs/dry-run.md", "utf8"));

test("the dry run in the document prints what the document says", async () => {
  const frond = createFrond();
  for (const step of shown?.steps ?? []) await takeStep(step, frond);
});

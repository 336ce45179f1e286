import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { readRecipes } from "./recipe.ts";
import { takeStep } from "./take-step.ts";

/** Commands that only show how something is called are marked as sh. */
const shown = readFileSync("docs/durable-runs.md", "utf8").replaceAll(/^```sh\n[\s\S]*?^```$/gm, "");
const sections = readRecipes(shown).filter(({ steps }) => steps.length > 0);

test("background, attempts, sleeping and reruns are shown by examples", () => {
  expect(sections.map(({ title }) => title)).toEqual([
    "In the background",
    "Attempts",
    "Sleeping",
    "Go on with what is fixed",
  ]);
});

describe.each(sections)("$title", ({ steps }) => {
  test("prints what the document says", async () => {
    const frond = createFrond();
    for (const step of steps) await takeStep(step, frond);
  });
});

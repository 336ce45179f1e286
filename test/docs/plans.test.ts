import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { namedActions } from "../../src/plans/known-actions.ts";
import { stepFields } from "../../src/plans/step-fields.ts";
import { createFrond } from "../rig/frond.ts";
import { readRecipes } from "./recipe.ts";
import { takeStep } from "./take-step.ts";

const page = readFileSync("docs/plans.md", "utf8");
const shown = readRecipes(page).filter(({ steps }) => steps.length > 0);

describe.each(shown)("$title", ({ steps }) => {
  test("does what the page on plans says", async () => {
    const frond = createFrond();
    for (const step of steps) await takeStep(step, frond);
  });
});

test("the page on plans has every action with what it takes, and every field of a step", () => {
  for (const { name, fields } of namedActions) {
    const [row = ""] = new RegExp(`^\\| \`${name}\` .*$`, "m").exec(page) ?? [];
    const left = Object.keys(fields).filter((field) => !row.includes(field));
    // What is rarely needed, and means what it means in the block.
    expect(
      left.filter((field) => !["mode", "encoding", "create_if_missing"].includes(field)),
      name,
    ).toEqual([]);
  }
  const missing = Object.keys(stepFields).filter((field) => !page.includes(`| \`${field}\` |`));
  expect(missing).toEqual(["timeout_ms"]);
});

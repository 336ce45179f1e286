import { expect, test } from "vitest";
import { blockTypes } from "../../src/blocks/index.ts";
import { createTestEngine } from "../rig/engine.ts";

interface Told {
  readonly code: string;
  readonly fix?: string;
}

function tell(block: object): Told[] {
  const { diagnostics } = createTestEngine().check({ blocks: [{ id: "it", ...block }] });
  return diagnostics.filter(({ level }) => level === "error").map(({ code, fix }) => ({ code, ...(fix && { fix }) }));
}

const named = blockTypes.flatMap(({ type, otherNames = {} }) =>
  Object.entries(otherNames).map(([other, own]) => [type, other, own] as const),
);

test("every name of another system stands for an input that there is, and is none itself", () => {
  expect(named.length).toBeGreaterThan(50);
  for (const { type, inputs, otherNames = {}, droppedInputs = {} } of blockTypes) {
    const known = Object.keys(inputs().shape);
    for (const [other, own] of Object.entries(otherNames)) {
      expect([type, known]).toEqual([type, expect.arrayContaining([own])]);
      expect([...known, ...Object.keys(droppedInputs)]).not.toContain(other);
    }
  }
});

test("a question as other systems write it is answered with our names, and nothing is called missing", () => {
  expect(tell({ type: "Prompt", inputs: { message: "Which?", options: ["a"] } })).toEqual([
    { code: "unknown-input", fix: "Write `prompt:`." },
    { code: "unknown-input", fix: "Write `choices:`." },
  ]);
  const fixed = tell({ type: "Prompt", inputs: { prompt: "Which?", choices: ["a"] } });
  expect(fixed).toEqual([]);
});

test("such a name beside inputs leads below it", () => {
  expect(tell({ type: "Prompt", message: "Which?" })).toEqual([
    {
      code: "unknown-key",
      fix: "It belongs under `inputs:`, and is called prompt here: `inputs: { prompt: ... }`.",
    },
  ]);
});

test.each(named)("%s: %s is answered with %s", (type, other, own) => {
  const told = tell({ type, inputs: { [other]: "x" } });
  expect(told).toContainEqual({ code: "unknown-input", fix: `Write \`${own}:\`.` });
  expect(told).not.toContainEqual(expect.objectContaining({ fix: `Add \`${own}:\` under inputs.` }));
});

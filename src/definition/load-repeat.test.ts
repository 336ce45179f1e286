import { expect, test } from "vitest";
import { onlyProblem, planned, shell, workflow } from "../../test/definition/check.ts";
import type { Repeat } from "./workflow-definition.ts";

function repeatOf(text: string): Repeat | undefined {
  return planned(workflow(shell("a", `repeat: ${text}`))).definition.blocks[0]?.repeat;
}

test("a block is repeated until something is so, or a number of times", () => {
  const repeat = repeatOf("{ max: 1000, until: \"${this.stdout} == 'x'\", delay: 10s }");
  expect(repeat).toMatchObject({ max: { value: 1000 }, delay: { value: "10s" } });
  expect(repeat?.until?.text.text).toBe("${this.stdout} == 'x'");
  expect(Object.keys(repeatOf("{ max: 1 }") ?? {})).toEqual(["max"]);
});

test("counts and delays may be given by expressions", () => {
  const inputs = "inputs: { n: { type: integer, description: d } }\n";
  const text = workflow(shell("a", 'repeat: { max: "${inputs.n}", delay: "${inputs.n}s" }'), inputs);
  expect(planned(text).definition.blocks[0]?.repeat).toMatchObject({ max: { kind: "text" }, delay: { kind: "text" } });
});

const wrong: readonly [repeat: string, problem: object][] = [
  [
    "5",
    { message: "'repeat' of block 'a' must be a map with max, not the number 5.", fix: "Write `repeat: { max: 5 }`." },
  ],
  ["true", { message: "'repeat' of block 'a' must be a map with max, not true." }],
  [
    "{ until: this.succeeded }",
    { code: "missing-key", message: "repeat of block 'a' has no 'max'.", fix: "Add `max: 30`." },
  ],
  [
    "{ max: 1001 }",
    { message: "'max' of repeat of block 'a' must be a whole number from 1 to 1000, not the number 1001." },
  ],
  [
    "{ max: 2, until: 5 }",
    { message: "'until' of repeat of block 'a' must be an expression that gives true or false, not the number 5." },
  ],
  [
    "{ max: 2, delay: soon }",
    {
      code: "bad-delay",
      message: "'delay' of repeat of block 'a': a delay is a number of seconds, or a text like 500ms, 30s, 5m or 1h.",
    },
  ],
  ["{ times: 2 }", { code: "unknown-key", fix: "Write `max:`." }],
  ["{ max: 2, condition: x }", { code: "unknown-key", fix: "Write `until:`." }],
  ["{ max: 2, interval: 5 }", { code: "unknown-key", fix: "Write `delay:`." }],
];

test.each(wrong)("repeat can't be %s", (text, problem) => {
  expect(onlyProblem(workflow(shell("a", `repeat: ${text}`)))).toMatchObject({ level: "error", ...problem });
});

test("repeat can't stand beside for_each", () => {
  expect(onlyProblem(workflow(shell("a", "for_each: [1], repeat: { max: 2 }")))).toMatchObject({
    code: "repeat-with-for-each",
    message: "block 'a' can't have both for_each and repeat.",
    fix: "Put the block with `repeat` into a workflow of its own, and call that with for_each.",
    marked: "repeat",
  });
});

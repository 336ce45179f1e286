import { expect, test } from "vitest";
import { onlyProblem, planned, shell, workflow } from "../../test/definition/check.ts";
import type { Expect } from "./workflow-definition.ts";

function expectOf(text: string): Expect | undefined {
  return planned(workflow(shell("a", `expect: ${text}`))).definition.blocks[0]?.expect;
}

test("exit codes are one or a list", () => {
  expect(expectOf("{ exit_code: 3 }")?.exitCodes).toEqual([3]);
  expect(expectOf("{ exit_code: [0, 255] }")?.exitCodes).toEqual([0, 255]);
  expect(expectOf("{}")).toEqual({});
});

test("a file may be named by an expression", () => {
  expect(expectOf("{ file_exists: dist/app.js }")?.fileExists).toMatchObject({ kind: "literal", value: "dist/app.js" });
  expect(expectOf('{ file_exists: "${metadata.run_id}/x" }')?.fileExists?.kind).toBe("text");
});

test("a condition may ask the block itself", () => {
  expect(expectOf("{ condition: \"${this.stdout} != ''\" }")?.condition?.text.text).toBe("${this.stdout} != ''");
  expect(expectOf("{ condition: this.exit_code == 0 and this.succeeded }")?.condition).toBeDefined();
});

const wrong: readonly [expected: string, problem: object][] = [
  [
    "0",
    {
      message: "'expect' of block 'a' must be a map with exit_code, file_exists or condition, not the number 0.",
      fix: "Write `expect: { exit_code: 0 }`.",
    },
  ],
  ["this.stdout == 'x'", { fix: "Write `expect: { condition: ... }`." }],
  ["[0]", { message: "'expect' of block 'a' must be a map with exit_code, file_exists or condition, not a list." }],
  [
    "{ exit_code: [0, '1'] }",
    {
      message: "'exit_code' of expect of block 'a' must be a number from 0 to 255 or a list of them, not the text '1'.",
      marked: "'1'",
    },
  ],
  ["{ exit_code: 256 }", { marked: "256" }],
  ["{ exit_code: [] }", { message: expect.stringContaining("not an empty list.") }],
  [
    "{ file_exists: 5 }",
    { message: "'file_exists' of expect of block 'a' must be the path of a file, not the number 5." },
  ],
  [
    "{ file_exists: ../x }",
    {
      code: "bad-path",
      message: "'file_exists' of expect of block 'a' can't look outside of the workspace.",
      fix: "Use a path in the workspace, without `..`.",
    },
  ],
  ["{ file_exists: /etc/hosts }", { code: "bad-path" }],
  ["{ file_exists: ~/x }", { code: "bad-path" }],
  [
    "{ condition: 5 }",
    { message: "'condition' of expect of block 'a' must be an expression that gives true or false, not the number 5." },
  ],
  ["{ condition: 'this.stdout ==' }", { code: "unexpected-end" }],
  ["{ exit_codes: [0] }", { code: "unknown-key", fix: "Write `exit_code:`." }],
  ["{ creates: x }", { code: "unknown-key", fix: "Write `file_exists:`." }],
  ["{ assert: x }", { code: "unknown-key", fix: "Write `condition:`." }],
];

test.each(wrong)("expect can't be %s", (text, problem) => {
  expect(onlyProblem(workflow(shell("a", `expect: ${text}`)))).toMatchObject({ level: "error", ...problem });
});

test("an exit code is expected only of what has one", () => {
  const text = "- { id: a, type: ReadFile, inputs: { path: x }, expect: { exit_code: 0 } }";
  expect(onlyProblem(workflow(text))).toMatchObject({
    code: "no-exit-code",
    message: "expect of block 'a': a ReadFile block has no exit code.",
    fix: "Remove it; what it gives can be asked for with `condition`, as `this.FIELD`.",
    marked: "exit_code",
  });
});

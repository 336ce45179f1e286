import { describe, expect, test } from "vitest";
import type { Mismatch } from "../../src/testing/compare.ts";
import { shell } from "../rig/frond.ts";
import { runCases, type Tested } from "../rig/test-files.ts";

const tested: Tested = {
  workflow: {
    inputs: { who: { type: "string", description: "Who is greeted", default: "world" } },
    blocks: [
      shell("greet", 'printf "hello %s\\n" "${inputs.who}" | tee out.txt'),
      shell("look", 'ls; cat given/file.txt; echo "$COLOUR"', { depends_on: ["greet"] }),
      shell("check", 'test "${inputs.who}" != nobody || { echo "nobody there" >&2; exit 4; }', {
        depends_on: ["look"],
      }),
      shell("finish", 'tool --fast "it\'s done"; echo \'{"a": [1, 2]}\' > out.json', {
        depends_on: ["check"],
        condition: "${inputs.who} != 'me'",
      }),
    ],
    outputs: { text: "${blocks.greet.stdout}", list: ["${inputs.who}", 2], saw: "${blocks.look.stdout}" },
  },
};

/** Each key as it is right, as it is wrong, and what is said of that then. */
const keys: readonly (readonly [string, object, object, readonly Mismatch[]])[] = [
  [
    "inputs",
    { inputs: { who: "fern" }, expect: { outputs: { text: "hello fern\n" } } },
    { inputs: { whom: "fern" } },
    [{ at: "status", expected: "success", found: "failure", message: expect.stringContaining("whom") as string }],
  ],
  [
    "files",
    {
      files: {
        "given/file.txt": "given\n",
        "run.sh": { content: "exit 0", mode: "755" },
        "a.json": { json: { a: 1 } },
      },
      expect: { outputs: { saw: { contains: "given\n" } }, run: "./run.sh && grep -q '\"a\": 1' a.json" },
    },
    { files: { a: "x", "a/b": "y" } },
    [{ at: 'files["a/b"]', message: expect.stringContaining("can't be written") as string }],
  ],
  [
    "setup",
    { setup: "mkdir given\necho made > given/file.txt", expect: { outputs: { saw: { contains: "made" } } } },
    { setup: "true\ntest 1 = 2\ntouch never" },
    [{ at: "setup", message: "ended with exit code 1\nfailed: test 1 = 2" }],
  ],
  [
    "env",
    { env: { COLOUR: "green" }, expect: { outputs: { saw: { contains: "green" } } } },
    { env: { COLOUR: 5 }, expect: { outputs: { saw: { contains: "green" } } } },
    [{ at: "outputs.saw", expected: { contains: "green" }, found: "given\nout.txt\n5\n" }],
  ],
  [
    "status",
    { inputs: { who: "nobody" }, expect: { status: "failure" } },
    { expect: { status: "failure" } },
    [{ at: "status", expected: "failure", found: "success" }],
  ],
  [
    "error",
    { inputs: { who: "nobody" }, expect: { status: "failure", error: { contains: "nobody there" } } },
    { inputs: { who: "nobody" }, expect: { status: "failure", error: "something else" } },
    [{ at: "error", expected: "something else", found: "'check' failed: exit code 4: nobody there" }],
  ],
  [
    "outputs",
    { expect: { outputs: { text: "hello world\n", list: ["world", 2] } } },
    { expect: { outputs: { text: "bye\n", list: ["world"], other: 1 } } },
    [
      { at: "outputs.text", expected: "bye\n", found: "hello world\n" },
      { at: "outputs.list", expected: ["world"], found: ["world", 2] },
      { at: "outputs.other", message: "There is no output 'other' of the workflow. Known: text, list, saw." },
    ],
  ],
  [
    "blocks",
    {
      inputs: { who: "nobody" },
      expect: {
        status: "failure",
        blocks: {
          greet: "succeeded",
          look: "completed",
          check: {
            status: "completed",
            outcome: "failure",
            outputs: { exit_code: 4 },
            message: { contains: "nobody" },
          },
          finish: "skipped",
        },
      },
    },
    {
      expect: {
        blocks: {
          greet: "skipped",
          look: { outcome: "failure", outputs: { exit_code: 1 }, message: "x" },
          chek: "succeeded",
          check: { inputs: { command: "other" } },
        },
      },
    },
    [
      { at: "blocks.greet", expected: "skipped", found: "succeeded" },
      { at: "blocks.look.outcome", expected: "failure", found: "success" },
      { at: "blocks.look.message", expected: "x", found: null },
      { at: "blocks.look.outputs.exit_code", expected: 1, found: 0 },
      { at: "blocks.chek", message: "There is no block 'chek' in the workflow. Did you mean 'check'?" },
      { at: "blocks.check.inputs.command", expected: "other", found: expect.stringContaining("nobody") as string },
    ],
  ],
  [
    "order",
    { expect: { order: ["greet", "check", "finish"] } },
    { expect: { order: ["check", "greet"] } },
    [{ at: "order", expected: ["check", "greet"], found: ["greet", "check"] }],
  ],
  [
    "order",
    { expect: { order: ["greet"] } },
    { expect: { order: ["gret", "check"] } },
    [
      {
        at: "order",
        expected: ["gret", "check"],
        found: ["check"],
        message: "There is no block 'gret' in the workflow. Did you mean 'greet'?",
      },
    ],
  ],
  [
    "files that are expected",
    { expect: { files: { "out.txt": "hello world\n", "out.json": { json: { a: [1, 2] } }, "no.txt": "absent" } } },
    { expect: { files: { "out.txt": "absent", "out.json": { json: { a: [1, 3] } }, "no.txt": { any: true } } } },
    [
      { at: 'files["out.txt"]', expected: "absent", found: "a file" },
      { at: 'files["out.json"].a[1]', expected: 3, found: 2 },
      { at: 'files["no.txt"]', expected: { any: true } },
    ],
  ],
  [
    "commands",
    { expect: { commands: { tool: [["--fast", { contains: "done" }]] } } },
    { expect: { commands: { tool: [["--fast"], []] } } },
    [{ at: "commands.tool", expected: [["--fast"], []], found: [["--fast", "it's done"]] }],
  ],
  [
    "run",
    { expect: { run: "grep -q world out.txt\ntest ! -e no.txt" } },
    { expect: { run: "echo looking\ngrep -q mars out.txt" } },
    [{ at: "run", message: "ended with exit code 1\nlooking\nfailed: grep -q mars out.txt" }],
  ],
];

describe.each(keys)("%s", (_, right, wrong, mismatches) => {
  const withFile = { files: { "given/file.txt": "" }, commands: { tool: { stdout: "" } } };

  test("passes when it is right and says what is wrong when it is not", async () => {
    const isAboutFiles = "files" in right || "setup" in right;
    const base = isAboutFiles ? { commands: withFile.commands } : withFile;
    const [passed, failed] = await runCases(tested, [
      { ...base, ...right },
      { ...base, ...wrong },
    ]);
    expect(passed).toMatchObject({ status: "passed", mismatches: [] });
    expect(failed).toMatchObject({ status: "failed" });
    expect(failed?.mismatches).toEqual(mismatches);
  });
});

test("a run that fails although it should not tells which block failed and what it wrote", async () => {
  const [result] = await runCases({ workflow: { blocks: [shell("broken", "echo first >&2; echo why >&2; exit 3")] } }, [
    {},
  ]);
  expect(result?.failedBlocks).toEqual([{ block: "broken", message: "exit code 3: why", stderr_tail: "first\nwhy" }]);
});

import { expect, test } from "vitest";
import { positionAt } from "../../src/diagnostic/source.ts";
import { workflow } from "../rig/frond.ts";
import { runTestFiles } from "../rig/test-files.ts";

const tested = { "main.yaml": workflow("main", [{ id: "run", type: "Shell", inputs: { command: "true" } }]) };

/** Every problem of a test file, as `line:column code: message fix`. */
async function problemsOf(text: string): Promise<string[]> {
  const ran = await runTestFiles({ ...tested, "main.test.yaml": text });
  if (ran.ok) return [];
  return ran.error.map(({ code, message, fix, range }) => {
    const { line, column } = range === undefined ? { line: 0, column: 0 } : positionAt(range.source, range.start);
    return [`${line}:${column}`, `${code}:`, message, ...(fix === undefined ? [] : [fix])].join(" ");
  });
}

/** Lines of one case. */
function oneCase(...lines: readonly string[]): string {
  return ["cases:", "  - name: a", ...lines.map((line) => `    ${line}`), ""].join("\n");
}

test.each([
  ["text that is no map", "- a", "1:1 wrong-type: A test file is a map with cases"],
  ["no cases", "uses: [git]\n", "1:1 no-cases: The test file has no cases."],
  ["cases that are no list", "cases: { a: 1 }\n", "1:8 wrong-type: 'cases' of the test file must be a list"],
  ["a case without a name", "cases:\n  - inputs: {}\n", "2:5 missing-key: the case has no 'name'."],
  [
    "two cases of one name",
    "cases:\n  - name: a\n  - name: a\n",
    "3:11 duplicate-case: There are two cases with the name 'a'.",
  ],
  [
    "an unknown key of the file",
    "caes: []\ncases: [{ name: a }]\n",
    "1:1 unknown-key: the test file has no key 'caes'. Did you mean 'cases'?",
  ],
  [
    "an unknown key of a case",
    oneCase("input: {}"),
    "3:5 unknown-key: the case 'a' has no key 'input'. Did you mean 'inputs'?",
  ],
  [
    "an unknown expectation",
    oneCase("expect: { output: {} }"),
    "3:15 unknown-key: expect has no key 'output'. Did you mean 'outputs'?",
  ],
  [
    "a status that there is not",
    oneCase("expect: { status: succes }"),
    "3:23 unknown-value: 'status' can't be 'succes'. Did you mean 'success'?",
  ],
  [
    "a word that blocks can't be",
    oneCase("expect: { blocks: { run: skiped } }"),
    "3:30 unknown-value: A block can't be expected to be the text 'skiped'. Did you mean 'skipped'?",
  ],
  [
    "a word that something else than a block can be",
    oneCase("expect: { blocks: { run: passed } }"),
    "3:30 unknown-value: A block can't be expected to be the text 'passed'. Did you mean 'succeeded'?",
  ],
  [
    "an unknown key of a block",
    oneCase("expect: { blocks: { run: { state: x } } }"),
    "3:32 unknown-key: what is expected of 'run' has no key 'state'.",
  ],
  [
    "a pattern that is none",
    oneCase('expect: { error: { matches: "(" } }'),
    "3:33 bad-pattern: '(' is not a valid pattern",
  ],
  [
    "any of nothing",
    oneCase("expect: { error: { any: false } }"),
    "3:29 bad-matcher: `any` takes true and nothing else.",
  ],
  [
    "a file outside the workspace",
    oneCase("files: { ../a: x }"),
    "3:14 bad-path: '../a' is not the path of a file in the workspace.",
  ],
  [
    "an absolute path",
    oneCase("expect: { files: { /etc/passwd: absent } }"),
    "3:24 bad-path: '/etc/passwd' is not the path",
  ],
  [
    "a mode that is none",
    oneCase("files: { a: { content: x, mode: rwx } }"),
    "3:37 bad-mode: 'rwx' is not the mode of a file.",
  ],
  [
    "a file with two contents",
    oneCase("files: { a: { content: x, json: {} } }"),
    "3:14 bad-file: the file 'a' has both content and json.",
  ],
  [
    "a file that is a map",
    oneCase("expect: { files: { a: { b: 1 } } }"),
    "3:27 wrong-type: A file is expected as a text, `absent` or a matcher",
  ],
  ["a command that is a text", oneCase("commands: { npm: ok }"), "3:22 wrong-type: The command 'npm' must be a map"],
  [
    "a command with two ways",
    oneCase("commands: { npm: { script: x, stdout: y } }"),
    "3:35 bad-command: The command 'npm' has a script",
  ],
  [
    "an exit code that is none",
    oneCase("commands: { npm: { exit_code: 256 } }"),
    "3:35 wrong-type: 'exit_code' of the command 'npm' must be a whole number from 0 to 255",
  ],
  [
    "a command with a path",
    oneCase("commands: { bin/npm: {} }"),
    "3:17 bad-name: 'bin/npm' can't be the name of a program.",
  ],
  [
    "calls of no fake",
    oneCase("commands: { npm: {} }", "expect: { commands: { nmp: [] } }"),
    "4:27 unknown-command: 'nmp' is not faked in this case",
  ],
  [
    "calls that are no lists",
    oneCase("commands: { npm: {} }", "expect: { commands: { npm: [a] } }"),
    "4:33 wrong-type: The calls of 'npm' are a list of lists of arguments",
  ],
  ["a mock that is a text", oneCase("mocks: { run: ok }"), "3:19 wrong-type: The mock of 'run' must be a map"],
  [
    "a mock with two ways",
    oneCase("mocks: { run: { crashes: a, fails: b } }"),
    "3:33 bad-mock: A block that crashes has no 'fails'",
  ],
  [
    "a broken stand-in",
    oneCase("workflows: { x: { blocks: [{ id: a, type: Shel }] } }"),
    "3:47 unknown-block-type: There is no block type 'Shel'. Did you mean 'Shell'?",
  ],
  ["a timeout that is none", oneCase("timeout: soon"), "3:14 bad-timeout: 'timeout': a timeout is a number of seconds"],
  [
    "a word where a list is wanted",
    oneCase("uses: git"),
    "3:11 wrong-type: 'uses' of the case 'a' must be a list, not the text 'git'. Write `uses: [git]`.",
  ],
  [
    "a list as a variable",
    oneCase("env: { A: [] }"),
    "3:15 wrong-type: Here the value of a variable is expected, not a list.",
  ],
  [
    "no workflow of that name",
    "workflow: mian\ncases: [{ name: a }]\n",
    "1:11 unknown-workflow: No workflow is named 'mian'.",
  ],
  [
    "no workflow at that path",
    "workflow: other/x.yaml\ncases: [{ name: a }]\n",
    "1:11 no-workflow: No workflow is named",
  ],
  ["YAML that is none", 'cases: "a\n', "yaml"],
])("%s is told, with its place", async (_, text, problem) => {
  const problems = await problemsOf(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
});

test("everything that is wrong is told at once", async () => {
  const problems = await problemsOf(
    oneCase("input: {}", "timeout: soon", "expect: { status: ok, blocks: { run: x } }"),
  );
  expect(problems.map((problem) => problem.split(" ")[1])).toEqual([
    "unknown-key:",
    "bad-timeout:",
    "unknown-value:",
    "unknown-value:",
  ]);
});

test("when one file is invalid no other is run", async () => {
  const ran = await runTestFiles({
    ...tested,
    "main.test.yaml": "cases: [{ name: a }]\n",
    "other.yaml": workflow("other", [{ id: "run", type: "Shel" }]),
    "other.test.yaml": "cases: [{ name: a }]\n",
  });
  expect(ran).toMatchObject({ ok: false, error: [{ code: "unknown-block-type" }] });
});

test("a workflow that lies elsewhere is found by its path or by its name", async () => {
  const ran = await runTestFiles({
    "library/called.yaml": workflow("called", [{ id: "run", type: "Shell", inputs: { command: "true" } }]),
    "tests/by-name.test.yaml": "workflow: called\ncases: [{ name: a }]\n",
    "tests/by-path.test.yaml": "workflow: ../library/called.yaml\ncases: [{ name: a }]\n",
  });
  expect(ran).toMatchObject({ ok: true, value: [{ status: "passed" }, { status: "passed" }] });
});

import { expect, test } from "vitest";
import { check, shell, workflow } from "../../test/definition/check.ts";

const post = (id: string, more = ""): string =>
  `- { id: ${id}, type: HttpCall, inputs: { url: "https://example.org", method: POST }${more === "" ? "" : `, ${more}`} }\n`;
const rollback = "on_failure: rollback\n";

/** What is warned about, as `block < the one that fails`. */
function warned(text: string, library?: Readonly<Record<string, string>>): string[] {
  const { problems } = check(text, library);
  expect(problems.filter(({ code }) => code !== "irreversible")).toEqual([]);
  return problems.map(({ block, message }) => `${block} < ${/^When '(.*?)'/.exec(message)?.[1]}`);
}

test.each<readonly [what: string, text: string, expected: readonly string[]]>([
  ["before one that fails", workflow(post("a") + shell("b", "depends_on: [a]"), rollback), ["a < b"]],
  ["beside one that fails", workflow(post("a") + shell("b"), rollback), ["a < b"]],
  [
    "after the only one that leads to it",
    workflow(shell("b", "on_failure: rollback") + post("a", "depends_on: [b]")),
    [],
  ],
  [
    "before the only one that leads to it",
    workflow(post("a") + shell("b", "on_failure: rollback, depends_on: [a]")),
    ["a < b"],
  ],
  [
    "the last one, whose own failure is all that can happen",
    workflow(shell("a") + post("b", "depends_on: [a]"), rollback),
    [],
  ],
  ["where nothing is rolled back", workflow(post("a") + shell("b", "depends_on: [a]")), []],
  [
    "where it says how",
    workflow(post("a", "undo: { type: Shell, inputs: { command: x } }") + shell("b"), rollback),
    [],
  ],
  [
    "where it is a point of no return",
    workflow(post("a", "commit_point: true") + shell("b", "depends_on: [a]"), rollback),
    [],
  ],
  [
    "before a point of no return",
    workflow(
      post("a") +
        shell("c", "commit_point: true, on_failure: continue, depends_on: [a]") +
        shell("b", "depends_on: [c]"),
      rollback,
    ),
    [],
  ],
  [
    "beside a point of no return",
    workflow(
      post("a") + shell("c", "commit_point: true, on_failure: continue") + shell("b", "depends_on: [c]"),
      rollback,
    ),
    ["a < b"],
  ],
  ["a command that nobody may look at", workflow(shell("a", "effects: none") + shell("b"), rollback), ["a < b"]],
  ["commands and files, which are kept", workflow(shell("a") + shell("b", "effects: isolated"), rollback), []],
  [
    "what only reads",
    workflow(`- { id: a, type: HttpCall, inputs: { url: "https://example.org" } }\n${shell("b")}`, rollback),
    [],
  ],
  [
    "in a group",
    workflow(`- { id: g, blocks: [${post("a").slice(2).trim()}] }\n${shell("b", "depends_on: [g]")}`, rollback),
    ["a < b"],
  ],
  [
    "in a group that says how",
    workflow(
      `- { id: g, undo: { type: Shell, inputs: { command: x } }, blocks: [${post("a").slice(2).trim()}] }\n${shell("b")}`,
      rollback,
    ),
    [],
  ],
])("%s", (_what, text, expected) => {
  expect(warned(text)).toEqual(expected);
});

test("in a workflow that is called: the block inside is named", () => {
  const text = workflow(`- { id: a, type: ExecuteWorkflow, inputs: { workflow: other } }\n${shell("b")}`, rollback);
  const [problem] = check(text, { other: workflow(shell("x") + post("y")) }).problems;
  expect(problem?.message).toBe(
    "When 'b' fails, the rollback can't take back 'y' in block 'a': what a block of type HttpCall does is not recorded.",
  );
  expect(problem?.fix).toMatch(/`undo:`.*`commit_point: true`/);
});

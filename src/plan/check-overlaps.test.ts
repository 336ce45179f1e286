import { expect, test } from "vitest";
import { check, onlyProblem, shell, workflow } from "../../test/definition/check.ts";

const restore = "retry: { attempts: 2, restore: true }";
const alone = "on_failure: rollback_block";
const group = (id: string, more: string, ...blocks: readonly string[]): string =>
  `- { id: ${id}, ${more}blocks: [${blocks.map((block) => block.slice(2).trim()).join(", ")}] }\n`;

const refused: readonly [what: string, blocks: string, block: string, other: string][] = [
  ["two commands, one of which is tried again", shell("a", restore) + shell("b"), "a", "'b'"],
  ["two commands, one of which is undone alone", shell("a") + shell("b", alone), "b", "'a'"],
  ["a command and a group beside it", shell("a", restore) + group("g", "", shell("b")), "a", "'g'"],
  ["a command in a group and one beside that", shell("a") + group("g", "", shell("b", restore)), "b", "'a'"],
  ["a group that is undone alone", shell("a") + group("g", `${alone}, `, shell("b")), "g", "'a'"],
  ["passes at the same time", shell("a", `for_each: [1, 2], ${restore}`), "a", "its other passes"],
  ["a command in such a loop", group("g", "for_each: [1, 2], ", shell("a", alone)), "a", "other passes of 'g'"],
  [
    "branches that meet again",
    `${shell("s")}${shell("a", `${alone}, depends_on: [s]`)}${shell("b", "depends_on: [s]")}${shell("e", "depends_on: [a, b]")}`,
    "a",
    "'b'",
  ],
];

test.each(refused)("%s can't be told apart", (_what, blocks, block, other) => {
  expect(onlyProblem(workflow(blocks))).toMatchObject({
    code: "needs-isolated",
    level: "error",
    block,
    message: expect.stringContaining(`at the same time as ${other}, `),
    fix: expect.stringMatching(/^Write `effects: isolated`/),
  });
});

test.each([
  ["one after the other", shell("a", restore) + shell("b", "depends_on: [a]")],
  [
    "through others",
    `${shell("a", restore)}${shell("b", "depends_on: [a]")}${shell("c", `depends_on: [b], ${restore}`)}`,
  ],
  ["kept apart", shell("a", `effects: isolated, ${restore}`) + shell("b")],
  ["beside one that is kept apart", shell("a", restore) + shell("b", "effects: isolated")],
  ["beside one that changes no files, as its author says", shell("a", restore) + shell("b", "effects: none")],
  ["beside a block that runs no command", `${shell("a", restore)}- { id: b, type: MakeDir, inputs: { path: d } }`],
  ["passes one after the other", shell("a", `for_each: [1, 2], for_each_mode: sequential, ${restore}`)],
  ["passes of which only one runs at a time", shell("a", `for_each: [1, 2], max_parallel: 1, ${restore}`)],
  ["a loop that is undone as a whole", shell("a", `for_each: [1, 2], ${alone}`)],
  ["blocks of a group, one at a time", group("g", "max_parallel: 1, ", shell("a", restore), shell("b"))],
  [
    "file blocks, whose changes are known",
    `- { id: a, type: MakeDir, inputs: { path: d }, on_failure: rollback_block }\n${shell("b")}`,
  ],
])("told apart: %s", (_what, blocks) => {
  expect(check(workflow(blocks)).problems).toEqual([]);
});

test("what runs under finally runs alone, and one block at a time is always told apart", () => {
  const last = "finally: [{ id: z, type: Shell, inputs: { command: 'true' } }]\n";
  expect(check(workflow(shell("a", restore), last)).problems).toEqual([]);
  expect(check(workflow(shell("a", restore) + shell("b"), "max_parallel: 1\n")).problems).toEqual([]);
});

test("commands of a workflow that is called are seen too", () => {
  const blocks = `${shell("a", restore)}- { id: b, type: ExecuteWorkflow, inputs: { workflow: other } }`;
  expect(onlyProblem(workflow(blocks), { other: workflow(shell("x")) })).toMatchObject({ code: "needs-isolated" });
  expect(check(workflow(blocks), { other: workflow(shell("x", "effects: isolated")) }).problems).toEqual([]);
});

test("a long workflow is looked at in no time", () => {
  const blocks = Array.from({ length: 3000 }, (_, index) =>
    shell(`b${index}`, index === 0 ? "" : `depends_on: [b${index - 1}]`),
  );
  expect(check(workflow(blocks.join(""), "on_failure: rollback_block\n")).problems).toEqual([]);
});

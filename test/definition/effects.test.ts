import { describe, expect, test } from "vitest";
import { onlyProblem, planned, shell, workflow } from "./check.ts";

test("what a failure leads to can be said of a block and of a workflow", () => {
  const { definition } = planned(workflow(shell("a", "on_failure: stop"), "on_failure: rollback\n"));
  expect([definition.onFailure, definition.blocks[0]?.onFailure]).toEqual(["rollback", "stop"]);
});

test("without these keys nothing is said", () => {
  const [a] = planned(workflow(shell("a"))).definition.blocks;
  expect([a?.onFailure, a?.commitPoint, a?.effects, a?.writes]).toEqual([undefined, undefined, undefined, undefined]);
});

test("a Shell block says how what it does can be undone", () => {
  const [a] = planned(workflow(shell("a", 'effects: observe, writes: [dist/**, "*.log"], commit_point: true')))
    .definition.blocks;
  expect(a).toMatchObject({ effects: "observe", writes: ["dist/**", "*.log"], commitPoint: true });
});

test("retry.restore is a flag", () => {
  const [a] = planned(workflow(shell("a", "retry: { attempts: 2, restore: true }"))).definition.blocks;
  expect(a?.retry?.restore).toBe(true);
  expect(onlyProblem(workflow(shell("a", "retry: { attempts: 2, restore: maybe }")))).toMatchObject({
    code: "wrong-type",
    marked: "maybe",
  });
});

describe("what can't be meant is refused", () => {
  test.each([
    ["on_failure: roll_back", "unknown-value", /rollback/],
    ["on_failure: undo", "unknown-value", /continue, stop, rollback/],
    ["effects: isolate", "unknown-value", /isolated/],
    ["effects: true", "unknown-value", /observe, isolated, none/],
    ["commit_point: yes please", "wrong-type", undefined],
    ["writes: dist", "wrong-type", /writes: \[dist\]/],
    ["effects: observe, writes: [/etc/passwd]", "bad-pattern", /relative to the workspace/],
    ["effects: observe, writes: [~/x]", "bad-pattern", /relative to the workspace/],
    ["effects: observe, writes: [a/../../b]", "bad-pattern", /Remove `\.\.`/],
    ['effects: observe, writes: ["${inputs.x}/**"]', "bad-pattern", /Write it out/],
    ["effects: observe, writes: [[a]]", "wrong-type", undefined],
  ])("%s", (line, code, fix) => {
    const problem = onlyProblem(workflow(shell("a", line)));
    expect(problem).toMatchObject({ code, level: "error" });
    if (fix !== undefined) expect(problem.fix).toMatch(fix);
  });
});

test.each([
  ["effects: observe", "- { id: a, type: CreateFile, inputs: { path: a, content: b }", "Remove `effects`."],
  ["writes: [a]", "- { id: a, type: Wait, inputs: { duration: 1s }", "Remove `writes`."],
  [
    "effects: observe",
    "- { id: a, blocks: [{ id: b, type: Wait, inputs: { duration: 1s } }]",
    "Remove `effects`, or set it on the Shell and Agent blocks inside.",
  ],
])("`%s` of a block that runs no command is refused", (line, block, fix) => {
  expect(onlyProblem(workflow(`${block}, ${line} }`))).toMatchObject({ code: "no-effects", level: "error", fix });
});

test.each(["rollback: true", "rollback_on_fail: true", "rollback-on-failure: true"])(
  "what other systems call a rollback is answered with ours: %s",
  (line) => {
    const fix = expect.stringMatching(/^Write `on_failure: rollback`/);
    expect(onlyProblem(workflow(shell("a", line)))).toMatchObject({ code: "unknown-key", fix });
    expect(onlyProblem(workflow(shell("a"), `${line}\n`))).toMatchObject({ code: "unknown-key", fix });
  },
);

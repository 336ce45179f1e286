import { describe, expect, test } from "vitest";
import { check, onlyProblem, shell, workflow } from "../../test/definition/check.ts";

describe("under finally nothing is rolled back", () => {
  test.each(["on_failure: rollback", "on_failure: stop", "commit_point: true"])("%s is refused", (key) => {
    const block = `{ id: z, type: Shell, inputs: { command: 'true' }, ${key} }`;
    for (const last of [`[${block}]`, `[{ id: g, blocks: [${block}] }]`]) {
      expect(onlyProblem(workflow(shell("a"), `finally: ${last}\n`))).toMatchObject({
        code: "not-under-finally",
        level: "error",
        block: "z",
      });
    }
  });

  test("that it goes on may be said", () => {
    const last = "finally: [{ id: z, type: Shell, inputs: { command: 'true' }, on_failure: continue }]\n";
    expect(check(workflow(shell("a"), last)).problems).toEqual([]);
  });
});

test("a failure that is allowed leads to nothing", () => {
  expect(onlyProblem(workflow(shell("a", "allow_failure: true, on_failure: stop")))).toMatchObject({
    code: "on-failure-without-effect",
    level: "warning",
  });
  expect(check(workflow(shell("a", "allow_failure: true"), "on_failure: stop\n")).problems).toEqual([]);
});

test("a commit point stands on a loop, not in it", () => {
  const loop = (inner: string, own: string): string =>
    workflow(`- { id: l, for_each: [1], ${own}blocks: [{ id: g, blocks: [${shell("a", inner).slice(2).trim()}] }] }`);
  expect(onlyProblem(loop("commit_point: true", ""))).toMatchObject({
    code: "commit-point-in-loop",
    block: "a",
    fix: expect.stringContaining("on 'l'"),
  });
  expect(check(loop("", "commit_point: true, ")).problems).toEqual([]);
  expect(check(workflow(shell("a", "for_each: [1], commit_point: true"))).problems).toEqual([]);
});

test("what restores files has files to restore", () => {
  const restore = "retry: { attempts: 2, restore: true }";
  expect(onlyProblem(workflow(shell("a", `effects: none, ${restore}`)))).toMatchObject({
    code: "restore-without-effects",
    level: "error",
  });
  const call = `- { id: a, type: HttpCall, inputs: { url: "https://example.org", method: POST }, ${restore} }`;
  expect(onlyProblem(workflow(call))).toMatchObject({ code: "restore-without-effect", level: "warning" });
  expect(check(workflow(`- { id: a, type: MakeDir, inputs: { path: d }, ${restore} }`)).problems).toEqual([]);
});

describe("files that are named are looked at", () => {
  test.each([
    ["", "", "warning"],
    ["effects: isolated, ", "", "warning"],
    ["effects: none, ", "on_failure: rollback\n", "error"],
  ])("not so with %j in a workflow with %j", (own, more, level) => {
    expect(onlyProblem(workflow(shell("a", `${own}writes: [dist/**]`), more))).toMatchObject({
      code: "writes-without-observe",
      level,
    });
  });

  test.each([
    ["effects: observe, ", ""],
    ["on_failure: rollback_block, ", ""],
    ["", "on_failure: rollback\n"],
  ])("so with %j in a workflow with %j", (own, more) => {
    expect(check(workflow(shell("a", `${own}writes: [dist/**]`), more)).problems).toEqual([]);
  });

  test("also by what is around", () => {
    const inside = shell("a", "writes: [dist/**]").slice(2).trim();
    const text = workflow(`- { id: g, retry: { attempts: 2, restore: true }, blocks: [${inside}] }`);
    expect(check(text).problems).toEqual([]);
  });
});

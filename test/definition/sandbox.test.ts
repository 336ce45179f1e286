import { describe, expect, test } from "vitest";
import { type SandboxLimits, tighterOf } from "../../src/block/sandbox.ts";
import { check, onlyProblem, planned, shell, workflow } from "./check.ts";

const none: SandboxLimits = { network: "none" };
const host: SandboxLimits = { network: "host" };

test.each([
  ["true", none],
  ["{ network: none }", none],
  ["{ network: host }", host],
  ["{}", none],
])("`sandbox: %s` can be said of a Shell block and of a workflow", (written, expected) => {
  expect(planned(workflow(shell("a", `sandbox: ${written}`))).definition.blocks[0]?.sandbox).toEqual(expected);
  expect(planned(workflow(shell("a"), `sandbox: ${written}\n`)).definition.sandbox).toEqual(expected);
});

test("without it there is none", () => {
  const { definition } = planned(workflow(shell("a")));
  expect([definition.sandbox, definition.blocks[0]?.sandbox]).toEqual([undefined, undefined]);
});

describe("what can't be meant is refused", () => {
  test.each([
    ["false", "wrong-type", /^Leave it out/],
    ["network", "wrong-type", /^Write `sandbox: true`/],
    ["[host]", "wrong-type", /^Write `sandbox: true`/],
    ["{ network: internet }", "unknown-value", /none, host/],
    ["{ net: host }", "unknown-key", /network/],
  ])("`sandbox: %s`", (written, code, fix) => {
    const expected = { code, level: "error", fix: expect.stringMatching(fix) };
    expect(onlyProblem(workflow(shell("a", `sandbox: ${written}`)))).toMatchObject(expected);
    expect(onlyProblem(workflow(shell("a"), `sandbox: ${written}\n`))).toMatchObject(expected);
  });
});

test.each([
  "- { id: a, type: Prompt, inputs: { prompt: Why? }, sandbox: true }",
  "- { id: a, type: ExecuteWorkflow, inputs: { workflow: flow }, sandbox: true }",
])("a block that runs no command has no sandbox: %s", (block) => {
  const { problems } = check(workflow(block));
  expect(problems).toContainEqual(expect.objectContaining({ code: "no-sandbox", level: "error", marked: "sandbox" }));
});

test("a network that the workflow's own sandbox does not have is a warning", () => {
  const text = workflow(shell("a", "sandbox: { network: host }"), "sandbox: true\n");
  expect(onlyProblem(text)).toMatchObject({ code: "network-without-effect", level: "warning" });
  expect(check(workflow(shell("a", "sandbox: true"), "sandbox: { network: host }\n")).problems).toEqual([]);
});

test("of two sandboxes the tighter one holds, whichever is around the other", () => {
  const all: readonly (SandboxLimits | undefined)[] = [undefined, host, none];
  for (const [outer, one] of all.entries()) {
    for (const [inner, other] of all.entries()) expect(tighterOf(one, other)).toBe(all[Math.max(outer, inner)]);
  }
});

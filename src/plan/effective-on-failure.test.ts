import { expect, test } from "vitest";
import { planned, shell, workflow } from "../../test/definition/check.ts";
import type { Plan } from "./plan.ts";

/** What the failure of each block leads to, those in groups too. */
function onFailureOf({ blocks }: Plan): Record<string, string> {
  return Object.assign(
    {},
    ...blocks.map(({ definition, onFailure, group }) => ({
      [definition.id]: onFailure,
      ...(group === undefined ? {} : onFailureOf(group)),
    })),
  );
}

test("a block goes on unless it, or its workflow, says otherwise", () => {
  const blocks = `${shell("a")}${shell("b", "on_failure: stop")}`;
  expect(onFailureOf(planned(workflow(blocks)))).toEqual({ a: "continue", b: "stop" });
  expect(onFailureOf(planned(workflow(blocks, "on_failure: rollback\n")))).toEqual({ a: "rollback", b: "stop" });
});

test("the default of the workflow reaches into groups, unless a group has a word of its own", () => {
  const inside = (more: string, id: string): string =>
    `- { id: ${id}, blocks: [${shell(`in_${id}`).slice(2).trim()}]${more} }`;
  const blocks = [
    inside("", "plain"),
    inside(", on_failure: continue", "said"),
    inside(", retry: 2", "retried"),
    inside(", allow_failure: true", "allowed"),
    "- { id: deep, retry: 2, blocks: [{ id: deeper, blocks: [{ id: deepest, type: Wait, inputs: { duration: 1s }, on_failure: stop }] }] }",
  ].join("\n");
  expect(onFailureOf(planned(workflow(blocks, "on_failure: rollback\n")))).toEqual({
    plain: "rollback",
    in_plain: "rollback",
    said: "continue",
    in_said: "continue",
    retried: "rollback",
    in_retried: "continue",
    allowed: "continue",
    in_allowed: "continue",
    deep: "rollback",
    deeper: "continue",
    deepest: "stop",
  });
});

test("nothing under finally leads to anything", () => {
  const last = "finally: [{ id: z, blocks: [{ id: y, type: Shell, inputs: { command: 'true' } }] }]\n";
  expect(onFailureOf(planned(workflow(shell("a"), `on_failure: stop\n${last}`)))).toEqual({
    a: "stop",
    z: "continue",
    y: "continue",
  });
});

test("a plan tells whether the workflow may be rolled back, and so do those of its groups", () => {
  const group = "- { id: g, blocks: [{ id: x, type: Shell, inputs: { command: 'true' } }] }\n";
  expect(planned(workflow(`${group}${shell("a")}`)).mayRollBack).toBe(false);
  const plan = planned(workflow(`${group}${shell("a", "on_failure: rollback")}`));
  expect([plan.mayRollBack, plan.blocks[0]?.group?.mayRollBack]).toEqual([true, true]);
});

import { expect, test } from "vitest";
import { planned, shell, workflow } from "../../test/definition/check.ts";
import { blockFingerprint } from "./block-fingerprint.ts";
import type { BlockDefinition } from "./workflow-definition.ts";

function fingerprint(more: string): string {
  return blockFingerprint(planned(workflow(shell("a", more))).definition.blocks[0] as BlockDefinition);
}

test.each([
  "on_failure: rollback",
  "commit_point: true",
  "effects: observe",
  "effects: isolated",
  "effects: observe, writes: [dist/**]",
  "undo: { type: Shell, inputs: { command: x } }",
])("a result is as good with another word about failing and undoing: %s", (more) => {
  expect(fingerprint(more)).toBe(fingerprint(""));
});

test("what an attempt finds, and what a block undoes, is a part of what it does", () => {
  expect(fingerprint("retry: { attempts: 2, restore: true }")).not.toBe(fingerprint("retry: { attempts: 2 }"));
  expect(fingerprint("undoes: { block: a, inputs: { x: 1 } }")).not.toBe(
    fingerprint("undoes: { block: a, inputs: { x: 2 } }"),
  );
});

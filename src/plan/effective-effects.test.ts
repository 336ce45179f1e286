import { expect, test } from "vitest";
import { planned, shell, workflow } from "../../test/definition/check.ts";
import type { BlockDefinition } from "../definition/workflow-definition.ts";
import { effectiveEffects, type UndoWish } from "./effective-effects.ts";

const nobody: UndoWish = { onFailure: "continue", undoneAround: false, observeAsked: false };

function block(text: string): BlockDefinition {
  return planned(workflow(text)).definition.blocks[0] as BlockDefinition;
}

test("a command is observed where somebody wants to undo it, and nothing is paid otherwise", () => {
  const plain = block(shell("a"));
  expect(effectiveEffects(plain, nobody)).toBe("none");
  expect(effectiveEffects(plain, { ...nobody, onFailure: "stop" })).toBe("none");
  expect(effectiveEffects(plain, { ...nobody, onFailure: "rollback" })).toBe("observe");
  expect(effectiveEffects(plain, { ...nobody, onFailure: "rollback_block" })).toBe("observe");
  expect(effectiveEffects(plain, { ...nobody, undoneAround: true })).toBe("observe");
  expect(effectiveEffects(plain, { ...nobody, observeAsked: true })).toBe("observe");
  expect(effectiveEffects(block(shell("a", "retry: { attempts: 2, restore: true }")), nobody)).toBe("observe");
});

test("what the author says is the last word", () => {
  const all: UndoWish = { onFailure: "rollback", undoneAround: true, observeAsked: true };
  for (const said of ["observe", "isolated", "none"] as const) {
    expect(effectiveEffects(block(shell("a", `effects: ${said}`)), all)).toBe(said);
    expect(effectiveEffects(block(shell("a", `effects: ${said}`)), nobody)).toBe(said);
  }
});

test("a block that runs no command has nothing to observe", () => {
  const wait = block("- { id: a, type: Wait, inputs: { duration: 1s } }");
  expect(effectiveEffects(wait, { onFailure: "rollback", undoneAround: true, observeAsked: true })).toBe("none");
});

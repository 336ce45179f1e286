import { expect, test } from "vitest";
import type { BlockContext } from "../../block/define-block.ts";
import { editText } from "./edit-text.ts";
import { prepareReplacement, replacePattern } from "./replace-pattern.ts";

test("an edit that is told to stop begins no other operation", async () => {
  const signal = AbortSignal.abort(new Error("stop"));
  const operation = { type: "replace_text", old_text: "a", new_text: "b", count: -1 } as const;
  await expect(editText("a", { operations: [operation] }, 10, { signal } as BlockContext)).rejects.toThrow("stop");
});

test("a pattern that is being replaced hears that it is to stop", async () => {
  const controller = new AbortController();
  let looks = 0;
  const clock = {
    now: () => new Date(),
    monotonic: () => {
      if (++looks === 10) controller.abort(new Error("stop"));
      return looks * 25;
    },
  };
  const operation = { type: "regex_replace", pattern: "a", replacement: "b", flags: "", count: -1 } as const;
  const prepared = prepareReplacement(operation);
  if (!prepared.ok) throw new Error(prepared.error);
  const context = { clock, signal: controller.signal } as BlockContext;
  await expect(replacePattern("a".repeat(1000), prepared.value, 1000, context)).rejects.toThrow("stop");
});

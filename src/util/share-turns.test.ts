import { expect, test } from "vitest";
import { shareTurns } from "./share-turns.ts";

test("who asks while it is under way shares the next time, which begins afterwards", async () => {
  const begun: (() => void)[] = [];
  const ask = shareTurns(() => new Promise<void>((resolve) => void begun.push(resolve)));
  const first = ask();
  const later = [ask(), ask()];
  expect(begun).toHaveLength(1);
  begun[0]?.();
  await first;
  await new Promise(setImmediate);
  expect(begun).toHaveLength(2);
  begun[1]?.();
  await Promise.all(later);
  const again = ask();
  expect(begun).toHaveLength(3);
  begun[2]?.();
  await again;
});

test("a time that fails fails for those who shared it, and not for the next", async () => {
  const results = [new Error("full"), undefined];
  const ask = shareTurns(async () => {
    await new Promise(setImmediate);
    const result = results.shift();
    if (result !== undefined) throw result;
  });
  const [first, second] = [ask(), ask()];
  await expect(first).rejects.toThrow("full");
  await expect(second).resolves.toBeUndefined();
});

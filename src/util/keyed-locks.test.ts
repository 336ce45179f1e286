import { expect, test } from "vitest";
import { KeyedLocks } from "./keyed-locks.ts";

function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

const never = new AbortController().signal;

test("who waits for a lock gives up with the signal, and who comes later still waits for the one before", async () => {
  const locks = new KeyedLocks();
  const began: string[] = [];
  const holding = gate();
  const first = locks.run("key", () => holding.passed, never);
  const stopping = new AbortController();
  const second = locks.run("key", async () => void began.push("second"), stopping.signal);
  stopping.abort(new Error("told to stop"));
  await expect(second).rejects.toThrow("told to stop");
  const third = locks.run("key", async () => void began.push("third"), never);
  await locks.run("other", async () => void began.push("other"), never);
  expect(began).toEqual(["other"]);
  holding.open();
  await Promise.all([first, third]);
  expect(began).toEqual(["other", "third"]);
});

test("a signal that has come already lets nothing begin, and a failure lets the next one in", async () => {
  const locks = new KeyedLocks();
  const begun = async (): Promise<string> => "begun";
  await expect(locks.run("key", begun, AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
  await expect(locks.run("key", () => Promise.reject(new Error("failed")), never)).rejects.toThrow("failed");
  expect(await locks.run("key", begun, never)).toBe("begun");
});

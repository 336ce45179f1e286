import { expect, test } from "vitest";
import { SharedLock } from "./shared-lock.ts";

/** Actions that end when they are told to. */
function createActions(): {
  run(name: string): () => Promise<void>;
  end(name: string): Promise<void>;
  running: string[];
} {
  const ends = new Map<string, () => void>();
  const running: string[] = [];
  return {
    running,
    run: (name) => () => {
      running.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    },
    async end(name) {
      running.splice(running.indexOf(name), 1);
      ends.get(name)?.();
      await settle();
    },
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("many hold it together, one alone, and whoever wants it alone is not kept waiting by those who come later", async () => {
  const lock = new SharedLock();
  const { run, end, running } = createActions();
  const all = [lock.together(run("a")), lock.together(run("b"))];
  await settle();
  expect(running).toEqual(["a", "b"]);
  all.push(lock.alone(run("alone")), lock.together(run("later")), lock.alone(run("next")));
  await settle();
  expect(running).toEqual(["a", "b"]);
  await end("a");
  expect(running).toEqual(["b"]);
  await end("b");
  expect(running).toEqual(["alone"]);
  await end("alone");
  expect(running).toEqual(["next"]);
  await end("next");
  expect(running).toEqual(["later"]);
  await end("later");
  await Promise.all(all);
});

test("one that fails lets the next in", async () => {
  const lock = new SharedLock();
  await expect(lock.alone(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(lock.together(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await lock.alone(async () => 1)).toBe(1);
  expect(await lock.together(async () => 2)).toBe(2);
});

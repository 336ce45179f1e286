import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lock as lockFile, whileLocked } from "./lock-file.ts";

let directory: string;
let lock: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "frond-lock-"));
  lock = join(directory, "lock");
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

test("the lock is there while the work is done, and gone after it, also when it fails", () => {
  expect(whileLocked(lock, () => existsSync(lock))).toBe(true);
  expect(() =>
    whileLocked(lock, () => {
      throw new Error("failed");
    }),
  ).toThrow("failed");
  expect(existsSync(lock)).toBe(false);
});

test("nothing is done while another has the lock", async () => {
  writeFileSync(lock, "");
  const marker = join(directory, "released");
  const code = `
    const { parentPort } = require("node:worker_threads");
    const { rmSync, writeFileSync } = require("node:fs");
    parentPort.postMessage("ready");
    setTimeout(() => { writeFileSync(${JSON.stringify(marker)}, ""); rmSync(${JSON.stringify(lock)}); }, 50);
  `;
  const other = new Worker(code, { eval: true });
  await new Promise((resolve) => other.once("message", resolve));
  expect(whileLocked(lock, () => existsSync(marker))).toBe(true);
  await other.terminate();
});

test("a lock that a process left when it died is not waited for", () => {
  writeFileSync(lock, "");
  const longAgo = Date.now() / 1000 - 60;
  utimesSync(lock, longAgo, longAgo);
  expect(whileLocked(lock, () => "done")).toBe("done");
});

test("who waits for longer work lets others go on meanwhile, and comes after them", async () => {
  const order: string[] = [];
  const unlock = await lockFile(lock);
  const second = lockFile(lock).then((unlockAgain) => {
    order.push("second");
    unlockAgain();
  });
  order.push("first");
  unlock();
  await second;
  expect(order).toEqual(["first", "second"]);
  expect(existsSync(lock)).toBe(false);
});

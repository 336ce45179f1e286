import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeDirectories } from "./make-directories.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "frond-directories-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

test("what is missing on the way is made with the mode, and what is there stays as it is", () => {
  mkdirSync(join(directory, "a"));
  chmodSync(join(directory, "a"), 0o755);
  makeDirectories(join(directory, "a/b/c"), 0o700);
  makeDirectories(join(directory, "a/b/c"), 0o700);
  expect(["a", "a/b", "a/b/c"].map((path) => statSync(join(directory, path)).mode & 0o777)).toEqual([
    0o755, 0o700, 0o700,
  ]);
});

test("a file or a link to nothing on the way is an error at once", () => {
  writeFileSync(join(directory, "file"), "");
  symlinkSync("nowhere", join(directory, "link"));
  expect(() => makeDirectories(join(directory, "file/a/b"), 0o700)).toThrow("ENOTDIR");
  expect(() => makeDirectories(join(directory, "link/a"), 0o700)).toThrow("ENOENT");
});

test.runIf(existsSync("/proc/self"))("where the system makes no directories it is an error at once", () => {
  expect(() => makeDirectories("/proc/frond", 0o700)).toThrow("ENOENT");
  expect(() => makeDirectories("/proc/self/frond/state", 0o700)).toThrow("ENOENT");
});

import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { readStamps, type StampsOf } from "./read-stamps.ts";
import { SecondThread } from "./second-thread.ts";
import { StampRows } from "./stamp-rows.ts";
import type { StampWork, WantedStamps } from "./stamp-shares.ts";
import { threadFile } from "./thread-file.ts";

/** Enough for a second thread; only a few of the names are there. */
function makeWanted(): WantedStamps[] {
  const root = mkdtempSync(join(tmpdir(), "frond-stamps-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return Array.from({ length: 6 }, (_, directory) => {
    const path = join(root, `directory-${directory}`);
    mkdirSync(path);
    const names = Array.from({ length: 1_100 }, (_, name) => `name-${name}`);
    for (const name of [0, 499, 500, 1_099]) writeFileSync(join(path, `name-${name}`), `${directory} ${name}`);
    symlinkSync("nowhere", join(path, "name-700"));
    mkdirSync(join(path, "name-800"));
    return { path, names };
  });
}

function expectStamps(wanted: readonly WantedStamps[], found: readonly StampsOf[]): void {
  expect(found).toHaveLength(wanted.length);
  for (const [directory, { path, names }] of wanted.entries()) {
    for (const [index, name] of names.entries()) {
      const stats = lstatSync(join(path, name), { throwIfNoEntry: false });
      const { mode, size, mtimeMs, ctimeMs, ino } = stats ?? {};
      expect(found[directory]?.(index)).toEqual(stats && { mode, size, mtimeMs, ctimeMs, ino });
    }
  }
}

const wanted = (): void => {};

test("one thread finds what is there", async () => {
  const entries = makeWanted();
  expectStamps(entries, await readStamps(entries, wanted, undefined));
});

test("two threads find the same, whoever reads what", async () => {
  const entries = makeWanted();
  const second = new SecondThread(fileURLToPath(threadFile));
  for (let look = 0; look < 3; look++) expectStamps(entries, await readStamps(entries, wanted, second));
});

test("a second thread reads what nobody has taken, and nothing else", async () => {
  const [one, other] = makeWanted() as [WantedStamps, WantedStamps];
  const shares = [
    { ...one, first: 0 },
    { ...other, first: one.names.length },
  ];
  const states = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  states[0] = 1;
  const rows = StampRows.create(one.names.length + other.names.length);
  await new SecondThread(fileURLToPath(threadFile)).help({ shares, states, rows });
  expect([...states]).toEqual([1, 2]);
  expect(one.names.every((_, index) => rows.at(index) === undefined)).toBe(true);
  expectStamps([other], [(index) => rows.at(one.names.length + index)]);
});

test("what a second thread has begun when it ends is read by the first", async () => {
  const entries = makeWanted();
  const ended = {
    async help({ states }: StampWork) {
      states.fill(1, 3);
    },
  };
  expectStamps(entries, await readStamps(entries, wanted, ended));
});

test("when nobody wants it any more, the second thread finds nothing left to read", async () => {
  const entries = makeWanted();
  let states: Int32Array | undefined;
  const late = {
    async help(work: StampWork) {
      ({ states } = work);
    },
  };
  const stop = (): void => {
    throw new Error("It is not wanted any more.");
  };
  await expect(readStamps(entries, stop, late)).rejects.toThrow("not wanted");
  expect(states).not.toContain(0);
});

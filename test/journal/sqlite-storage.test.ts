import { copyFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ValueMap } from "../../src/expression/value.ts";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import {
  blockFinished,
  blockPaused,
  creation,
  otherOwner,
  owner,
  runFinished,
  runStarted,
  someEvents,
} from "./sample-events.ts";
import { scratchDirectory } from "./scratch-directory.ts";
import { checkIntegrity, openFile } from "./sqlite-file.ts";

function countRows(directory: string, table: "blobs" | "blob_uses" | "commits" | "inbox" | "questions"): number {
  const database = openFile(directory);
  const count = database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count;
  database.close();
  return Number(count);
}

const kilobyte = 1024;
const text = (label: string, kilobytes: number): string =>
  `${label} `.repeat((kilobytes * kilobyte) / (label.length + 1));

test("Node's own SQLite is used where there is one", async () => {
  const { emitWarning } = process;
  const journal = await openSqliteJournal(scratchDirectory());
  expect(process.emitWarning).toBe(emitWarning);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const loaded = Object.keys(createRequire(import.meta.url).cache).some((path) => /[\\/]libsql[\\/]/.test(path));
  expect(loaded).toBe(major < 22 || (major === 22 && minor < 13));
  await journal.close();
});

test("the results of a loop cost nothing beside what its passes hold already", async () => {
  const directory = scratchDirectory();
  const journal = await openSqliteJournal(directory);
  await journal.create(creation("r"));
  const outputs = Array.from(
    { length: 10 },
    (_, pass): ValueMap => ({ stdout: text(`pass ${pass}`, 200), exit_code: 0 }),
  );
  await journal.append(
    "r",
    1,
    outputs.map((each, pass) => blockFinished(`lint/${pass}`, { outputs: each })),
  );
  const before = (await journal.usage()).bytes;
  await journal.append("r", 1, [
    blockFinished("lint", { outputs: { results: outputs } }),
    runFinished({ outputs: { all: { results: outputs } } }),
  ]);
  expect((await journal.usage()).bytes - before).toBeLessThan(32 * kilobyte);
  const [loop] = await journal.read("r", 11);
  expect(loop).toEqual(blockFinished("lint", { outputs: { results: outputs } }));
  await journal.close();
  checkIntegrity(directory);
});

test("many small things that are large together are stored once too", async () => {
  const journal = await openSqliteJournal(scratchDirectory());
  await journal.create(creation("r"));
  const rows = Array.from({ length: 5000 }, (_, index) => ({ name: `row ${index}`, value: index }));
  const event = (path: string) => blockFinished(path, { outputs: { rows, copy: [rows] } });
  await journal.append("r", 1, [event("a")]);
  const before = (await journal.usage()).bytes;
  await journal.append("r", 1, [event("b")]);
  expect((await journal.usage()).bytes - before).toBeLessThan(16 * kilobyte);
  expect(await journal.read("r", 1)).toEqual([event("a"), event("b")]);
  await journal.close();
});

test("content that several runs use goes with the last of them", async () => {
  const directory = scratchDirectory();
  const journal = await openSqliteJournal(directory);
  const shared = { definitions: { deploy: { file: "deploy.yaml", text: text("shared", 100) } } };
  for (const runId of ["a", "b"]) {
    const own = blockFinished("x", { outputs: { list: [text(runId, 100), text("both", 100)] } });
    await journal.create({ events: [runStarted(runId, shared), own, runFinished(), blockPaused("late")], owner });
  }
  expect([countRows(directory, "blobs"), countRows(directory, "blob_uses")]).toEqual([4, 6]);
  const kept = await journal.read("b");
  await journal.delete("a");
  expect([countRows(directory, "blobs"), countRows(directory, "blob_uses")]).toEqual([3, 3]);
  expect(await journal.read("b")).toEqual(kept);
  await journal.delete("b");
  const tables = ["blobs", "blob_uses", "commits", "inbox", "questions"] as const;
  expect(tables.map((table) => countRows(directory, table))).toEqual([0, 0, 0, 0, 0]);
  await journal.close();
});

test("what becomes ready in one turn shares a transaction, and what is refused in it harms nobody", async () => {
  const transactions: (readonly string[])[] = [];
  const journal = await openSqliteJournal(scratchDirectory(), {
    onWrite: (point, what) => void (point === "after-commit" && transactions.push(what)),
  });
  await journal.create(creation("r"));
  const results = await Promise.all([
    journal.create(creation("s")),
    journal.append("r", 1, someEvents(2)),
    journal.append("r", 7, someEvents(1)),
    Promise.resolve().then(() => journal.claim("r", 1, otherOwner)),
    journal.append("r", 1, [runFinished()]),
  ]);
  expect(results).toEqual([{ kind: "created", fence: 1 }, true, false, 2, true]);
  expect(transactions).toEqual([
    ["run-started"],
    ["run-started", "block-finished", "block-finished", "block-finished", "run-finished", "claim"],
  ]);
  await journal.close();
});

test("housekeeping gives space back to the system", async () => {
  const directory = scratchDirectory();
  const journal = await openSqliteJournal(directory);
  await journal.create({
    events: [runStarted("stays"), blockFinished("a", { outputs: { out: text("stays", 300) } })],
    owner,
  });
  for (let index = 0; index < 5; index++) {
    const outputs = { out: text(`run ${index}`, 2000) };
    await journal.create({ events: [runStarted(`r${index}`), runFinished({ outputs })], owner });
  }
  const before = await journal.read("stays");
  for (let index = 0; index < 5; index++) await journal.delete(`r${index}`);
  await journal.housekeep();
  expect(statSync(join(directory, "frond.db")).size).toBeLessThan(1000 * kilobyte);
  expect(await journal.read("stays")).toEqual(before);
  await journal.close();
  checkIntegrity(directory);
});

test("the log does not grow for ever", async () => {
  const directory = scratchDirectory();
  const journal = await openSqliteJournal(directory);
  await journal.create(creation("r"));
  for (let index = 0; index < 1000; index++) {
    await journal.append("r", 1, [blockFinished(`b${index}`, { outputs: { out: text(`${index}`, 20) } })]);
  }
  expect(statSync(join(directory, "frond.db-wal")).size).toBeLessThan(12 * 1000 * kilobyte);
  expect(statSync(join(directory, "frond.db")).size).toBeGreaterThan(10 * 1000 * kilobyte);
  await journal.close();
});

test("when the last one closes a journal, all of it is in one file", async () => {
  const [directory, copy] = [scratchDirectory(), scratchDirectory()];
  const journal = await openSqliteJournal(directory);
  await journal.create({ events: [runStarted("r"), ...someEvents(10)], owner });
  const before = await journal.read("r");
  await journal.close();
  copyFileSync(join(directory, "frond.db"), join(copy, "frond.db"));
  const again = await openSqliteJournal(copy);
  expect(await again.read("r")).toEqual(before);
  await again.close();
});

test("events of one commit share a row unless they are many bytes, and are read from any number on", async () => {
  const directory = scratchDirectory();
  const journal = await openSqliteJournal(directory);
  const [started, few] = [runStarted("r"), someEvents(20)];
  const many = someEvents(200, "large").map((event) => ({ ...event, outputs: { text: "x".repeat(1000) } }));
  await journal.create({ events: [started, ...few], owner });
  expect(countRows(directory, "commits")).toBe(1);
  await journal.append("r", 1, many as never);
  expect(countRows(directory, "commits")).toBe(1 + Math.ceil(200_000 / 65_536));
  const all = [started, ...few, ...many];
  for (const after of [0, 1, 20, 21, 100, 220]) expect(await journal.read("r", after)).toEqual(all.slice(after));
  expect(await journal.find("r")).toMatchObject({ sequence: 221, updatedAt: many.at(-1)?.at });
  expect(await journal.sequences()).toEqual(new Map([["r", 221]]));
  await journal.close();
  checkIntegrity(directory);
});

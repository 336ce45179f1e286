import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { JournalError } from "../../src/journal/journal.ts";
import { newestVersion } from "../../src/journal/schema.ts";
import { schema } from "../../src/journal/sqlite/migrations/index.ts";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import { readTree } from "../rig/file-tree.ts";
import { blockFinished, blockPaused, creation, owner, runStarted, someEvents } from "./sample-events.ts";
import { scratchDirectory } from "./scratch-directory.ts";
import { openFile, replaceEvent } from "./sqlite-file.ts";

/** A state directory in which a journal has been. */
async function usedDirectory(): Promise<string> {
  const directory = scratchDirectory();
  const journal = await openSqliteJournal(directory);
  await journal.create(creation("r"));
  await journal.append("r", 1, someEvents(500));
  await journal.close();
  for (const leftover of ["frond.db-wal", "frond.db-shm"]) rmSync(join(directory, leftover), { force: true });
  return directory;
}

async function refusalOf(attempt: Promise<unknown>): Promise<JournalError> {
  const failure = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(failure instanceof JournalError)) throw new Error(`Not refused, but ${failure}`);
  expect(failure.message).toMatch(/^.*\.$/);
  return failure;
}

/** Reads everything, since damage may lie in the midst. */
async function openAndRead(directory: string): Promise<void> {
  const journal = await openSqliteJournal(directory);
  try {
    await journal.list({});
    await journal.read("r");
  } finally {
    await journal.close();
  }
}

const damages: Record<string, (file: string) => void> = {
  "is no database": (file) => writeFileSync(file, "garbage ".repeat(10_000)),
  "begins with garbage": (file) =>
    writeFileSync(file, Buffer.concat([Buffer.alloc(4096, 7), readFileSync(file).subarray(4096)])),
  "has garbage in the midst": (file) => {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xaa, 4096, bytes.length - 4096));
  },
  "was cut": (file) => truncateSync(file, Math.floor(statSync(file).size / 2) + 100),
};

test.each(Object.entries(damages))("a file that %s is refused in one line and left as it is", async (_, damage) => {
  const directory = await usedDirectory();
  const file = join(directory, "frond.db");
  renameSync(file, `${file}.good`);
  writeFileSync(file, readFileSync(`${file}.good`));
  damage(file);
  const before = readFileSync(file);
  const { code, message } = await refusalOf(openAndRead(directory));
  expect(code).toBe("corrupt");
  expect(message).toBe(
    `${file} is damaged, or not a journal of Frond. Restore it from a copy, or move it away to begin with an empty one.`,
  );
  expect(readFileSync(file).equals(before)).toBe(true);
  renameSync(`${file}.good`, file);
  await openAndRead(directory);
});

test("a journal of a newer version is refused and left as it is", async () => {
  const directory = await usedDirectory();
  const change = openFile(directory);
  change.exec("PRAGMA user_version = 9999; PRAGMA wal_checkpoint(TRUNCATE)");
  change.close();
  const { code, message } = await refusalOf(openSqliteJournal(directory));
  expect(code).toBe("newer");
  expect(message).toBe(
    `${join(directory, "frond.db")} was written by a newer version of Frond. Update Frond, or choose another state directory with FROND_STATE_DIR.`,
  );
  const back = openFile(directory);
  expect(back.prepare("PRAGMA user_version").get()).toMatchObject({ user_version: 9999 });
  back.exec(`PRAGMA user_version = ${newestVersion(schema)}`);
  back.close();
  await openAndRead(directory);
});

test("a process that is older than the journal has become writes nothing more", async () => {
  const directory = await usedDirectory();
  const journal = await openSqliteJournal(directory);
  const newer = openFile(directory);
  newer.exec("PRAGMA user_version = 9999");
  expect(await refusalOf(journal.append("r", 1, someEvents(1)))).toMatchObject({ code: "newer" });
  newer.exec(`PRAGMA user_version = ${newestVersion(schema)}`);
  newer.close();
  expect(await journal.read("r")).toHaveLength(501);
  expect(await journal.append("r", 1, someEvents(1))).toBe(true);
  await journal.close();
});

test("a directory where the file should be is refused", async () => {
  const directory = scratchDirectory();
  mkdirSync(join(directory, "frond.db"));
  const { code, message } = await refusalOf(openSqliteJournal(directory));
  expect([code, message]).toEqual([
    "unusable",
    `${join(directory, "frond.db")} is not a file. Move it away, or choose another state directory with FROND_STATE_DIR.`,
  ]);
  rmSync(join(directory, "frond.db"), { recursive: true });
  await openAndRead(directory);
});

test("a file where the directory should be is refused", async () => {
  const place = join(scratchDirectory(), "state");
  writeFileSync(place, "");
  expect(await refusalOf(openSqliteJournal(place))).toMatchObject({ code: "unusable" });
});

test("a state directory is for its owner alone", async () => {
  const directory = join(scratchDirectory(), "deep", "state");
  await openAndRead(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  chmodSync(directory, 0o755);
  await openAndRead(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("everything in it is for its owner alone too, also what an earlier version left readable", async () => {
  const directory = join(scratchDirectory(), "state");
  const files = ["frond.db", "frond.db-wal", "frond.db-shm"];
  const modes = (): number[] => files.map((file) => statSync(join(directory, file)).mode & 0o777);
  const umask = process.umask(0o000);
  try {
    for (const wanted of ["made", "found"]) {
      const journal = await openSqliteJournal(directory);
      await journal.create(creation(wanted));
      expect(modes(), wanted).toEqual([0o600, 0o600, 0o600]);
      await journal.close();
      chmodSync(join(directory, "frond.db"), 0o644);
    }
  } finally {
    process.umask(umask);
  }
});

test("a symbolic link is not followed to a state directory", async () => {
  const directory = scratchDirectory();
  symlinkSync(await usedDirectory(), join(directory, "link"));
  const { code, message } = await refusalOf(openSqliteJournal(join(directory, "link")));
  expect([code, message]).toEqual([
    "unusable",
    expect.stringContaining("is a symbolic link, which is not followed. Choose"),
  ]);
});

test.runIf(process.getuid?.() === 0)("a state directory of another user is not used", async () => {
  const directory = await usedDirectory();
  chownSync(directory, 54_321, 54_321);
  const before = readTree(directory);
  const { code, message } = await refusalOf(openSqliteJournal(directory));
  expect([code, message]).toEqual([
    "unusable",
    expect.stringContaining(`${directory} belongs to another user. Choose`),
  ]);
  expect(readTree(directory)).toEqual(before);
});

for (const [how, replace] of [
  ["removed", (directory: string) => rmSync(directory, { recursive: true })],
  ["replaced by another", (directory: string, other: string) => moveAway(directory, other)],
] as const) {
  test(`a journal that is ${how} while it is in use makes no more promises, and says so`, async () => {
    const directory = await usedDirectory();
    let tellings = 0;
    const onRemoved = (): void => {
      tellings += 1;
    };
    const journal = await openSqliteJournal(directory, { onRemoved });
    replace(directory, await usedDirectory());
    const file = join(directory, "frond.db");
    for (const attempt of [() => journal.append("r", 1, someEvents(1)), () => journal.list({})]) {
      expect(await refusalOf(attempt())).toMatchObject({
        code: "removed",
        message: `${file} has been removed or replaced while it was in use. Try again, with what is there now.`,
      });
    }
    expect(tellings).toBe(2);
    await journal.close();
    await openAndRead(directory);
  });
}

function moveAway(directory: string, other: string): void {
  renameSync(directory, join(scratchDirectory(), "old"));
  renameSync(other, directory);
}

test("stored content that is missing or no event is damage of that run, and every other run is listed and read", async () => {
  const directory = await usedDirectory();
  const journal = await openSqliteJournal(directory);
  const large = { text: "x".repeat(100_000) };
  await journal.append("r", 1, [blockFinished("large", { outputs: large })]);
  const change = openFile(directory);
  change.exec("DELETE FROM blobs");
  expect(await refusalOf(journal.read("r"))).toMatchObject({ code: "damaged-run" });
  for (const body of ["{", "null", "{}"]) {
    replaceEvent(change, 1, body, "r");
    const message = `Event 1 of r is damaged in ${join(directory, "frond.db")}.`;
    expect(await refusalOf(journal.read("r"))).toMatchObject({ code: "damaged-run", message });
  }
  await journal.create({ events: [runStarted("asks"), blockPaused("a"), blockPaused("b")], owner });
  await journal.create({ events: [runStarted("sound"), blockPaused("a")], owner });
  replaceEvent(change, 2, "{", "asks");
  expect((await journal.list({})).map(({ runId, questions, damage }) => [runId, questions.length, damage])).toEqual([
    ["sound", 1, undefined],
    ["asks", 1, "Event 2, a question, is damaged."],
    ["r", 0, undefined],
  ]);
  expect(await journal.read("sound")).toHaveLength(2);
  change.close();
  await journal.close();
});

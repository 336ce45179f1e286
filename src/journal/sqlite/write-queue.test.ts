import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, type Prepare, prepareOnce, SqliteFailure } from "./driver.ts";
import { explainFailure } from "./explain-failure.ts";
import { loadDriver } from "./load-driver.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { WriteQueue } from "./write-queue.ts";

let directory: string;
let database: Database;
let sql: Prepare;
let queue: WriteQueue;
let commits: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "frond-queue-"));
  database = loadDriver()(join(directory, "test.db"));
  database.exec("CREATE TABLE lines (text TEXT NOT NULL)");
  sql = prepareOnce(database);
  commits = 0;
  queue = new WriteQueue(sql, {
    checkFile: () => {},
    checkVersion: () => {},
    explain: (failure) => explainFailure(failure, "/state/frond.db"),
    onCommit: () => commits++,
  });
});

afterEach(() => {
  database.close();
  rmSync(directory, { recursive: true });
});

const write = (text: string | null): Promise<number> =>
  queue.add({ what: ["line"], apply: () => sql("INSERT INTO lines VALUES (?)").run(text).lastRowId });

const lines = (): unknown[] =>
  sql("SELECT text FROM lines ORDER BY rowid")
    .all()
    .map(({ text }) => text);

test("a full disk refuses all of a transaction, none of it is done, and it can be repeated", async () => {
  await write("before");
  database.exec("PRAGMA max_page_count = 20");
  const results = await Promise.allSettled([write("a"), write("large ".repeat(50_000)), write("b")]);
  const refusal = {
    status: "rejected",
    reason: expect.objectContaining({
      name: "JournalError",
      code: "full",
      message: expect.stringContaining("/state/frond.db"),
    }),
  };
  expect(results).toEqual([refusal, refusal, refusal]);
  expect(lines()).toEqual(["before"]);
  database.exec("PRAGMA max_page_count = 1000000");
  await Promise.all([write("a"), write("b")]);
  expect(lines()).toEqual(["before", "a", "b"]);
});

test("a write that is at fault fails alone, and the order of the others stays", async () => {
  const results = await Promise.allSettled([
    write("a"),
    write(null),
    queue.add({
      what: ["fault"],
      apply: () => {
        sql("INSERT INTO lines VALUES ('half')").run();
        throw new Error("a bug");
      },
    }),
    write("b"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(results[2]).toMatchObject({ reason: { message: "a bug" } });
  expect(lines()).toEqual(["a", "b"]);
  expect(commits).toBe(1);
});

test("nobody is answered before it is durable", async () => {
  const order: string[] = [];
  queue = new WriteQueue(sql, {
    checkFile: () => {},
    checkVersion: () => {},
    explain: (failure) => failure,
    onCommit: () => {},
    onWrite: (point) => order.push(point),
  });
  await Promise.all([write("a").then(() => order.push("a")), write("b").then(() => order.push("b"))]);
  expect(order).toEqual(["before-begin", "before-commit", "after-commit", "a", "b"]);
});

test("idle means that everything asked for has been answered, refused or not", async () => {
  const answered: string[] = [];
  void write("a").then(() => answered.push("a"));
  write(null).catch(() => answered.push("refused"));
  await queue.idle();
  expect(answered.sort()).toEqual(["a", "refused"]);
});

test("waiting for other processes ends in one clear line", async () => {
  const busy = () => {
    throw new SqliteFailure(5, "database is locked", undefined);
  };
  const failure = await retryWhileBusy(busy, 20).catch((reason: unknown) => explainFailure(reason, "/state/frond.db"));
  expect(failure).toMatchObject({
    code: "busy",
    message: "Another process keeps /state/frond.db locked. Try again when it has finished.",
  });
});

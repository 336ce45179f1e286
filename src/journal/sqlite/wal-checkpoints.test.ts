import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, prepareOnce, SqliteFailure } from "./driver.ts";
import { loadDriver } from "./load-driver.ts";
import { openDatabase } from "./open-database.ts";
import { WalCheckpoints } from "./wal-checkpoints.ts";

let directory: string;
let file: string;
let database: Database;
let other: Database;
let walCheckpoints: WalCheckpoints;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "frond-checkpoints-"));
  file = join(directory, "frond.db");
  const opened = await openDatabase(file);
  database = opened.database;
  walCheckpoints = new WalCheckpoints(prepareOnce(database), opened.openAgain);
  walCheckpoints.run();
  other = loadDriver()(file);
});

afterEach(() => {
  walCheckpoints.close();
  database.close();
  other.close();
  rmSync(directory, { recursive: true });
});

const fileSize = (): number => statSync(file).size;

function writeSomething(): void {
  database.exec("CREATE TABLE large AS SELECT randomblob(100000) AS content");
}

test("SQLite makes no WAL checkpoints by itself", () => {
  expect(database.prepare("PRAGMA wal_autocheckpoint").get()).toMatchObject({ wal_autocheckpoint: 0 });
  const before = fileSize();
  for (let round = 0; round < 3; round++) {
    database.exec("CREATE TABLE large AS SELECT randomblob(5000000) AS content; DROP TABLE large");
  }
  expect(fileSize()).toBe(before);
});

test("nothing is copied while somebody else writes", () => {
  writeSomething();
  const before = fileSize();
  other.exec("BEGIN IMMEDIATE");
  expect(() => walCheckpoints.run()).toThrow(SqliteFailure);
  walCheckpoints.tryNow();
  expect(fileSize()).toBe(before);
  other.exec("COMMIT");
  walCheckpoints.run();
  expect(fileSize()).toBeGreaterThan(before + 90_000);
});

test("nobody is kept from writing afterwards", () => {
  walCheckpoints.run();
  other.exec("BEGIN IMMEDIATE; ROLLBACK");
  database.exec("BEGIN IMMEDIATE; ROLLBACK");
});

test.each([
  { after: "many commits", bytes: 0, commits: 250 },
  { after: "a large one", bytes: 5_000_000, commits: 1 },
])("it is copied after $after, and not before", ({ bytes, commits }) => {
  writeSomething();
  const before = fileSize();
  for (let commit = 1; commit < commits; commit++) walCheckpoints.count(bytes);
  expect(fileSize()).toBe(before);
  walCheckpoints.count(bytes);
  expect(fileSize()).toBeGreaterThan(before);
});

import { join } from "node:path";
import { expect } from "vitest";
import type { Database } from "../../src/journal/sqlite/driver.ts";
import { loadDriver } from "../../src/journal/sqlite/load-driver.ts";

/** The database of a journal, past the journal. */
export function openFile(directory: string): Database {
  return loadDriver()(join(directory, "frond.db"));
}

/** SQLite finds nothing wrong, and what the tables say of each other is so. */
export function checkIntegrity(directory: string): void {
  const database = openFile(directory);
  const rows = (sql: string): unknown[] =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0]);
  expect(rows("PRAGMA integrity_check")).toEqual(["ok"]);
  expect(
    rows(
      `SELECT run_id FROM runs WHERE sequence <> (SELECT count(*) FROM events WHERE run = number)
       OR sequence <> (SELECT max(sequence) FROM events WHERE run = number)
       OR questions <> (SELECT count(*) FROM questions WHERE run = number)`,
    ),
  ).toEqual([]);
  expect(rows("SELECT run FROM events WHERE run NOT IN (SELECT number FROM runs)")).toEqual([]);
  expect(rows("SELECT hash FROM blobs WHERE hash NOT IN (SELECT hash FROM blob_uses)")).toEqual([]);
  expect(rows("SELECT hash FROM blob_uses WHERE hash NOT IN (SELECT hash FROM blobs)")).toEqual([]);
  database.close();
}

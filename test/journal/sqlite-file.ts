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
      `SELECT run_id FROM runs WHERE questions <> (SELECT count(*) FROM questions WHERE run = number)
       OR (status <> 'running' AND sequence <> (SELECT max(last) FROM commits WHERE run = number))
       OR (SELECT max(last) FROM commits WHERE run = number) <> (
         SELECT sum(length(bodies) - length(replace(bodies, char(10), '')) + 1) FROM commits WHERE run = number)`,
    ),
  ).toEqual([]);
  expect(rows("SELECT run FROM commits WHERE run NOT IN (SELECT number FROM runs)")).toEqual([]);
  expect(rows("SELECT hash FROM blobs WHERE hash NOT IN (SELECT hash FROM blob_uses)")).toEqual([]);
  expect(rows("SELECT hash FROM blob_uses WHERE hash NOT IN (SELECT hash FROM blobs)")).toEqual([]);
  database.close();
}

interface StoredRow {
  readonly run: number;
  readonly last: number;
  readonly bodies: string;
}

/** Puts another text in the place of an event, of one run or of all. */
export function replaceEvent(database: Database, sequence: number, body: string, runId?: string): void {
  const select = "SELECT run, last, bodies FROM commits WHERE ? IN ('', (SELECT run_id FROM runs WHERE number = run))";
  const rows = database.prepare(select).all(runId ?? "") as readonly unknown[] as readonly StoredRow[];
  for (const { run, last, bodies } of rows) {
    const lines = bodies.split("\n");
    const index = sequence - 1 - (last - lines.length);
    if (index < 0 || index >= lines.length) continue;
    lines[index] = body;
    database.prepare("UPDATE commits SET bodies = ? WHERE run = ? AND last = ?").run(lines.join("\n"), run, last);
  }
}

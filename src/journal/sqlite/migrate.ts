import { JournalError } from "../journal.ts";
import { type Database, type Prepare, prepareOnce, rollBack } from "./driver.ts";
import { migrations } from "./migrations/index.ts";

/** Brings a database to the version this program knows, in one transaction: so it is never between two versions. */
export function migrate(database: Database, file: string): void {
  const sql = prepareOnce(database);
  if (isCurrent(sql, file)) return;
  database.exec("BEGIN EXCLUSIVE");
  try {
    // Again, because another process may have done it in the meantime.
    if (!isCurrent(sql, file)) {
      for (const migration of migrations.slice(versionOf(sql))) database.exec(migration);
      database.exec(`PRAGMA user_version = ${migrations.length}`);
    }
    database.exec("COMMIT");
  } catch (failure) {
    rollBack(sql);
    throw failure;
  }
}

/** Throws when a newer program has changed the database since it was opened. */
export function requireCurrentVersion(sql: Prepare, file: string): void {
  isCurrent(sql, file);
}

function isCurrent(sql: Prepare, file: string): boolean {
  const version = versionOf(sql);
  if (version <= migrations.length) return version === migrations.length;
  const advice = "Update Frond, or choose another state directory with FROND_STATE_DIR.";
  throw new JournalError("newer", `${file} was written by a newer version of Frond. ${advice}`);
}

function versionOf(sql: Prepare): number {
  return Number(sql("PRAGMA user_version").get()?.user_version);
}

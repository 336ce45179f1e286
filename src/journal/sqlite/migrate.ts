import { missingMigrations, newestVersion, requireKnown, type Schema } from "../schema.ts";
import { type Database, type Prepare, prepareOnce, rollBack } from "./driver.ts";
import { schema } from "./migrations/index.ts";

const ways = {
  elsewhere: "choose another state directory with FROND_STATE_DIR",
  without: "Move it away to begin with an empty one",
};

/** Brings a database to the version this program knows, in one transaction: so it is never between two versions. */
export function migrate(database: Database, file: string, to: Schema = schema): void {
  const sql = prepareOnce(database);
  if (requireKnownVersion(sql, file, to) === newestVersion(to)) return;
  database.exec("BEGIN EXCLUSIVE");
  try {
    // Again, because another process may have done it in the meantime.
    for (const { version, text } of missingMigrations(to, requireKnownVersion(sql, file, to))) {
      database.exec(text);
      database.exec(`PRAGMA user_version = ${version}`);
    }
    database.exec("COMMIT");
  } catch (failure) {
    rollBack(sql);
    throw failure;
  }
}

/** The version of a database; throws when it is one that this program does not know. */
export function requireKnownVersion(sql: Prepare, file: string, to: Schema = schema): number {
  const version = Number(sql("PRAGMA user_version").get()?.user_version);
  requireKnown(to, version, file, ways);
  return version;
}

import { JournalError } from "../journal.ts";
import { isMissing } from "./failures.ts";
import { migrations } from "./migrations/index.ts";
import type { PgClient } from "./pg.ts";

/** The number of the newest version, which the database is told at every write. */
export const version: number = migrations.length;

/** Held by whoever changes the tables. */
const migrationLock = "7018141379438440548";

/** Brings a database to the version this program knows, in one transaction: so it is never between two versions. */
export async function migrate(client: PgClient, place: string): Promise<void> {
  if ((await requireKnownVersion(client, place)) === version) return;
  await client.query(`SELECT pg_advisory_lock(${migrationLock})`);
  try {
    // Again, because another process may have done it in the meantime.
    const found = await requireKnownVersion(client, place);
    const begin = `
      CREATE SCHEMA IF NOT EXISTS frond;
      CREATE TABLE frond.migrations (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());`;
    const steps = migrations.map(
      (text, index) => `${text}\nINSERT INTO frond.migrations (version) VALUES (${index + 1});`,
    );
    const missing = [...(found === 0 ? [begin] : []), ...steps.slice(found)];
    // Several statements that are sent together are one transaction.
    if (found < version) await client.query(missing.join("\n"));
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${migrationLock})`).catch(() => {});
  }
}

/** 0 when there is no journal yet. */
export async function requireKnownVersion(client: PgClient, place: string): Promise<number> {
  const found = await findVersion(client);
  if (found > version) throw newer(place);
  return found;
}

async function findVersion(client: PgClient): Promise<number> {
  try {
    const { rows } = await client.query("SELECT max(version) AS version FROM frond.migrations");
    return Number(rows[0]?.version ?? 0);
  } catch (failure) {
    if (isMissing(failure)) return 0;
    throw failure;
  }
}

export function newer(place: string, cause?: unknown): JournalError {
  const advice = "Update Frond, or choose another database with FROND_DATABASE_URL.";
  return new JournalError("newer", `${place} was written by a newer version of Frond. ${advice}`, cause);
}

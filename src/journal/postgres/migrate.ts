import { missingMigrations, newestVersion, requireKnown, type Schema } from "../schema.ts";
import { isMissing } from "./failures.ts";
import { schema } from "./migrations/index.ts";
import type { PgClient } from "./pg.ts";

/** The number of the newest version, which the database is told at every write. */
export const version: number = newestVersion(schema);

export const waysOut = {
  elsewhere: "choose another database with FROND_DATABASE_URL",
  without: "Take it away with DROP SCHEMA frond CASCADE",
};

/** Held by whoever changes the tables. */
const migrationLock = "7018141379438440548";

/** Brings a database to the version this program knows, in one transaction: so it is never between two versions. */
export async function migrate(client: PgClient, place: string, to: Schema = schema): Promise<void> {
  if ((await requireKnownVersion(client, place, to)) === newestVersion(to)) return;
  await client.query(`SELECT pg_advisory_lock(${migrationLock})`);
  try {
    // Again, because another process may have done it in the meantime.
    const found = await requireKnownVersion(client, place, to);
    const begin = `
      CREATE SCHEMA IF NOT EXISTS frond;
      CREATE TABLE frond.migrations (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());`;
    const steps = missingMigrations(to, found).map(
      (step) => `${step.text}\nINSERT INTO frond.migrations (version) VALUES (${step.version});`,
    );
    // Several statements that are sent together are one transaction.
    if (steps.length > 0) await client.query([...(found === 0 ? [begin] : []), ...steps].join("\n"));
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${migrationLock})`).catch(() => {});
  }
}

/** 0 when there is no journal yet. */
export async function requireKnownVersion(client: PgClient, place: string, to: Schema = schema): Promise<number> {
  const found = await findVersion(client);
  requireKnown(to, found, place, waysOut);
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

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Journal } from "../../src/journal/journal.ts";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import { createDatabaseStorage } from "../../src/open-database.ts";
import { openFile, replaceEvent } from "../journal/sqlite-file.ts";
import type { Frond } from "./frond.ts";
import { withClient } from "./postgres.ts";

/** Whose journal is meant: in its state directory, unless its environment names a database (`npm run on-postgres`). */
type Journaled = Pick<Frond, "state" | "env">;

/** The journal that a command line uses, past it. */
export function openJournal({ state, env }: Journaled): Promise<Journal> {
  const url = env.FROND_DATABASE_URL;
  return url === undefined ? openSqliteJournal(state) : createDatabaseStorage(url, env, true).open();
}

export async function hasJournal({ state, env }: Journaled): Promise<boolean> {
  const url = env.FROND_DATABASE_URL;
  if (url === undefined) return existsSync(join(state, "frond.db"));
  const { rows } = await withClient(url, (client) => client.query("SELECT to_regclass('frond.runs') AS found"));
  return rows[0]?.found !== null;
}

/** What messages call it. */
export function nameOfJournal({ state, env }: Journaled): string {
  if (env.FROND_DATABASE_URL === undefined) return join(state, "frond.db");
  const { host, pathname } = new URL(env.FROND_DATABASE_URL);
  return `PostgreSQL ${host}${pathname}`;
}

/** An event can't be read any more, of one run or of all. */
export async function damageEvent({ state, env }: Journaled, sequence: number, runId = ""): Promise<void> {
  const url = env.FROND_DATABASE_URL;
  if (url !== undefined) {
    const text = `UPDATE frond.events SET body = '{' WHERE sequence = $1
      AND ($2 = '' OR run = (SELECT number FROM frond.runs WHERE run_id = $2))`;
    await withClient(url, (client) => client.query({ text, values: [sequence, runId] }));
    return;
  }
  const database = openFile(state);
  replaceEvent(database, sequence, "{", runId);
  database.close();
}

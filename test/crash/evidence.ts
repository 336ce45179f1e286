import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../src/engine/events.ts";
import type { PostedRequest, RunSummary } from "../../src/journal/journal.ts";
import { loadDriver } from "../../src/journal/sqlite/load-driver.ts";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import type { EffectLine } from "./effect.ts";

/** Where a case lives. */
export interface CasePlace {
  readonly state: string;
  readonly workspace: string;
  readonly ledger: string;
  /** For copies to look at. */
  readonly morgue: string;
}

export function makePlace(directory: string): CasePlace {
  const place = {
    state: join(directory, "state"),
    workspace: join(directory, "workspace"),
    ledger: join(directory, "ledger"),
    morgue: join(directory, "morgue"),
  };
  mkdirSync(place.workspace, { recursive: true });
  return place;
}

/** What is left when every process of a case is dead. */
export interface Evidence {
  /** What SQLite finds wrong. */
  readonly damage: string | undefined;
  readonly runs: readonly RunSummary[];
  /** The numbers of all events, of whichever run, in order. */
  readonly sequences: readonly number[];
  readonly events: readonly RunEvent[];
  readonly requests: readonly PostedRequest[];
  readonly ledger: readonly EffectLine[];
}

const nothing: Evidence = { damage: undefined, runs: [], sequences: [], events: [], requests: [], ledger: [] };

/** Looks at copies, so that whoever comes next finds the files as the dead have left them. */
export async function gatherEvidence({ state, ledger: file, morgue }: CasePlace): Promise<Evidence> {
  const ledger = readLedger(file);
  rmSync(morgue, { recursive: true, force: true });
  if (!existsSync(join(state, databaseName))) return { ...nothing, ledger };
  mkdirSync(morgue, { mode: 0o700 });
  for (const name of [databaseName, `${databaseName}-wal`]) {
    if (existsSync(join(state, name))) copyFileSync(join(state, name), join(morgue, name));
  }
  try {
    return { ...(await readJournal(morgue)), ledger };
  } catch (error) {
    return { ...nothing, ledger, damage: error instanceof Error ? error.message : String(error) };
  }
}

async function readJournal(directory: string): Promise<Evidence> {
  const database = loadDriver()(join(directory, databaseName));
  const verdict = database.prepare("PRAGMA integrity_check").get()?.integrity_check;
  const journal = await openSqliteJournal(directory);
  try {
    const runs = await journal.list({});
    const [run] = runs;
    const rows = database.prepare("SELECT sequence FROM events ORDER BY run, sequence").all();
    return {
      ...nothing,
      damage: verdict === "ok" ? undefined : String(verdict),
      runs,
      sequences: rows.map(({ sequence }) => Number(sequence)),
      events: run === undefined ? [] : await journal.read(run.runId),
      requests: run === undefined ? [] : await journal.requests(run.runId),
    };
  } finally {
    await journal.close();
    database.close();
  }
}

const databaseName = "frond.db";

function readLedger(file: string): EffectLine[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as EffectLine);
}

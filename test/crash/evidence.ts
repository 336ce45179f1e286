import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../src/engine/events.ts";
import type { Journal, PostedRequest, RunSummary } from "../../src/journal/journal.ts";
import { createPostgresStorage, type PostgresStorageOptions } from "../../src/journal/postgres/postgres-storage.ts";
import { loadDriver } from "../../src/journal/sqlite/load-driver.ts";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import { ok } from "../../src/util/result.ts";
import { loadPg, withClient } from "../rig/postgres.ts";
import { waitFor } from "../rig/wait-for.ts";
import type { EffectLine } from "./effect.ts";

/** Where a case lives. */
export interface CasePlace {
  readonly state: string;
  readonly database?: string | undefined;
  readonly workspace: string;
  readonly ledger: string;
  /** For copies to look at. */
  readonly morgue: string;
}

export function makePlace(directory: string, database?: string): CasePlace {
  const place = {
    state: join(directory, "state"),
    database,
    workspace: join(directory, "workspace"),
    ledger: join(directory, "ledger"),
    morgue: join(directory, "morgue"),
  };
  mkdirSync(place.workspace, { recursive: true });
  return place;
}

/** What is left when every process of a case is dead. */
export interface Evidence {
  /** What the database finds wrong. */
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
export async function gatherEvidence({ state, database, ledger: file, morgue }: CasePlace): Promise<Evidence> {
  const ledger = readLedger(file);
  if (database !== undefined) return { ...nothing, ...(await readDatabase(database)), ledger };
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

async function readDatabase(url: string): Promise<Partial<Evidence>> {
  const loadedPg = (): ReturnType<PostgresStorageOptions["loadPg"]> => ok({ pg: loadPg(), version: "" });
  const storage = createPostgresStorage(url, { loadPg: loadedPg, patienceMs });
  let sequences: readonly number[] = [];
  await waitFor(
    "the server to be there",
    async () => {
      const { bytes, access } = await storage.examine();
      if (!bytes.ok || !access.ok) return false;
      const read = bytes.value === undefined ? [] : await readSequences(url).catch(() => undefined);
      sequences = read ?? [];
      return read !== undefined;
    },
    patienceMs,
  );
  if (sequences.length === 0) return {};
  const journal = await storage.open();
  try {
    return { ...(await lookInto(journal)), sequences };
  } finally {
    await journal.close();
  }
}

async function readSequences(url: string): Promise<number[]> {
  const { rows } = await withClient(url, (client) =>
    client.query("SELECT sequence FROM frond.events ORDER BY run, sequence"),
  );
  return rows.map(({ sequence }) => Number(sequence));
}

const patienceMs = 25_000;

async function lookInto(journal: Journal): Promise<Pick<Evidence, "runs" | "events" | "requests">> {
  const runs = await journal.list({});
  const [run] = runs;
  return {
    runs,
    events: run === undefined ? [] : await journal.read(run.runId),
    requests: run === undefined ? [] : await journal.requests(run.runId),
  };
}

async function readJournal(directory: string): Promise<Evidence> {
  const database = loadDriver()(join(directory, databaseName));
  const verdict = database.prepare("PRAGMA integrity_check").get()?.integrity_check;
  const journal = await openSqliteJournal(directory);
  try {
    const rows = database.prepare("SELECT last, bodies FROM commits ORDER BY run, last").all();
    return {
      ...nothing,
      damage: verdict === "ok" ? undefined : String(verdict),
      sequences: rows.flatMap(({ last, bodies }) => {
        const count = String(bodies).split("\n").length;
        return Array.from({ length: count }, (_, index) => Number(last) - count + 1 + index);
      }),
      ...(await lookInto(journal)),
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

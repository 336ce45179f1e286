import { JournalError, type JournalStorage } from "./journal/journal.ts";
import { createMemoryJournal } from "./journal/memory/memory-journal.ts";
import type { Pg } from "./journal/postgres/pg.ts";
import { makeStateDirectory } from "./journal/state-directory.ts";
import { checkDatabaseUrl } from "./platform/database-url.ts";
import { loadPackage } from "./platform/load-package.ts";
import type { LogDatabase } from "./platform/shared-logs/log-table.ts";
import { err, ok, type Result } from "./util/result.ts";

const pgPackage = { name: "pg", variable: "FROND_PG", leastVersion: [8, 11] } as const;

/**
 * The journal in the database that an address names; what it needs is loaded when it is first used. Where nothing may be written, a
 * database without a journal is like an empty one.
 */
export function createDatabaseStorage(
  url: string,
  variables: Readonly<Record<string, string | undefined>>,
  leavesTrace: boolean,
): JournalStorage {
  const load = async (): Promise<JournalStorage> => {
    const { createPostgresStorage } = await import("./journal/postgres/postgres-storage.ts");
    return createPostgresStorage(url, { loadPg: () => loadPg(variables) });
  };
  const checked = checkDatabaseUrl(url);
  if (!checked.ok) return createUnusableStorage(checked.error);
  return {
    async open(options) {
      const storage = await load();
      if (leavesTrace) return storage.open(options);
      const { bytes } = await storage.examine();
      return bytes.ok && bytes.value !== undefined ? storage.open(options) : createMemoryJournal();
    },
    examine: async () => (await load()).examine(),
  };
}

/** The same for a process that drives runs: their logs, and what undoing them needs, are in the state directory all the same. */
export function withStateDirectory(directory: string, storage: JournalStorage): JournalStorage {
  return {
    async open(options) {
      makeStateDirectory(directory);
      return storage.open(options);
    },
    examine: () => storage.examine(),
  };
}

/** Of a database that can't even be looked for. Nothing else takes its place: runs would be where nobody looks for them. */
export function createUnusableStorage(why: string): JournalStorage {
  return {
    open: () => Promise.reject(new JournalError("unusable", why)),
    examine: async () => ({ program: err(why), access: err(why), bytes: ok(undefined) }),
  };
}

/** A server that is away is waited for so long by whoever reads a log; what is written is sent later. */
const logPatienceMs = 5000;

/** Connects for the logs in that database: on its own, so that the journal never waits for a large part of one. */
export function logConnector(
  url: string,
  variables: Readonly<Record<string, string | undefined>>,
): () => Promise<LogDatabase> {
  return async () => {
    const { Connection } = await import("./journal/postgres/connection.ts");
    const loaded = loadPg(variables);
    if (!loaded.ok) throw new Error(loaded.error);
    const { explainFailure } = await import("./journal/postgres/explain-failure.ts");
    const connection = new Connection({
      pg: loaded.value.pg,
      url,
      patienceMs: logPatienceMs,
      // What a server that crashes has lost of logs is sent again; what the journal says of an end, it keeps with all that was sent before.
      prepare: async (client) => void (await client.query("SET synchronous_commit = off")),
    });
    const explain = (failure: unknown): never => {
      throw explainFailure(failure, "The database with the logs");
    };
    return {
      query: (query) => connection.query(query).catch(explain),
      read: (query) => connection.read(query).catch(explain),
      close: () => connection.close(),
    };
  };
}

function loadPg(
  variables: Readonly<Record<string, string | undefined>>,
): Result<{ readonly pg: Pg; readonly version: string }, string> {
  const loaded = loadPackage(pgPackage, variables);
  if (!loaded.ok) return err(`FROND_DATABASE_URL is set, but ${loaded.error}.`);
  return ok({ pg: loaded.value.module as Pg, version: loaded.value.version });
}

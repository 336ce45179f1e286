import { err, ok, type Result } from "../../util/result.ts";
import { JournalError, type JournalExamination, type JournalStorage } from "../journal.ts";
import { examineAccess } from "./examine-access.ts";
import { examineServer } from "./examine-server.ts";
import { explainFailure } from "./explain-failure.ts";
import { requireKnownVersion, version } from "./migrate.ts";
import type { Pg, PgClient } from "./pg.ts";
import { openPostgresJournal, type Place, type PostgresJournalOptions } from "./postgres-journal.ts";

export interface PostgresStorageOptions extends PostgresJournalOptions {
  /** The package pg; or why there is none, as a sentence. */
  readonly loadPg: () => Result<{ readonly pg: Pg; readonly version: string }, string>;
}

/** The journal in a database of PostgreSQL. */
export function createPostgresStorage(url: string, { loadPg, ...options }: PostgresStorageOptions): JournalStorage {
  return {
    async open(asked) {
      const loaded = loadPg();
      if (!loaded.ok) throw new JournalError("unusable", loaded.error);
      return openPostgresJournal(placeOf(url, loaded.value.pg), { ...options, ...asked });
    },
    async examine() {
      const loaded = loadPg();
      if (!loaded.ok) return examinedNothing(loaded.error);
      const place = placeOf(url, loaded.value.pg);
      try {
        return await examineDatabase(place, `pg ${loaded.value.version}`);
      } catch (failure) {
        const explained = explainFailure(failure, place.name);
        if (explained instanceof JournalError) return examinedNothing(explained.message);
        throw failure;
      }
    },
  };
}

function examinedNothing(reason: string): JournalExamination {
  return { program: err(reason), access: err(reason), bytes: ok(undefined) };
}

async function examineDatabase(place: Place, from: string): Promise<JournalExamination> {
  const client = new place.pg.Client({
    connectionString: place.url,
    application_name: "frond",
    connectionTimeoutMillis: 10_000,
  });
  // It is told by what is asked.
  client.on("error", () => {});
  try {
    await client.connect();
    return await lookAt(client, place, from);
  } finally {
    await client.end().catch(() => {});
  }
}

async function lookAt(client: PgClient, place: Place, from: string): Promise<JournalExamination> {
  const { rows } = await client.query("SELECT current_setting('server_version') AS version");
  const programVersion = String(rows[0]?.version).split(" ")[0] ?? "";
  const program = ok({ name: "PostgreSQL", version: programVersion, from });
  const found = await requireKnownVersion(client, place.name);
  const server = await examineServer(client, place.name, { found, known: version });
  const access = await examineAccess(client, place.name, found);
  if (found === 0) return { program, access, bytes: ok(undefined), server };
  const { rows: sizes } = await client.query(
    `SELECT sum(pg_total_relation_size(pg_class.oid)) AS bytes FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = 'frond' AND relkind = 'r'`,
  );
  return { program, access, bytes: ok(Number(sizes[0]?.bytes)), server };
}

/** What messages may say of an address: nothing of the password, nor of what may be one in an address that is none. */
function placeOf(url: string, pg: Pg): Place {
  return { pg, url, name: nameOf(url) };
}

function nameOf(url: string): string {
  try {
    const { host, pathname, searchParams } = new URL(url);
    const server = host === "" ? (searchParams.get("host") ?? "") : host;
    return `PostgreSQL ${server}${decodeURIComponent(pathname)}`;
  } catch {
    return "PostgreSQL";
  }
}

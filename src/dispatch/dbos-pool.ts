import type { Connection, Dbos, DbosClient, DbosLogger, Pool } from "./dbos.ts";

/** The tables of DBOS, apart from those of others who use it in the same database. */
export const schema = "frond_dispatch";
export const application = "frond";
/** Of what a row tells a worker: workers leave rows of other versions alone. */
export const rowVersion = "1";
/** The name under which workers know what they do with a row. */
export const workflowName = "segment";

/** What this process uses of DBOS, with its connections. */
export interface Opened {
  readonly dbos: Dbos;
  readonly pool: Pool;
  readonly client: DbosClient;
  readonly url: string;
  readonly logger: DbosLogger;
}

/** Of one process: a turn or a limit, a poll, and ends of segments. */
const mostConnections = 4;

export async function openClient(dbos: Dbos, url: string, name: string, logger: DbosLogger): Promise<Opened> {
  const pool = new dbos.Pool({
    connectionString: url,
    application_name: name,
    max: mostConnections,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // Whoever uses a connection hears of it by what it asks.
  pool.on("error", (failure) => logger.debug(failure.message));
  const client = await dbos.DBOSClient.create({
    systemDatabaseUrl: url,
    systemDatabasePool: pool,
    systemDatabaseSchemaName: schema,
    applicationName: application,
    logger,
  });
  return { dbos, pool, client, url, logger };
}

/** A connection for the time of an action; one that failed is not used again, because nobody knows what it holds. */
export async function withConnection<T>(pool: Pool, action: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await pool.connect();
  try {
    const result = await action(connection);
    connection.release();
    return result;
  } catch (error) {
    connection.release(true);
    throw error;
  }
}

/** Whether it says that no worker has ever been started on this database, or that the first one is just making its tables. */
export function isUnprepared(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === "42P01" || code === "42703" || code === "3F000";
}

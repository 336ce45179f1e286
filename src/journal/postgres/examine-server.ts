import type { ServerExamination } from "../journal.ts";
import type { PgClient } from "./pg.ts";

/** The fastest of a few tells what the way costs; the others may have waited for something else. */
const looks = 5;

/** How workers call their connections; see `openClient` of the dispatch. */
const workerConnection = "frond-worker ";

/** What a person should know of the server that a journal is kept on; nothing is changed for it. */
export async function examineServer(
  client: PgClient,
  name: string,
  schema: ServerExamination["schema"],
): Promise<ServerExamination> {
  let [roundTripMs, clockAheadMs] = [Number.POSITIVE_INFINITY, 0];
  for (let look = 0; look < looks; look += 1) {
    const from = performance.now();
    const { rows } = await client.query("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now");
    const took = performance.now() - from;
    if (took >= roundTripMs) continue;
    roundTripMs = took;
    // The server looked at its clock about half-way.
    clockAheadMs = Date.now() - took / 2 - Number(rows[0]?.now);
  }
  return {
    name,
    schema,
    roundTripMs,
    clockAheadMs,
    connections: await findConnections(client),
    workers: await findWorkers(client),
  };
}

type Limited = ServerExamination["connections"]["of"];

/** Of all limits that a connection of this user has to keep, the one that is closest. Those of users and databases are not for superusers. */
async function findConnections(client: PgClient): Promise<ServerExamination["connections"]> {
  const { rows } = await client.query(
    `WITH used AS (
       SELECT count(*) AS all_used, count(*) FILTER (WHERE datname = current_database()) AS by_database,
         count(*) FILTER (WHERE usename = current_user) AS by_user
       FROM pg_stat_activity WHERE backend_type = 'client backend'
     ), reserved AS (
       SELECT coalesce(sum(setting::integer), 0) AS kept FROM pg_settings
       WHERE name IN ('superuser_reserved_connections', 'reserved_connections')
     )
     SELECT 'server' AS of, all_used AS used, current_setting('max_connections')::integer - kept AS most FROM used, reserved
     UNION ALL SELECT 'database', by_database, datconnlimit FROM used, pg_database
       WHERE datname = current_database() AND datconnlimit >= 0 AND current_setting('is_superuser') = 'off'
     UNION ALL SELECT 'user', by_user, rolconnlimit FROM used, pg_roles
       WHERE rolname = current_user AND rolconnlimit >= 0 AND current_setting('is_superuser') = 'off'
`,
  );
  const all = rows.map(({ of, used, most }) => ({ of: of as Limited, used: Number(used), most: Number(most) }));
  return all.reduce((one, other) => (other.most - other.used < one.most - one.used ? other : one));
}

/** A worker polls several times a second, so one that asks nothing for longer is stopped, or cut off without anybody having noticed. */
async function findWorkers(client: PgClient): Promise<ServerExamination["workers"]> {
  const { rows } = await client.query(
    `SELECT application_name AS name, extract(epoch FROM clock_timestamp() - max(greatest(query_start, state_change, backend_start))) * 1000 AS silent
     FROM pg_stat_activity WHERE starts_with(application_name, '${workerConnection}') AND datname = current_database()
     GROUP BY application_name ORDER BY application_name`,
  );
  return rows.map(({ name, silent }) => ({
    name: String(name).slice(workerConnection.length),
    silentMs: Math.max(0, Number(silent)),
  }));
}

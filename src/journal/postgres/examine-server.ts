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
  const { rows } = await client.query(
    `SELECT count(*) FILTER (WHERE backend_type = 'client backend') AS used,
       count(DISTINCT application_name) FILTER (WHERE starts_with(application_name, '${workerConnection}')
         AND datname = current_database()) AS workers,
       current_setting('max_connections')::integer AS most
     FROM pg_stat_activity`,
  );
  const [activity] = rows;
  return {
    name,
    schema,
    roundTripMs,
    clockAheadMs,
    connections: { used: Number(activity?.used), most: Number(activity?.most) },
    workers: Number(activity?.workers),
  };
}

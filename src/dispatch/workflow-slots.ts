import type { Segment } from "../runs/dispatch.ts";
import type { Pool } from "./dbos.ts";
import { schema, withConnection } from "./dbos-pool.ts";
import { idOf } from "./segment-rows.ts";

/**
 * The segments that are driven of workflows which may have only so many. One counts as long as its row is taken, so the slot of a worker
 * that is gone is free when its row is dropped or put back, whether or not anybody has released it.
 */
export const slotsTable: string = `CREATE TABLE IF NOT EXISTS ${schema}.frond_slots (id text PRIMARY KEY, workflow text NOT NULL)`;

const isTaken = `EXISTS (SELECT FROM ${schema}.workflow_status row WHERE row.workflow_uuid = slot.id AND row.status = 'PENDING')`;

/** One at a time among all workers, so that none counts what another is about to add. */
export function acquireSlot(pool: Pool, segment: Segment, limit: number): Promise<boolean> {
  const [id, { workflow }] = [idOf(segment), segment];
  return withConnection(pool, async (connection) => {
    await connection.query("BEGIN");
    await connection.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`frond concurrency ${workflow}`]);
    await connection.query(`DELETE FROM ${schema}.frond_slots slot WHERE workflow = $1 AND NOT ${isTaken}`, [workflow]);
    const { rows } = await connection.query(
      `INSERT INTO ${schema}.frond_slots (id, workflow)
       SELECT $1, $2 WHERE (SELECT count(*) FROM ${schema}.frond_slots WHERE workflow = $2 AND id <> $1) < $3
       ON CONFLICT (id) DO UPDATE SET workflow = excluded.workflow RETURNING id`,
      [id, workflow, limit],
    );
    await connection.query("COMMIT");
    return rows.length > 0;
  });
}

export async function releaseSlot(pool: Pool, segment: Segment): Promise<void> {
  const id = idOf(segment);
  await withConnection(pool, (connection) => connection.query(`DELETE FROM ${schema}.frond_slots WHERE id = $1`, [id]));
}

/** The workflows of those that are driven, by the id of their row. */
export function listSlots(pool: Pool): Promise<ReadonlyMap<string, string>> {
  return withConnection(pool, async (connection) => {
    const { rows } = await connection.query(`SELECT id, workflow FROM ${schema}.frond_slots slot WHERE ${isTaken}`);
    return new Map(rows.map(({ id, workflow }) => [String(id), String(workflow)]));
  });
}

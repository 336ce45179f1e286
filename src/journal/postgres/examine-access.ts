import { err, ok, type Result } from "../../util/result.ts";
import type { PgClient } from "./pg.ts";

/**
 * Whether a journal can be kept in a database by the user who asks, as far as that can be found out without trying; else why not, with what to
 * do. `found` is the version of its tables, 0 for none.
 */
export async function examineAccess(
  client: PgClient,
  place: string,
  found: number,
): Promise<Result<"absent" | "writable", string>> {
  const { rows } = await client.query(
    `SELECT quote_ident(current_user) AS own, quote_ident(current_database()) AS database, pg_is_in_recovery() AS is_standby,
       current_setting('transaction_read_only') = 'on' AS is_read_only,
       has_database_privilege(current_database(), 'CREATE') AS may_create,
       to_regnamespace('frond_dispatch') IS NOT NULL AS has_dispatch`,
  );
  const { own, database, is_standby, is_read_only, may_create, has_dispatch } = rows[0] ?? {};
  const grant = `GRANT CREATE ON DATABASE ${database} TO ${own};`;
  if (is_standby === true) {
    return err(`${place} is a standby, which takes no writes. Name the primary server in FROND_DATABASE_URL.`);
  }
  if (is_read_only === true) {
    return err(
      `${place} is read-only for ${own}: default_transaction_read_only is on. Turn it off (\`ALTER DATABASE ${database} RESET default_transaction_read_only;\`, or the same with ALTER ROLE ${own}), or name another database or user in FROND_DATABASE_URL.`,
    );
  }
  if (found === 0 && may_create !== true) {
    return err(`${own} may not make the tables in ${place}. As its owner, type \`${grant}\`.`);
  }
  if (found > 0 && !(await mayWrite(client))) {
    return err(
      `${own} may read ${place}, and not write to it. Use the user that made the tables, or type \`GRANT\` and the name of that user, \`TO ${own};\`.`,
    );
  }
  if (found > 0 && has_dispatch !== true && may_create !== true) {
    return err(`${own} may not make the tables that workers need in ${place}. As its owner, type \`${grant}\`.`);
  }
  return ok(found === 0 ? "absent" : "writable");
}

const writtenTables = ["runs", "events", "questions", "inbox", "blobs", "blob_uses", "writers", "notes"];

async function mayWrite(client: PgClient): Promise<boolean> {
  const { rows } = await client.query({
    text: `SELECT bool_and(has_table_privilege(format('frond.%I', name), right_asked)) AS may
      FROM unnest($1::text[]) AS name, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE']) AS right_asked`,
    values: [writtenTables],
  });
  return rows[0]?.may === true;
}

import { type Change, type Database, type Row, SqliteFailure, type Statement } from "./driver.ts";

/** The part of `node:sqlite` used here; the types of the oldest supported Node do not know it. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
  ) => { exec(sql: string): void; prepare(sql: string): NodeStatement; close(): void };
}

interface NodeStatement {
  run(...values: readonly unknown[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...values: readonly unknown[]): unknown;
  all(...values: readonly unknown[]): unknown;
}

/** Opens a database with the SQLite that is part of Node; nothing when this Node has none. */
export function loadNodeDriver(): ((path: string) => Database) | undefined {
  const sqlite = loadQuietly();
  return sqlite && ((path) => openDatabase(sqlite, path));
}

/** Without the warning that the module is experimental, which is of no use to those who run workflows. */
function loadQuietly(): NodeSqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...more: never[]) => {
    if (!/^SQLite is an experimental feature/.test(String(warning))) emitWarning(warning, ...more);
  }) as typeof emitWarning;
  try {
    return process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function openDatabase({ DatabaseSync }: NodeSqlite, path: string): Database {
  const database = translate(() => new DatabaseSync(path));
  return {
    exec: (sql) => translate(() => database.exec(sql)),
    prepare: (sql) => wrapStatement(translate(() => database.prepare(sql))),
    close: () => translate(() => database.close()),
  };
}

function wrapStatement(statement: NodeStatement): Statement {
  return {
    run: (...values) =>
      translate((): Change => {
        const { changes, lastInsertRowid } = statement.run(...values);
        return { changes: Number(changes), lastRowId: Number(lastInsertRowid) };
      }),
    get: (...values) => translate(() => statement.get(...values) as Row | undefined),
    all: (...values) => translate(() => statement.all(...values) as readonly Row[]),
  };
}

function translate<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { errcode, message } = error as { readonly errcode?: unknown; readonly message: string };
    throw typeof errcode === "number" ? new SqliteFailure(errcode, message, error) : error;
  }
}

import { createRequire } from "node:module";
import { JournalError } from "../journal.ts";
import { type Change, type Database, type Row, SqliteFailure, type Statement } from "./driver.ts";

type Libsql = typeof import("libsql");
type LibsqlStatement = ReturnType<InstanceType<Libsql>["prepare"]>;

/** Opens a database with the SQLite that the package `libsql` brings, for a Node that has none. */
export function loadLibsqlDriver(): (path: string) => Database {
  const Libsql = load();
  return (path) => openDatabase(Libsql, path);
}

function load(): Libsql {
  try {
    // Not `import()`: the bundle is a script compiled from V8's cache, where that is not to be had.
    return createRequire(import.meta.url)("libsql") as Libsql;
  } catch (error) {
    const reason = (error as Error).message.split("\n")[0];
    const advice = "Use Node 22.13 or newer, which has its own, or install Frond again.";
    throw new JournalError("unusable", `The SQLite that comes with Frond can't be loaded: ${reason}. ${advice}`, error);
  }
}

function openDatabase(Libsql: Libsql, path: string): Database {
  const database = translateOpening(() => new Libsql(path));
  return {
    exec: (sql) => translate(() => void database.exec(sql)),
    prepare: (sql) => wrapStatement(translate(() => database.prepare(sql))),
    close: () => translate(() => void database.close()),
  };
}

/** Values are handed over as one array: a single null would be taken for a set of named ones. */
function wrapStatement(statement: LibsqlStatement): Statement {
  return {
    run: (...values) =>
      translate((): Change => {
        const { changes, lastInsertRowid } = statement.run(values);
        return { changes, lastRowId: Number(lastInsertRowid) };
      }),
    get: (...values) => translate(() => statement.get(values) as Row | undefined),
    all: (...values) => translate(() => statement.all(values) as readonly Row[]),
  };
}

function translate<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { rawCode, message } = error as { readonly rawCode?: unknown; readonly message: string };
    throw typeof rawCode === "number" ? new SqliteFailure(rawCode, message, error) : error;
  }
}

/** While opening, the package tells SQLite's code only at the end of its message. */
function translateOpening<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { message } = error as Error;
    const code = /: (\d+)"?\)?$/.exec(message)?.[1];
    throw code === undefined ? error : new SqliteFailure(Number(code), message, error);
  }
}

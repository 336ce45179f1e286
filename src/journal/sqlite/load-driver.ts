import type { Database } from "./driver.ts";
import { loadLibsqlDriver } from "./libsql-driver.ts";
import { loadNodeDriver } from "./node-driver.ts";

/** The SQLite of this Node, or the one that is installed for those without. */
export function loadDriver(): (path: string) => Database {
  return loadNodeDriver() ?? loadLibsqlDriver();
}

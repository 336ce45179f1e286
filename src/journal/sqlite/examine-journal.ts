import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { err, ok, type Result } from "../../util/result.ts";
import { isWritable } from "../../util/unmakable-directory.ts";
import { JournalError, type JournalExamination } from "../journal.ts";
import { checkStateDirectory, explainParent } from "../state-directory.ts";
import { prepareOnce } from "./driver.ts";
import { damaged, explainFailure, notAFile } from "./explain-failure.ts";
import { requireSpace } from "./free-space.ts";
import { loadDriver } from "./load-driver.ts";
import { requireKnownVersion } from "./migrate.ts";
import { loadNodeDriver } from "./node-driver.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

export async function examineJournal(stateDirectory: string): Promise<JournalExamination> {
  const path = resolve(stateDirectory);
  const file = join(path, "frond.db");
  const program = examine(file, examineSqlite);
  const access = examine(file, () => examineDirectory(path));
  return {
    program,
    access,
    bytes: program.ok && access.ok ? await examineLater(file, () => examineDatabase(file)) : ok(undefined),
  };
}

function examineSqlite(): { readonly name: string; readonly version: string; readonly from: string } {
  const database = loadDriver()(":memory:");
  const row = database.prepare("SELECT sqlite_version() AS version").get();
  database.close();
  const from = loadNodeDriver() === undefined ? "libsql" : "node:sqlite";
  return { name: "SQLite", version: String(row?.version), from };
}

function examineDirectory(directory: string): "absent" | "writable" | "read-only" {
  if (existsSync(directory)) {
    checkStateDirectory(directory);
    return isWritable(directory) ? "writable" : "read-only";
  }
  const unfit = explainParent(directory);
  if (unfit !== undefined) throw unfit;
  return "absent";
}

/** Reads the whole of it. */
function examineDatabase(file: string): number | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw notAFile(file);
  const writable = isWritable(dirname(file));
  if (writable) requireSpace(file, 0);
  const logBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  // SQLite makes a log even for reading, and only who may write removes it again. Where none can be made it must be told.
  const how = writable ? "mode=rw" : logBytes > 0 ? "mode=ro" : "immutable=1";
  const database = loadDriver()(`${pathToFileURL(file).href}?${how}`);
  try {
    const [said] = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {});
    if (said !== "ok") throw damaged(file);
    requireKnownVersion(prepareOnce(database), file);
    return found.size + logBytes;
  } finally {
    database.close();
  }
}

function examine<T>(file: string, look: () => T): Result<T, string> {
  try {
    return ok(look());
  } catch (failure) {
    return explain(failure, file);
  }
}

async function examineLater<T>(file: string, look: () => T): Promise<Result<T, string>> {
  try {
    return ok(await retryWhileBusy(look));
  } catch (failure) {
    return explain(failure, file);
  }
}

function explain(failure: unknown, file: string): Result<never, string> {
  const explained = explainFailure(failure, file);
  if (explained instanceof JournalError) return err(explained.message);
  throw failure;
}

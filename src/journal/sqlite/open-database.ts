import { chmodSync, closeSync, openSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { isWritable } from "../../util/unmakable-directory.ts";
import type { Database } from "./driver.ts";
import { notAFile, readOnly } from "./explain-failure.ts";
import { requireSpace } from "./free-space.ts";
import { loadDriver } from "./load-driver.ts";
import { migrate } from "./migrate.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

/** How long SQLite itself waits for others, which keeps this process from doing anything else. */
const busyTimeoutMs = 100;

/** Beyond this, the log is cut when it begins anew. */
const largestLogBytes = 8 * 1024 * 1024;

export interface OpenedDatabase {
  readonly database: Database;
  /** Another connection to it, which waits for nobody. */
  readonly openAgain: () => Database;
  /** Nothing can be written, so nothing can change. */
  readonly frozen: boolean;
}

/** Opens the database of the newest version, made if need be; only for reading where nothing can be written. */
export async function openDatabase(file: string): Promise<OpenedDatabase> {
  const found = statOf(file);
  if (found !== undefined && !found.isFile()) throw notAFile(file);
  const directory = dirname(file);
  const writable = isWritable(directory);
  if (writable) requireSpace(file, 0, directory);
  else if (found === undefined) throw readOnly(file);
  // SQLite wants to make the log even for reading. Where it can't, and none was left, the database is all there is.
  const frozen = !writable && (statOf(`${file}-wal`)?.size ?? 0) === 0;
  if (writable) keepPrivate(file, found);
  const open = loadDriver();
  const database = await retryWhileBusy(() => prepare(open, file, frozen));
  // One that has been removed meanwhile is not made anew.
  const openAgain = (): Database => open(`${pathToFileURL(file).href}?mode=rw`);
  return { database, openAgain, frozen };
}

/**
 * Opens a database that is there, as it is: nothing is made, changed or brought to another version. While others write, their log is
 * read too; without one, SQLite is told to make none. Nothing when there is no database.
 */
export function openToRead(file: string): OpenedDatabase | undefined {
  if (statOf(file)?.isFile() !== true) return undefined;
  const how = (statOf(`${file}-wal`)?.size ?? 0) > 0 ? "mode=ro" : "immutable=1";
  const openAgain = (): Database => loadDriver()(`${pathToFileURL(file).href}?${how}`);
  return { database: openAgain(), openAgain, frozen: true };
}

const ownerOnly = 0o600;

/**
 * SQLite would make a file that everybody may read, and gives its log and shared memory the permissions of the database. A file
 * that is there is never opened here: closing it would give up the locks of connections that this process has to it.
 */
function keepPrivate(file: string, found: Stats | undefined): void {
  try {
    if (found === undefined) closeSync(openSync(file, "a", ownerOnly));
    for (const path of [file, `${file}-wal`, `${file}-shm`]) {
      const mode = statOf(path)?.mode ?? 0;
      if ((mode & 0o077) !== 0) chmodSync(path, mode & ownerOnly);
    }
  } catch {
    // If the file can't be made SQLite says why; if permissions can't be changed, the directory is private all the same.
  }
}

function prepare(open: (path: string) => Database, file: string, frozen: boolean): Database {
  const database = open(frozen ? `${pathToFileURL(file).href}?immutable=1` : file);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    if (!frozen) {
      // Only before anything is written: later it has no use, but would itself write.
      if (isEmpty(database)) database.exec("PRAGMA auto_vacuum = INCREMENTAL");
      database.exec("PRAGMA journal_mode = WAL");
      // In a log, anything less can lose what was committed last when the power fails.
      database.exec("PRAGMA synchronous = FULL");
      // See `WalCheckpoints`.
      database.exec("PRAGMA wal_autocheckpoint = 0");
      database.exec(`PRAGMA journal_size_limit = ${largestLogBytes}`);
    }
    migrate(database, file);
    return database;
  } catch (failure) {
    database.close();
    throw failure;
  }
}

function isEmpty(database: Database): boolean {
  return database.prepare("PRAGMA page_count").get()?.page_count === 0;
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

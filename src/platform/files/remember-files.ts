import { type BigIntStats, type Dirent, statSync } from "node:fs";
import { BoundedMap } from "../../util/bounded-map.ts";
import { type ListOptions, listWorkflowFiles, readEntries } from "./list-workflow-files.ts";
import { type ReadText, readWorkflowText } from "./workflow-files.ts";

interface WorkflowFiles {
  listWorkflowFiles(directory: string, options: ListOptions): readonly string[] | undefined;
  readWorkflowText(file: string): ReadText;
}

/**
 * A file or directory that changed so short a time ago may change once more without looking different: clocks of file systems have
 * steps, of up to two seconds.
 */
const settledMs = 2_500;
/** Characters of texts, and entries of directories: more than the libraries of several projects have. */
const mostCharacters = 10_000_000;
const mostEntries = 50_000;

/**
 * Workflow files for a process that lives long. Each is looked at whenever it is asked for, so a change counts from the moment it is
 * made; but what looks as it did is not read again.
 */
export function rememberFiles(now: () => number = Date.now): WorkflowFiles {
  const texts = new Remembered<{ readonly text: string }>(mostCharacters, now);
  const directories = new Remembered<readonly Dirent[] | undefined>(mostEntries, now);
  const entriesOf = (directory: string): readonly Dirent[] | undefined => {
    const stat = statSync(directory, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    return directories.read(
      directory,
      stat,
      () => readEntries(directory),
      (entries) => 1 + (entries?.length ?? 0),
    );
  };
  return {
    listWorkflowFiles: (directory, options) => listWorkflowFiles(directory, options, entriesOf),
    readWorkflowText: (file) =>
      readWorkflowText(file, (stat, read) => texts.read(file, stat, read, ({ text }) => text.length)),
  };
}

class Remembered<T> {
  readonly #known: BoundedMap<{ readonly looks: string; readonly value: T }>;
  readonly #now: () => number;

  constructor(most: number, now: () => number) {
    this.#known = new BoundedMap(most);
    this.#now = now;
  }

  /** `stat` is older than what is read, so a change in between is found the next time. */
  read(path: string, stat: BigIntStats, read: () => T, weigh: (value: T) => number): T {
    const looks = `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
    const known = this.#known.get(path);
    if (known?.looks === looks) return known.value;
    const isSettled = this.#now() - Number(stat.ctimeMs) > settledMs;
    const value = read();
    if (isSettled) this.#known.set(path, { looks, value }, weigh(value));
    else this.#known.delete(path);
    return value;
  }
}

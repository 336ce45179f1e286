import { setTimeout as delay } from "node:timers/promises";
import { EntryTable, kindOf } from "./entry-table.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { isGone, isRacy, lookAt, racyMs, readTarget } from "./look-at-file.ts";
import { readNames } from "./read-names.ts";
import { readStamps, type StampsOf } from "./read-stamps.ts";
import { findRepository, type ObservedRepository, readRefs } from "./repository-facts.ts";
import type { Stamps } from "./stamp-rows.ts";
import type { WantedStamps } from "./stamp-shares.ts";
import { type Choice, chooseEntry, gitName, mostBytesKept, rulesName, type Surroundings } from "./surroundings.ts";
import { isAsIndexed, listTracked, type TrackedFile } from "./tracked-files.ts";
import { type DirectoryRecord, type EntryAt, isSkipped, noRow, pathIn, rowsOf, type Tree } from "./tree.ts";
import type { WriteGlobs } from "./write-globs.ts";

/** What was found of a workspace, and which entries nothing is known of but that they are there. */
export interface LookedAt {
  readonly tree: Map<string, DirectoryRecord>;
  readonly repositories: readonly ObservedRepository[];
  readonly unknown: readonly UnknownEntry[];
  /** Directories that were there, and no longer when it was their turn. */
  readonly gone: readonly string[];
}

export interface UnknownEntry extends EntryAt {
  readonly path: string;
  /** The object that has its bytes if nobody has changed them since it was stored. */
  readonly gitId: string | undefined;
  /** The directory of the repository that takes it for unchanged. */
  readonly unchangedIn: string | undefined;
}

/** What was known before: what has not been touched since is not looked into again. */
export interface KnownBefore {
  readonly tree: Tree;
  readonly repositories: readonly Omit<ObservedRepository, "refs">[];
}

interface Repository {
  readonly facts: Omit<ObservedRepository, "refs">;
  /** Read while files are looked at. */
  readonly refs: Promise<ObservedRepository["refs"] | undefined>;
  readonly rules: IgnoreRules;
  /** Absent while the index is as it was, so that what is known says who is tracked. */
  readonly tracked: Tracked | undefined;
}

interface Tracked {
  readonly files: ReadonlyMap<string, TrackedFile>;
  /** When the index was written. */
  readonly indexMs: number;
  readonly directories: ReadonlySet<string>;
}

interface Ahead {
  readonly path: string;
  readonly repository: Repository | undefined;
  readonly choice: Choice;
}

interface Listed extends Ahead {
  readonly names: readonly string[];
  /** Of each name in what was known before. */
  readonly rows: readonly number[];
  readonly asked: readonly string[];
  readonly before: DirectoryRecord | undefined;
}

/** What is looked at in a directory, and the names of what is not. */
interface Wanted extends WantedStamps {
  readonly listed: Listed;
  readonly ignored: ReadonlySet<string>;
  readonly rows: readonly number[];
  readonly skipped: readonly string[];
}

/** Entries of a directory that are observed, and names of those that are not. */
interface Found {
  readonly names: string[];
  readonly rows: number[];
  readonly stats: Stamps[];
  readonly skipped: string[];
}

const nothing: ReadonlySet<string> = new Set();

/** Looks at everything in a workspace that is to be observed, one level of directories after the other. */
export async function lookAtTree(around: Surroundings, globs: WriteGlobs, known: KnownBefore): Promise<LookedAt> {
  const looking = new Looking(around, globs, known);
  try {
    return await looking.all();
  } finally {
    looking.close();
  }
}

class Looking {
  readonly #around: Surroundings;
  readonly #globs: WriteGlobs;
  readonly #known: KnownBefore;
  readonly #began = Date.now();
  readonly #tree = new Map<string, DirectoryRecord>();
  readonly #table = new EntryTable();
  readonly #repositories: Repository[] = [];
  readonly #unknown: UnknownEntry[] = [];
  readonly #gone: string[] = [];
  /** Until nothing can be changed any more without being seen by its stamps. */
  #waitMs = 0;

  constructor(around: Surroundings, globs: WriteGlobs, known: KnownBefore) {
    this.#around = around;
    this.#globs = globs;
    this.#known = known;
  }

  async all(): Promise<LookedAt> {
    let level: readonly Ahead[] = [{ path: "", repository: await this.#open(""), choice: "rules" }];
    while (level.length > 0) {
      const listed: Listed[] = [];
      for (const ahead of level) {
        const one = await this.#list(ahead);
        if (one !== undefined) listed.push(one);
      }
      const ignored = await this.#ask(listed);
      const next: Ahead[] = [];
      const wanted = listed.map((one) => this.#wanted(one, one.asked.length === 0 ? nothing : ignored));
      const stamps = await readStamps(wanted, () => this.#around.throwIfAborted(), this.#around.second);
      for (const [index, one] of wanted.entries()) this.#record(one, stamps[index] as StampsOf, next);
      level = next;
    }
    if (this.#waitMs > 0) await delay(this.#waitMs);
    const repositories = this.#repositories.map(async ({ facts, refs }) => ({ ...facts, refs: (await refs) ?? {} }));
    return {
      tree: this.#tree,
      repositories: await Promise.all(repositories),
      unknown: this.#unknown,
      gone: this.#gone,
    };
  }

  close(): void {
    for (const { rules } of this.#repositories) rules.close();
  }

  async #open(directory: string): Promise<Repository | undefined> {
    const { git, workspace } = this.#around;
    if (git === undefined) return undefined;
    const facts = await findRepository(git, workspace, directory);
    if (facts === undefined) return undefined;
    const refs = readRefs(git, facts);
    const before = this.#known.repositories.find((one) => one.directory === directory);
    const isSame = before?.gitDirectory === facts.gitDirectory && isSameStamp(before.indexStamp, facts.indexStamp);
    const files = isSame ? undefined : await listTracked(git, workspace, facts);
    const rules = new IgnoreRules(git, workspace, directory);
    const indexMs = lookAt(`${facts.gitDirectory}/index`)?.mtimeMs ?? 0;
    const tracked = files && { files, indexMs, directories: directoriesOf(files) };
    const repository = { facts, refs, rules, tracked };
    this.#repositories.push(repository);
    return repository;
  }

  /** The names in a directory, and those of them that git has to be asked about. */
  async #list(ahead: Ahead): Promise<Listed | undefined> {
    const { path, choice } = ahead;
    this.#around.throwIfAborted();
    const names = readNames(this.#absolute(path));
    if (names === undefined) {
      if (path !== "" && isGone(this.#absolute(path))) this.#gone.push(path);
      return undefined;
    }
    if (!Array.isArray(names)) {
      this.#tree.set(path, { table: this.#table, first: 0, names: [], skipped: [], unreadable: names.problem });
      return undefined;
    }
    const isNested = path !== "" && choice === "rules" && names.includes(gitName);
    const repository = (isNested ? await this.#open(path) : undefined) ?? ahead.repository;
    const before = this.#known.tree.get(path);
    const rows = rowsOf(names, before);
    const isAsked = (name: string, index: number): boolean =>
      name !== gitName && name !== rulesName && !isTracked(path, name, repository, before, rows[index] as number);
    const asked = repository !== undefined && choice === "rules" ? names.filter(isAsked) : [];
    return { path, choice, repository, names, rows, asked, before };
  }

  async #ask(listed: readonly Listed[]): Promise<ReadonlySet<string>> {
    const questions = new Map<Repository, string[]>();
    for (const { path, repository, asked } of listed) {
      if (repository === undefined || asked.length === 0) continue;
      const paths = questions.get(repository) ?? [];
      for (const name of asked) paths.push(pathIn(path, name));
      questions.set(repository, paths);
    }
    const ignored = new Set<string>();
    for (const [{ rules }, paths] of questions) {
      for (const path of (await rules.ignored(paths)).keys()) ignored.add(path);
    }
    return ignored;
  }

  #record(wanted: Wanted, stampsOf: StampsOf, next: Ahead[]): void {
    const { listed } = wanted;
    const { path, repository, before } = listed;
    const found = this.#choose(wanted, stampsOf, next);
    // Without a new index, what has not been touched is all that it was.
    const isSame = before !== undefined && repository?.tracked === undefined && isUnchanged(before, listed, found);
    this.#tree.set(path, isSame ? before : this.#build(listed, found));
  }

  /** Those of the names that are looked at. */
  #wanted(listed: Listed, ignored: ReadonlySet<string>): Wanted {
    const { path, names, rows } = listed;
    const own = this.#around.own.filter((one) => pathIn(path, one.slice(one.lastIndexOf("/") + 1)) === one);
    const isLeft = (name: string): boolean => {
      if (name === gitName || (own.length > 0 && own.includes(pathIn(path, name)))) return true;
      return ignored.size > 0 && ignored.has(pathIn(path, name)) && this.#globs.fit(pathIn(path, name)) === undefined;
    };
    const wanted = { listed, ignored, path: this.#absolute(path), names, rows, skipped: names.filter(isLeft) };
    if (wanted.skipped.length === 0) return wanted;
    const skipped = new Set(wanted.skipped);
    const kept = [...names.keys()].filter((index) => !skipped.has(names[index] as string));
    return { ...wanted, names: kept.map((at) => names[at] as string), rows: kept.map((at) => rows[at] as number) };
  }

  /** The entries of a directory that are observed; what is ahead in it comes to `next`. */
  #choose({ listed, ignored, names, rows, skipped }: Wanted, stampsOf: StampsOf, next: Ahead[]): Found {
    const { path, choice, repository } = listed;
    const found: Found = { names: [], rows: [], stats: [], skipped: [...skipped] };
    const isOrdinary = choice === "rules" && ignored.size === 0;
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      const stats = stampsOf(index);
      if (stats === undefined) continue;
      const isIgnored = !isOrdinary && ignored.has(pathIn(path, name));
      const isDirectory = kindOf(stats.mode) === "directory";
      const at = isDirectory || !isOrdinary ? pathIn(path, name) : "";
      const chosen = isOrdinary ? choice : chooseEntry(at, isDirectory, choice, isIgnored, this.#globs);
      if (chosen === undefined) {
        found.skipped.push(name);
        continue;
      }
      found.names.push(name);
      found.rows.push(rows[index] as number);
      found.stats.push(stats);
      if (isDirectory) next.push({ path: at, repository, choice: chosen });
    }
    if (found.skipped.length > skipped.length) found.skipped.sort();
    return found;
  }

  #build(listed: Listed, found: Found): DirectoryRecord {
    const { path, choice, repository, before } = listed;
    const { names, rows, skipped } = found;
    const table = this.#table;
    const first = table.count;
    const tracked = repository?.tracked;
    let isSame = before !== undefined && isUnchanged(before, listed, found);
    for (const [index, name] of names.entries()) {
      const at = pathIn(path, name);
      const stats = found.stats[index] as Stamps;
      const oldRow = rows[index] as number;
      const old = before === undefined || oldRow === noRow ? undefined : { table: before.table, row: oldRow };
      const wasTracked = old?.table.isTracked(old.row) ?? false;
      const isNowTracked = tracked === undefined ? wasTracked : tracked.files.has(at) || tracked.directories.has(at);
      const file = tracked?.files.get(at);
      const gitId = file?.id || undefined;
      const isTrusted = old !== undefined && isStillStored(old, stats, tracked !== undefined, gitId);
      if (!isTrusted || wasTracked !== isNowTracked) isSame = false;
      const row = isTrusted ? table.copy(old.table, old.row) : table.add(stats, isNowTracked);
      table.setTracked(row, isNowTracked);
      if (isTrusted) continue;
      const isUnchanged = file !== undefined && isAsIndexed(stats, file, tracked?.indexMs ?? 0);
      this.#describe(at, row, stats, gitId, isUnchanged ? repository?.facts.directory : undefined);
    }
    if (!isSame || before === undefined) return { table, first, names, skipped, ...chosenBy(choice) };
    table.forget(first);
    return before;
  }

  /** What can be told of an entry at once; files are left for later. */
  #describe(path: string, row: number, found: Stamps, gitId: string | undefined, unchangedIn?: string): void {
    const table = this.#table;
    switch (table.kind(row)) {
      case "directory":
        return;
      case "link":
        table.targets.set(row, readTarget(this.#absolute(path)) ?? "");
        break;
      case "other":
        table.reasons.set(row, "it is neither a file nor a directory");
        break;
      case "file":
        if (found.size > mostBytesKept) table.reasons.set(row, tooLarge);
        else this.#unknown.push({ path, table, row, gitId, unchangedIn });
    }
    if (!isRacy(found, this.#began)) return;
    // Its bytes will not tell whether it was changed.
    const wait = table.reasons.has(row) ? racyMs(found, Date.now()) : undefined;
    if (wait === undefined) table.setRacy(row);
    else this.#waitMs = Math.max(this.#waitMs, wait);
  }

  #absolute(path: string): string {
    const { workspace } = this.#around;
    return path === "" ? workspace : `${workspace}/${path}`;
  }
}

const tooLarge = `it is larger than ${(mostBytesKept / 1e6).toLocaleString("en-US")} MB`;

function isSameStamp(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}

function isTracked(
  directory: string,
  name: string,
  repository: Repository | undefined,
  before: DirectoryRecord | undefined,
  row: number,
): boolean {
  const tracked = repository?.tracked;
  if (tracked === undefined) return before !== undefined && row !== noRow && before.table.isTracked(row);
  const path = pathIn(directory, name);
  return tracked.files.has(path) || tracked.directories.has(path);
}

function chosenBy(choice: Choice): Pick<DirectoryRecord, "choice"> {
  return choice === "rules" ? {} : { choice };
}

/** Whether a directory can be taken for what it was as a whole. */
function isUnchanged(before: DirectoryRecord, { choice }: Ahead, { names, rows, stats, skipped }: Found): boolean {
  if (before.unreadable !== undefined || (before.choice ?? "rules") !== choice) return false;
  if (before.names.length !== names.length) return false;
  if (skipped.length !== before.skipped.length || !skipped.every((name) => isSkipped(before, name))) return false;
  for (let at = 0; at < names.length; at++) {
    const row = rows[at] as number;
    if (row === noRow || !before.table.isSame(row, stats[at] as Stamps) || before.table.isRacy(row)) return false;
  }
  return true;
}

/** What git had, it may have thrown away since it does not track it any more. */
function isStillStored(
  { table, row }: EntryAt,
  found: Stamps,
  isIndexNew: boolean,
  gitId: string | undefined,
): boolean {
  if (!table.isSame(row, found) || table.isRacy(row)) return false;
  return !isIndexNew || !table.storage(row).startsWith("git") || table.digest(row) === gitId;
}

function directoriesOf(files: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const directories = new Set<string>();
  for (const path of files.keys()) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const directory = path.slice(0, end);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  return directories;
}

import type { Stats } from "node:fs";
import { kindOf } from "./entry-table.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { lookAt } from "./look-at-file.ts";
import type { Manifest } from "./manifest.ts";
import { readNames } from "./read-names.ts";
import { type Choice, chooseEntry, gitName, type Surroundings } from "./surroundings.ts";
import { type DirectoryRecord, type EntryAt, entriesBelow, isSkipped, noRow, pathIn, rowsOf } from "./tree.ts";
import { WriteGlobs } from "./write-globs.ts";

/** An entry that has been touched, has come or is gone; whether it differs, only its bytes can tell. */
export interface TouchedEntry {
  readonly path: string;
  readonly before: EntryAt | undefined;
  readonly after: Stats | undefined;
}

export interface ComparedTrees {
  readonly touched: readonly TouchedEntry[];
  /** Directories that can't be read any more, so that nothing is known of what is in them. */
  readonly unreadable: readonly { readonly path: string; readonly why: string }[];
  /** Directories in which a repository has appeared or disappeared. */
  readonly madeRepositories: readonly string[];
  readonly lostRepositories: readonly string[];
}

interface Ahead {
  readonly path: string;
  readonly rules: IgnoreRules | undefined;
  readonly choice: Choice;
}

interface Listed extends Ahead {
  readonly names: readonly string[];
  readonly rows: readonly number[];
  readonly asked: readonly string[];
  readonly before: DirectoryRecord | undefined;
}

/**
 * Looks at a workspace again. What was observed before the command is observed still, whatever git ignores by now; what git ignored
 * then is not, because nobody knows what it was like. Of what is new, git is asked.
 */
export async function compareTrees(around: Surroundings, manifest: Manifest): Promise<ComparedTrees> {
  const comparing = new Comparing(around, manifest);
  try {
    return await comparing.all();
  } finally {
    comparing.close();
  }
}

class Comparing {
  readonly #around: Surroundings;
  readonly #manifest: Manifest;
  readonly #globs: WriteGlobs;
  readonly #rules: IgnoreRules[] = [];
  readonly #touched: TouchedEntry[] = [];
  readonly #unreadable: { path: string; why: string }[] = [];
  readonly #withGit = new Set<string>();
  readonly #madeRepositories: string[] = [];

  constructor(around: Surroundings, manifest: Manifest) {
    this.#around = around;
    this.#manifest = manifest;
    this.#globs = new WriteGlobs(manifest.writes);
  }

  async all(): Promise<ComparedTrees> {
    const { repositories } = this.#manifest;
    const isInRepository = repositories.some(({ directory }) => directory === "");
    const outer = isInRepository && this.#isThere(repositories.find(({ directory }) => directory === "")?.gitDirectory);
    let level: readonly Ahead[] = [{ path: "", rules: outer ? this.#rulesOf("") : undefined, choice: "rules" }];
    while (level.length > 0) {
      const listed = level.flatMap((ahead) => this.#list(ahead));
      const ignored = await ask(listed);
      const next: Ahead[] = [];
      for (const one of listed) this.#compare(one, ignored, next);
      level = next;
    }
    const lost = repositories.filter(({ directory, gitDirectory }) => {
      return !this.#withGit.has(directory) && !this.#isThere(gitDirectory);
    });
    return {
      touched: this.#touched,
      unreadable: this.#unreadable,
      madeRepositories: this.#madeRepositories,
      lostRepositories: lost.map(({ directory }) => directory),
    };
  }

  close(): void {
    for (const rules of this.#rules) rules.close();
  }

  #isThere(path: string | undefined): boolean {
    return path !== undefined && lookAt(path) !== undefined;
  }

  #rulesOf(directory: string): IgnoreRules | undefined {
    const { git, workspace } = this.#around;
    if (git === undefined) return undefined;
    const rules = new IgnoreRules(git, workspace, directory);
    this.#rules.push(rules);
    return rules;
  }

  #list(ahead: Ahead): readonly Listed[] {
    const { path, choice } = ahead;
    this.#around.throwIfAborted();
    const before = this.#manifest.tree.get(path);
    if (before?.unreadable !== undefined) return [];
    const names = readNames(this.#absolute(path));
    if (names === undefined) {
      if (before !== undefined) this.#lose(path);
      return [];
    }
    if (!Array.isArray(names)) {
      this.#unreadable.push({ path, why: names.problem });
      return [];
    }
    let { rules } = ahead;
    if (choice === "rules" && names.includes(gitName)) {
      this.#withGit.add(path);
      if (before === undefined || !isSkipped(before, gitName)) this.#madeRepositories.push(path);
      if (path !== "" || rules === undefined) rules = this.#rulesOf(path) ?? rules;
    }
    const rows = rowsOf(names, before);
    const isAsked = (name: string, index: number): boolean =>
      rows[index] === noRow && !this.#isSkipped(path, name, before);
    const asked = rules === undefined || choice !== "rules" ? [] : names.filter(isAsked);
    return [{ path, choice, rules, names, rows, asked, before }];
  }

  #compare(listed: Listed, ignored: ReadonlySet<string>, next: Ahead[]): void {
    this.#around.throwIfAborted();
    const { path, choice, rules, names, rows, before } = listed;
    const base = `${this.#absolute(path)}/`;
    let expected = before?.first ?? noRow;
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      const row = rows[index] as number;
      if (row === noRow && this.#isSkipped(path, name, before)) continue;
      const stats = lookAt(base + name);
      if (stats === undefined) continue;
      if (row !== noRow && before !== undefined) {
        for (; expected < row; expected++) this.#missing(path, before, expected);
        expected++;
        this.#known({ table: before.table, row }, stats, path, name, { rules, choice }, next);
        continue;
      }
      const entry = pathIn(path, name);
      const isDirectory = kindOf(stats.mode) === "directory";
      const chosen = chooseEntry(entry, isDirectory, choice, ignored.has(entry), this.#globs);
      if (chosen === undefined) continue;
      this.#touched.push({ path: entry, before: undefined, after: stats });
      if (isDirectory) next.push({ path: entry, rules, choice: chosen });
    }
    if (before === undefined) return;
    for (; expected < before.first + before.names.length; expected++) this.#missing(path, before, expected);
  }

  #known(
    before: EntryAt,
    stats: Stats,
    directory: string,
    name: string,
    { rules, choice }: Pick<Ahead, "rules" | "choice">,
    next: Ahead[],
  ): void {
    const { table, row } = before;
    const isDirectory = kindOf(stats.mode) === "directory";
    const isTouched = !table.isSame(row, stats) || table.isRacy(row);
    if (!isTouched && !isDirectory) return;
    const path = pathIn(directory, name);
    if (isTouched) this.#touched.push({ path, before, after: stats });
    if (!isDirectory && table.kind(row) === "directory") this.#lose(path);
    if (!isDirectory) return;
    const record = this.#manifest.tree.get(path);
    next.push({ path, rules, choice: record === undefined ? choice : (record.choice ?? "rules") });
  }

  #missing(directory: string, record: DirectoryRecord, row: number): void {
    const path = pathIn(directory, record.names[row - record.first] as string);
    this.#touched.push({ path, before: { table: record.table, row }, after: undefined });
    if (record.table.kind(row) === "directory") this.#lose(path);
  }

  /** Everything that was in a directory. */
  #lose(directory: string): void {
    for (const { path, table, row } of entriesBelow(this.#manifest.tree, directory)) {
      this.#touched.push({ path, before: { table, row }, after: undefined });
    }
  }

  #isSkipped(directory: string, name: string, before: DirectoryRecord | undefined): boolean {
    if (name === gitName || (before !== undefined && isSkipped(before, name))) return true;
    return this.#around.own.length > 0 && this.#around.own.includes(pathIn(directory, name));
  }

  #absolute(path: string): string {
    const { workspace } = this.#around;
    return path === "" ? workspace : `${workspace}/${path}`;
  }
}

async function ask(listed: readonly Listed[]): Promise<ReadonlySet<string>> {
  const questions = new Map<IgnoreRules, string[]>();
  for (const { path, rules, asked } of listed) {
    if (rules === undefined || asked.length === 0) continue;
    const paths = questions.get(rules) ?? [];
    for (const name of asked) paths.push(pathIn(path, name));
    questions.set(rules, paths);
  }
  const ignored = new Set<string>();
  for (const [rules, paths] of questions) for (const path of await rules.ignored(paths)) ignored.add(path);
  return ignored;
}

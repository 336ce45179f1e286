import { ChangedRules } from "./changed-rules.ts";
import { kindOf } from "./entry-table.ts";
import { type IgnoreMatch, IgnoreRules } from "./ignore-rules.ts";
import { lookAt } from "./look-at-file.ts";
import type { Manifest } from "./manifest.ts";
import { readNames } from "./read-names.ts";
import { readStamps, type StampsOf } from "./read-stamps.ts";
import type { Stamps } from "./stamp-rows.ts";
import type { WantedStamps } from "./stamp-shares.ts";
import { type Choice, chooseEntry, gitName, type Keeper, rulesName, type Surroundings } from "./surroundings.ts";
import { type DirectoryRecord, type EntryAt, entriesBelow, isSkipped, noRow, pathIn, rowsOf } from "./tree.ts";
import { WriteGlobs } from "./write-globs.ts";

/** An entry that has been touched, has come or is gone; whether it differs, only its bytes can tell. */
export interface TouchedEntry {
  readonly path: string;
  readonly before: EntryAt | undefined;
  readonly after: Stamps | undefined;
}

export interface ComparedTrees {
  readonly touched: readonly TouchedEntry[];
  /** Directories that can't be read any more, so that nothing is known of what is in them. */
  readonly unreadable: readonly { readonly path: string; readonly why: string }[];
  /** What git ignored before the command, and does not now or is gone since the rules were changed. */
  readonly unhidden: readonly string[];
  /** Where rules were changed so that it is not known what they hid. */
  readonly unclearRules: readonly string[];
  /** Directories in which a repository has appeared or disappeared. */
  readonly madeRepositories: readonly string[];
  readonly lostRepositories: readonly string[];
}

interface Ahead {
  readonly path: string;
  readonly rules: IgnoreRules | undefined;
  readonly choice: Choice;
  /** Whether the command has changed what git ignores in it. */
  readonly areRulesNew: boolean;
}

interface Listed extends Ahead {
  readonly names: readonly string[];
  readonly rows: readonly number[];
  readonly asked: readonly string[];
  readonly before: DirectoryRecord | undefined;
}

interface Wanted extends WantedStamps {
  readonly listed: Listed;
  readonly rows: readonly number[];
}

/**
 * Looks at a workspace again. What was observed before the command is observed still, whatever git ignores by now; what git ignored
 * then is not, because nobody knows what it was like. Of what is new, git is asked, but not believed where only the command says so.
 */
export async function compareTrees(around: Surroundings, manifest: Manifest, keeper: Keeper): Promise<ComparedTrees> {
  const comparing = new Comparing(around, manifest, keeper);
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
  readonly #changedRules: ChangedRules;
  readonly #unhidden: string[] = [];
  readonly #touched: TouchedEntry[] = [];
  readonly #unreadable: { path: string; why: string }[] = [];
  readonly #withGit = new Set<string>();
  readonly #madeRepositories: string[] = [];

  constructor(around: Surroundings, manifest: Manifest, keeper: Keeper) {
    this.#around = around;
    this.#manifest = manifest;
    this.#globs = new WriteGlobs(manifest.writes);
    this.#changedRules = new ChangedRules(around, manifest, keeper);
  }

  async all(): Promise<ComparedTrees> {
    const { repositories } = this.#manifest;
    const isInRepository = repositories.some(({ directory }) => directory === "");
    const outer = isInRepository && this.#isThere(repositories.find(({ directory }) => directory === "")?.gitDirectory);
    const rules = outer ? this.#rulesOf("") : undefined;
    let level: readonly Ahead[] = [{ path: "", rules, choice: "rules", areRulesNew: false }];
    while (level.length > 0) {
      const listed: Listed[] = [];
      for (const ahead of level) {
        const one = await this.#list(ahead);
        if (one !== undefined) listed.push(one);
      }
      const ignored = await ask(listed);
      const next: Ahead[] = [];
      const wanted = listed.map((one) => this.#wanted(one));
      const stamps = await readStamps(wanted, () => this.#around.throwIfAborted(), this.#around.second);
      for (const [index, one] of wanted.entries()) this.#compare(one, stamps[index] as StampsOf, ignored, next);
      level = next;
    }
    const lost = repositories.filter(({ directory, gitDirectory }) => {
      return !this.#withGit.has(directory) && !this.#isThere(gitDirectory);
    });
    return {
      touched: this.#touched,
      unreadable: this.#unreadable,
      unhidden: this.#unhidden,
      unclearRules: this.#changedRules.unclear,
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

  async #list(ahead: Ahead): Promise<Listed | undefined> {
    const { path, choice } = ahead;
    this.#around.throwIfAborted();
    const before = this.#manifest.tree.get(path);
    if (before?.unreadable !== undefined) return undefined;
    const names = readNames(this.#absolute(path));
    if (names === undefined) {
      if (before !== undefined) this.#lose(path, ahead.areRulesNew);
      return undefined;
    }
    if (!Array.isArray(names)) {
      this.#unreadable.push({ path, why: names.problem });
      return undefined;
    }
    let { rules } = ahead;
    if (choice === "rules" && names.includes(gitName)) {
      this.#withGit.add(path);
      if (before === undefined || !isSkipped(before, gitName)) this.#madeRepositories.push(path);
      if (path !== "" || rules === undefined) rules = this.#rulesOf(path) ?? rules;
    }
    const rows = rowsOf(names, before);
    const isRuled = rules !== undefined && choice === "rules";
    const areOuterNew = ahead.areRulesNew && rules === ahead.rules;
    const areRulesNew = isRuled && ((await this.#changedRules.look(path, names, before)) || areOuterNew);
    const isAsked = (name: string, index: number): boolean => {
      if (rows[index] !== noRow || name === rulesName || this.#isOwn(path, name)) return false;
      return areRulesNew || before === undefined || !isSkipped(before, name);
    };
    return { path, choice, rules, areRulesNew, names, rows, asked: isRuled ? names.filter(isAsked) : [], before };
  }

  /** Those of the names that are looked at. */
  #wanted(listed: Listed): Wanted {
    const { path, names, rows, before } = listed;
    const isLeft = (name: string, index: number): boolean =>
      rows[index] === noRow && this.#isSkipped(path, name, before);
    const wanted = { listed, path: this.#absolute(path), names, rows };
    if (!names.some(isLeft)) return wanted;
    const kept = [...names.keys()].filter((index) => !isLeft(names[index] as string, index));
    return { ...wanted, names: kept.map((at) => names[at] as string), rows: kept.map((at) => rows[at] as number) };
  }

  #compare(
    { listed, names, rows }: Wanted,
    stampsOf: StampsOf,
    ignored: ReadonlyMap<string, IgnoreMatch>,
    next: Ahead[],
  ): void {
    const { path, choice, before, areRulesNew } = listed;
    if (areRulesNew) this.#unhide(path, (name) => listed.names.includes(name) && ignored.has(pathIn(path, name)));
    let expected = before?.first ?? noRow;
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      const row = rows[index] as number;
      const stats = stampsOf(index);
      if (stats === undefined) continue;
      if (row !== noRow && before !== undefined) {
        for (; expected < row; expected++) this.#missing(listed, before, expected);
        expected++;
        this.#known({ table: before.table, row }, stats, listed, name, next);
        continue;
      }
      const entry = pathIn(path, name);
      const isDirectory = kindOf(stats.mode) === "directory";
      const match = ignored.get(entry);
      const isIgnored = match !== undefined && !this.#changedRules.isNew(match);
      const chosen = chooseEntry(entry, isDirectory, choice, isIgnored, this.#globs);
      if (chosen === undefined) continue;
      this.#touched.push({ path: entry, before: undefined, after: stats });
      if (isDirectory) next.push({ ...aheadIn(listed), path: entry, choice: chosen });
    }
    if (before === undefined) return;
    for (; expected < before.first + before.names.length; expected++) this.#missing(listed, before, expected);
  }

  #known(before: EntryAt, stats: Stamps, listed: Listed, name: string, next: Ahead[]): void {
    const { table, row } = before;
    const isDirectory = kindOf(stats.mode) === "directory";
    const isTouched = !table.isSame(row, stats) || table.isRacy(row);
    if (!isTouched && !isDirectory) return;
    const path = pathIn(listed.path, name);
    if (isTouched) this.#touched.push({ path, before, after: stats });
    if (!isDirectory && table.kind(row) === "directory") this.#lose(path, listed.areRulesNew);
    if (!isDirectory) return;
    const record = this.#manifest.tree.get(path);
    const choice = record === undefined ? listed.choice : (record.choice ?? "rules");
    next.push({ ...aheadIn(listed), path, choice });
  }

  #missing({ path: directory, areRulesNew }: Listed, record: DirectoryRecord, row: number): void {
    const path = pathIn(directory, record.names[row - record.first] as string);
    this.#touched.push({ path, before: { table: record.table, row }, after: undefined });
    if (record.table.kind(row) === "directory") this.#lose(path, areRulesNew);
  }

  /** Everything that was in a directory. */
  #lose(directory: string, areRulesNew: boolean): void {
    if (areRulesNew) this.#unhide(directory, () => false);
    for (const { path, table, row } of entriesBelow(this.#manifest.tree, directory)) {
      this.#touched.push({ path, before: { table, row }, after: undefined });
      if (areRulesNew && table.kind(row) === "directory") this.#unhide(path, () => false);
    }
  }

  /** Names what was hidden in a directory, but what still is. */
  #unhide(directory: string, isHidden: (name: string) => boolean): void {
    for (const name of this.#manifest.tree.get(directory)?.skipped ?? []) {
      if (!this.#isOwn(directory, name) && !isHidden(name)) this.#unhidden.push(pathIn(directory, name));
    }
  }

  #isSkipped(directory: string, name: string, before: DirectoryRecord | undefined): boolean {
    return (before !== undefined && isSkipped(before, name)) || this.#isOwn(directory, name);
  }

  #isOwn(directory: string, name: string): boolean {
    if (name === gitName) return true;
    return this.#around.own.length > 0 && this.#around.own.includes(pathIn(directory, name));
  }

  #absolute(path: string): string {
    const { workspace } = this.#around;
    return path === "" ? workspace : `${workspace}/${path}`;
  }
}

function aheadIn({ rules, areRulesNew }: Listed): Pick<Ahead, "rules" | "areRulesNew"> {
  return { rules, areRulesNew };
}

async function ask(listed: readonly Listed[]): Promise<ReadonlyMap<string, IgnoreMatch>> {
  const questions = new Map<IgnoreRules, string[]>();
  for (const { path, rules, asked } of listed) {
    if (rules === undefined || asked.length === 0) continue;
    const paths = questions.get(rules) ?? [];
    for (const name of asked) paths.push(pathIn(path, name));
    questions.set(rules, paths);
  }
  const ignored = new Map<string, IgnoreMatch>();
  for (const [rules, paths] of questions) {
    for (const [path, match] of await rules.ignored(paths)) ignored.set(path, match);
  }
  return ignored;
}

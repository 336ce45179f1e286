import { dirname, parse } from "node:path";
import type { Loaded, WorkflowHead, WorkflowLoader } from "../definition/load-workflow.ts";
import { unnamed } from "../definition/workflow-keys.ts";
import { type Diagnostic, hasErrors } from "../diagnostic/diagnostic.ts";
import type { Source } from "../diagnostic/source.ts";
import { once } from "../util/once.ts";
import { KeptHeads } from "./kept-heads.ts";
import type { HeadStore } from "./workflow-files.ts";

export type LibrarySource = "built-in" | "user" | "template-path" | "project";

export interface LibraryDirectory {
  readonly path: string;
  readonly source: LibrarySource;
  /** Judges each file by its text. Without it all are trusted: the directory is the user's own. */
  readonly judge?: (file: string, text: string) => Standing;
  /** The user named it, so its absence is worth a word. */
  readonly expected: boolean;
  /** Why it is not looked into, in words for the user. */
  readonly problem?: string;
}

/**
 * How a file stands to what a person has looked at. Anything but a trusted one is listed, and neither run nor does it override
 * anything. `untrusted`: nobody has looked at anything of the project.
 */
export type Standing = "trusted" | "untrusted" | "new" | "changed" | "other-owner";

export interface LibraryEntry {
  readonly name: string;
  readonly file: string;
  readonly source: LibrarySource;
  readonly trusted: boolean;
  readonly standing: Standing;
  /** Those of the same name that this one wins over, or would if it were trusted; nearest first. */
  readonly overrides: readonly Pick<LibraryEntry, "file" | "source">[];
  /** What the file holds, unparsed. */
  readonly text: string;
  load(): Loaded;
  /** What a list shows of it; nothing when it is broken. */
  head(): WorkflowHead | undefined;
}

export interface BrokenEntry extends Pick<LibraryEntry, "file" | "source" | "text"> {
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads workflow files; handed over so that the library knows no file system. */
export interface WorkflowFiles {
  /** Absolute paths of the *.yaml and *.yml files below a directory, sorted; nothing when there is no such directory. */
  list(directory: string, options: ListOptions): readonly string[] | undefined;
  read(file: string): Source | Diagnostic;
}

export interface ListOptions {
  /** Whether the directory, or the one it lies in, may be a symbolic link. */
  readonly followLink: boolean;
  /** How many files are wanted at most. */
  readonly limit: number;
  /** Whether files with tests are wanted too. */
  readonly withTests?: boolean;
}

/** More in one directory than anybody writes: a mistaken path must not keep the user waiting. */
export const mostFiles = 2000;

/**
 * The workflows that can be called by name. Directories are searched in order, and a later one wins. Files are read when first
 * asked for and parsed one by one when needed. A broken one keeps its name: who calls it is told what is wrong with it, and never
 * gets another workflow instead.
 */
export class Library {
  readonly #directories: readonly LibraryDirectory[];
  readonly #files: WorkflowFiles;
  readonly #loader: WorkflowLoader;
  readonly #heads: HeadStore | undefined;
  #index: Index | undefined;

  constructor(
    directories: readonly LibraryDirectory[],
    files: WorkflowFiles,
    loader: WorkflowLoader,
    heads?: HeadStore,
  ) {
    this.#directories = directories;
    this.#files = files;
    this.#loader = loader;
    this.#heads = heads;
  }

  find(name: string): LibraryEntry | undefined {
    return this.#read().byName.get(name);
  }

  /** Every workflow that can be called, by name; then untrusted ones that are only listed. */
  entries(): readonly LibraryEntry[] {
    const { byName, untrusted } = this.#read();
    const callable = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return [...callable, ...untrusted];
  }

  /** Files that are no workflow or a broken one, with what is wrong with them. */
  broken(): readonly BrokenEntry[] {
    const { all, kept } = this.#read();
    const suspects = all.filter((entry) => entry.head() === undefined);
    // Every head has been asked for by now.
    for (const heads of kept) heads.save();
    const entries = suspects.map(({ file, source, text, load }) => ({
      file,
      source,
      text,
      diagnostics: load().diagnostics,
    }));
    return entries.filter(({ diagnostics }) => hasErrors(diagnostics));
  }

  /** Where it looks for files, also those places that do not exist. */
  places(): readonly string[] {
    return this.#directories.flatMap(({ path, problem }) => (problem === undefined ? [path] : []));
  }

  warnings(): readonly string[] {
    return this.#read().warnings;
  }

  #read(): Index {
    this.#index ??= this.#buildIndex();
    return this.#index;
  }

  #buildIndex(): Index {
    const index: Index = { byName: new Map(), untrusted: [], all: [], kept: [], warnings: [] };
    for (const directory of this.#directories) {
      const { path, source, expected, problem } = directory;
      if (problem !== undefined) {
        index.warnings.push(problem);
        continue;
      }
      // What a person has vouched for is what lies in the project, not where a link in it leads.
      const files = this.#files.list(path, { followLink: source !== "project", limit: mostFiles + 1 });
      if (files === undefined && expected) {
        const why = "text" in this.#files.read(path) ? "is a file" : "does not exist";
        index.warnings.push(`The workflow directory ${path} ${why} (WORKFLOWS_TEMPLATE_PATHS).`);
      }
      if (files !== undefined && files.length > mostFiles) {
        index.warnings.push(`The workflow directory ${path} has more than ${mostFiles} files; the others are ignored.`);
      }
      // Those that come with Frond are known to its build.
      const heads = source === "built-in" ? undefined : this.#heads;
      const kept = heads === undefined ? undefined : new KeptHeads(heads, path);
      if (kept !== undefined) index.kept.push(kept);
      for (const file of files?.slice(0, mostFiles) ?? []) this.#addFile(file, directory, index, kept);
    }
    return index;
  }

  #addFile(
    file: string,
    { path: root, source: directory, judge }: LibraryDirectory,
    index: Index,
    kept: KeptHeads | undefined,
  ): void {
    const read = this.#files.read(file);
    const reach = { base: dirname(file), root };
    const source: Source = "text" in read ? { ...read, reach } : { name: file, text: "" };
    const load = once((): Loaded => ("text" in read ? this.#loader.load(source) : { diagnostics: [read] }));
    // Those that come with Frond are tested with it; to check them all again would take most of the time that a list takes.
    const isPeeked = directory === "built-in" && "text" in read;
    const check = (): WorkflowHead | undefined => headOf(load());
    const head = once(() =>
      isPeeked ? this.#loader.head(source) : kept === undefined ? check() : kept.head(source, check),
    );
    const { text } = source;
    const name = peekName(text) ?? nameSaid(load()) ?? parse(file).name;
    const standing = judge === undefined ? "trusted" : judge(file, text);
    const trusted = standing === "trusted";
    const overridden = index.byName.get(name);
    const overrides = overridden === undefined ? [] : [overridden, ...overridden.overrides];
    const entry: LibraryEntry = { name, file, source: directory, trusted, standing, overrides, text, load, head };
    index.all.push(entry);
    if (trusted) index.byName.set(name, entry);
    else index.untrusted.push(entry);
  }
}

function nameSaid({ definition }: Loaded): string | undefined {
  return definition === undefined || definition.name === unnamed ? undefined : definition.name;
}

function headOf({ definition, diagnostics }: Loaded): WorkflowHead | undefined {
  return hasErrors(diagnostics) ? undefined : definition;
}

interface Index {
  readonly byName: Map<string, LibraryEntry>;
  readonly untrusted: LibraryEntry[];
  /** Also those that are overridden. */
  readonly all: LibraryEntry[];
  readonly kept: KeptHeads[];
  readonly warnings: string[];
}

/** The name as it stands in the text, so that finding one workflow does not mean parsing them all. */
export function peekName(text: string): string | undefined {
  return /^name:[ \t]+["']?([a-z0-9-]+)["']?[ \t]*(?:#.*)?\r?$/m.exec(text)?.[1];
}

/** The description in the same way; nothing where it takes several lines, or is written in a way that has to be parsed. */
export function peekDescription(text: string): string | undefined {
  const [, said = ""] = /^ {0,2}"?description"?:[ \t]+(.*?)[ \t]*\r?$/m.exec(text) ?? [];
  const [, plain, quoted] = /^(?:([^\s"'|>&*!#%@`{[].*?)(?: #.*)?|("(?:[^"\\]|\\.)*"),?)$/.exec(said) ?? [];
  if (quoted === undefined) return plain;
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

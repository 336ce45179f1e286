import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDirectories } from "../../util/make-directories.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { lock, whileLocked } from "./lock-file.ts";
import { isOurs } from "./ownership.ts";
import { makePrivate } from "./private-directory.ts";

/** What a person has looked at in a project. */
interface TrustedProject {
  /** Users to whom its directories belonged. */
  readonly owners: readonly number[];
  /** Hashes of its files, by their paths below the project. */
  readonly files: Readonly<Record<string, string>>;
}

interface TrustStore {
  find(project: string): TrustedProject | undefined;
  /** `texts` are those of the files, by hash. */
  save(project: string, trusted: TrustedProject, texts: ReadonlyMap<string, string>): Result<void, string>;
  /** The same on top of what is on record at that moment: no other process changes it in between. */
  update(project: string, change: ChangeTrust, texts: ReadonlyMap<string, string>): Result<void, string>;
  /** Does something that ends with a change of this, alone among all processes that share the state directory. */
  alone<T>(action: () => Promise<T>): Promise<Result<T, string>>;
  remove(project: string): Result<void, string>;
  list(): readonly string[];
  /** The text that had this hash when it was trusted; nothing when it is not kept. */
  textOf(hash: string): string | undefined;
}

/** Nothing leaves it as it is. */
type ChangeTrust = (known: TrustedProject | undefined) => TrustedProject | undefined;

type Stored = ReadonlyMap<string, TrustedProject>;

/**
 * Remembers, in the state directory, which files of which projects a person has looked at, and keeps their texts to compare later
 * ones with. Nobody else can vouch: a file that belongs to another user says nothing, and a directory that does is not used.
 */
export function createTrustStore(stateDirectory: string): TrustStore {
  const file = join(stateDirectory, "trusted.json");
  const texts = join(stateDirectory, "trusted");

  function read(): Stored {
    try {
      if (!isOurs(lstatSync(stateDirectory)) || !isOurs(lstatSync(file))) return new Map();
      return parse(JSON.parse(readFileSync(file, "utf8")));
    } catch {
      // No file, or one that says nothing: nothing is trusted.
      return new Map();
    }
  }

  function change(make: (known: Stored) => Stored, added: ReadonlyMap<string, string>): Result<void, string> {
    try {
      const problem = makePrivate(stateDirectory);
      if (problem !== undefined) return err(problem);
      makeDirectories(texts, 0o700);
      whileLocked(`${file}.lock`, () => {
        const known = read();
        const projects = make(known);
        if (projects !== known) write(projects, added);
      });
      return ok(undefined);
    } catch (error) {
      return err(unwritable(error));
    }
  }

  function unwritable(error: unknown): string {
    const why = error instanceof Error ? error.message : String(error);
    return `The state directory ${stateDirectory} can't be written: ${why}.`;
  }

  function write(projects: Stored, added: ReadonlyMap<string, string>): void {
    for (const [hash, text] of added) replace(join(texts, hash), text);
    const sorted = [...projects].sort(([one], [other]) => (one < other ? -1 : 1));
    replace(file, `${JSON.stringify({ version, projects: Object.fromEntries(sorted) }, null, 2)}\n`);
    removeOthers(projects);
  }

  function removeOthers(projects: Stored): void {
    const used = new Set([...projects.values()].flatMap(({ files }) => Object.values(files)));
    for (const name of readdirSync(texts)) {
      // One with a dot is being written by another process.
      if (!used.has(name) && !name.includes(".")) rmSync(join(texts, name), { force: true });
    }
  }

  return {
    find: (project) => read().get(project),
    list: () => [...read().keys()],
    async alone(action) {
      const problem = makePrivate(stateDirectory);
      if (problem !== undefined) return err(problem);
      let unlock: () => void;
      try {
        // Not the lock of a change, which the action makes itself.
        unlock = await lock(join(stateDirectory, "saving.lock"));
      } catch (error) {
        return err(unwritable(error));
      }
      try {
        return ok(await action());
      } finally {
        unlock();
      }
    },
    save: (project, trusted, added) => change((known) => new Map([...known, [project, trusted]]), added),
    update: (project, next, added) =>
      change((known) => {
        const trusted = next(known.get(project));
        return trusted === undefined ? known : new Map([...known, [project, trusted]]);
      }, added),
    remove: (project) => change((known) => new Map([...known].filter(([other]) => other !== project)), new Map()),
    textOf(hash) {
      try {
        return readFileSync(join(texts, hash), "utf8");
      } catch {
        return undefined;
      }
    },
  };
}

/** The first version had paths only, which say nothing of what is in them. */
const version = 2;

function parse(stored: unknown): Stored {
  const projects = new Map<string, TrustedProject>();
  if (!isObject(stored) || stored.version !== version || !isObject(stored.projects)) return projects;
  for (const [project, trusted] of Object.entries(stored.projects)) {
    if (isObject(trusted) && Array.isArray(trusted.owners) && isObject(trusted.files)) {
      projects.set(project, { owners: trusted.owners, files: trusted.files as Record<string, string> });
    }
  }
  return projects;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function replace(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(12).toString("hex")}`;
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
  renameSync(temporary, path);
}

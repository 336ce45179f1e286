import { resolve } from "node:path";
import type { BlockFiles, ChangeOptions, FileChange, RerunRule } from "../block/block-files.ts";
import { BlockCannotRun } from "../block/define-block.ts";
import type { FileProblem, FileSystem, RootedPath } from "../block/ports.ts";
import { absolutePath } from "../block/rooted-path.ts";
import { temporaryName } from "../block/temporary-name.ts";
import { applyChange } from "../changes/apply-change.ts";
import { captureEach, type Keeping, sha256Of } from "../changes/capture-changes.ts";
import { digestNames } from "../changes/effects.ts";
import type { EntryState, RecordedChange } from "../changes/recorded-change.ts";
import type { ValueMap } from "../expression/value.ts";
import { type GuardedDirectory, guardedDirectory } from "../util/guarded-directory.ts";
import type { KeyedLocks } from "../util/keyed-locks.ts";
import { pathBelow } from "../util/path-below.ts";
import type { SeenEntry } from "./events.ts";

export interface JournaledFilesOptions extends Keeping {
  readonly runId: string;
  readonly fileSystem: FileSystem;
  /** Of the attempt: once it aborts nothing more is read, announced or changed. */
  readonly signal: AbortSignal;
  readonly locks: KeyedLocks;
  /** A real path. */
  readonly workspace: string;
  /** Where Frond keeps its own data, which no block writes to; a real path. */
  readonly stateDirectory: string;
  /** Makes an event durable that announces the changes; told the event's number, by which temporary files are named. */
  announce(announced: AnnouncedChanges): Promise<void>;
  recall(sha256: string): Promise<Uint8Array | undefined>;
  /** Rejects when another process has taken the run, by which the attempt has ended. */
  confirmHeld(): Promise<void>;
  /** Makes changes while nobody looks at the workspace as a whole, who would see one half of them. */
  whileUnseen?<T>(change: () => Promise<T>): Promise<T>;
}

export interface AnnouncedChanges {
  changes(sequence: number): readonly RecordedChange[];
  readonly outputs: ValueMap;
  readonly rerun?: RerunRule;
}

/** As far as Linux reads a path at once. Directory by directory one could go further, and make what nobody could reach. */
const longestPath = 4095;

const withheld = "withheld: the file holds a secret";

const whoMayChange: Readonly<Record<GuardedDirectory, string>> = {
  ".git": "which only git itself may change",
  ".frond": "where workflows are kept, which no block may change",
};

/**
 * A block's way to files. Every change is on disk as an event, with what it replaces, before it is made; none is made for an
 * attempt that has ended.
 */
export class JournaledFiles implements BlockFiles {
  readonly #options: JournaledFilesOptions;
  readonly look: FileSystem["look"];
  readonly read: FileSystem["read"];
  readonly list: FileSystem["list"];
  readonly hash: FileSystem["hash"];
  readonly #fileSystem: FileSystem;
  readonly #seen = new Map<string, SeenEntry>();
  #hasChanged = false;
  #applying: Promise<FileProblem | undefined> | undefined;
  #announced = 0;
  #made = 0;

  constructor(options: JournaledFilesOptions) {
    this.#options = options;
    const fileSystem = options.fileSystem.withSignal(options.signal);
    this.#fileSystem = fileSystem;
    this.look = async (at) => {
      const state = await fileSystem.look(at);
      if (!("message" in state) && state.kind !== "other" && !this.#seen.has(absolutePath(at))) this.#see(at, state);
      return state;
    };
    this.read = async (at, maxBytes) => {
      const read = await fileSystem.read(at, maxBytes);
      if (!("message" in read)) {
        const { bytes, mode } = read;
        this.#see(at, { kind: "file", mode, size: bytes.length, sha256: this.fingerprint(bytes) });
      }
      return read;
    };
    this.hash = async (at) => {
      const hashed = await fileSystem.hash(at);
      if (!("message" in hashed)) this.#see(at, { kind: "file", mode: hashed.mode, size: hashed.size });
      return hashed;
    };
    this.list = async (at, maxNames) => {
      const names = await fileSystem.list(at, maxNames);
      if (!("message" in names)) this.#see(at, { kind: "directory", names: digestNames(names) });
      return names;
    };
  }

  /** What the block has looked at before it changed anything, in order. */
  get seen(): readonly SeenEntry[] {
    return [...this.#seen.values()];
  }

  #see(at: RootedPath, state: EntryState): void {
    const path = absolutePath(at);
    if (!this.#hasChanged && this.#seen.get(path)?.made !== true) this.#seen.set(path, { at, state });
  }

  locate(path: string, unsafe: boolean): RootedPath {
    const { workspace } = this.#options;
    if (path === "") throw new BlockCannotRun("The path is empty.");
    if (path.includes("\0")) throw new BlockCannotRun("The path contains a NUL character.");
    // Only shells know it, and a directory of this name is the last thing one wants to remove by hand.
    if (/^~(\/|$)/.test(path)) {
      throw new BlockCannotRun(
        `'${path}' begins with '~', which does not stand for your home directory here. Write that out, or './${path}' for something called '~'.`,
      );
    }
    const absolute = resolve(workspace, path);
    if (Buffer.byteLength(absolute) > longestPath) {
      const most = longestPath.toLocaleString("en-US");
      throw new BlockCannotRun(
        `The path '${path.slice(0, 50)}...' is longer than ${most} bytes, which no other program could open.`,
      );
    }
    const below = pathBelow(workspace, absolute);
    if (below !== undefined) return { root: workspace, path: below };
    if (unsafe) return { root: "/", path: absolute.slice(1) };
    throw new BlockCannotRun(
      `'${path}' is outside the workspace '${workspace}'. Use a path inside it, or set \`unsafe: true\` on the block.`,
    );
  }

  locateForChange(path: string, unsafe: boolean): RootedPath {
    const at = this.locate(path, unsafe);
    if (at.path === "") {
      const what = at.root === this.#options.workspace ? "the workspace itself" : "the root of the file system";
      throw new BlockCannotRun(`'${path}' is ${what}.`);
    }
    for (const name of at.path.split("/")) {
      const guarded = guardedDirectory(name);
      if (guarded !== undefined) throw new BlockCannotRun(`'${path}' is in '${guarded}', ${whoMayChange[guarded]}.`);
    }
    // Some file systems take upper and lower case for the same.
    const [own, wanted] = [this.#options.stateDirectory, absolutePath(at)].map(foldCase) as [string, string];
    if (pathBelow(own, wanted) !== undefined) {
      throw new BlockCannotRun(`'${path}' is in Frond's own state directory.`);
    }
    return at;
  }

  fingerprint(bytes: Uint8Array): string {
    return this.#options.holdsSecret(bytes) ? withheld : sha256Of(bytes);
  }

  recall(sha256: string): Promise<Uint8Array | undefined> {
    return this.#options.recall(sha256);
  }

  change(
    changes: readonly FileChange[],
    outputs: ValueMap,
    options: ChangeOptions = {},
  ): Promise<FileProblem | undefined> {
    const change = (): Promise<FileProblem | undefined> => this.#change(changes, outputs, options);
    return this.#options.whileUnseen === undefined ? change() : this.#options.whileUnseen(change);
  }

  async #change(
    changes: readonly FileChange[],
    outputs: ValueMap,
    { rerun, goOn = false, onMade }: ChangeOptions,
  ): Promise<FileProblem | undefined> {
    // What is announced is the whole of what the block does: only so can it be told from the disk whether it is done.
    if (this.#hasChanged) throw new Error("A block changes files once.");
    this.#hasChanged = true;
    const { runId } = this.#options;
    const { possible, problem } = await captureEach(changes, this.#fileSystem, this.#options, goOn);
    if (problem !== undefined && !(goOn && possible.length > 0)) return problem;
    let announced: readonly RecordedChange[] = [];
    const record = (sequence: number): readonly RecordedChange[] => {
      // It may have had to wait for its turn.
      this.#options.signal.throwIfAborted();
      announced = possible.map(({ captured }, index) => captured(temporaryName(runId, sequence, index)));
      return announced;
    };
    // Without those that can't be made, it is not done when the others are found made.
    const again = problem === undefined ? rerun : "always";
    await this.#options.announce({ changes: record, outputs, ...(again === undefined ? {} : { rerun: again }) });
    this.#announced = announced.length;
    this.#applying = this.#apply(possible, announced, goOn, onMade);
    const met = await this.#applying;
    return problem ?? met;
  }

  exclusively<T>(at: RootedPath, action: () => Promise<T>): Promise<T> {
    return this.#options.locks.run(absolutePath(at), action, this.#options.signal);
  }

  /** Resolves when no change is being made. After the signal that is when the system has ended what it had begun. */
  async settled(): Promise<void> {
    await this.#applying?.catch(() => undefined);
  }

  /** How far it got with changes that it had announced. */
  get progress(): string | undefined {
    if (this.#announced === 0) return undefined;
    return `${this.#made} of ${this.#announced} file changes were made`;
  }

  async #apply(
    changes: readonly { readonly change: FileChange }[],
    announced: readonly RecordedChange[],
    goOn: boolean,
    onMade?: () => void,
  ): Promise<FileProblem | undefined> {
    let first: FileProblem | undefined;
    for (const [index, { change }] of changes.entries()) {
      await this.#options.confirmHeld();
      const problem = await applyChange(change, announced[index] as RecordedChange, this.#fileSystem);
      if (problem === undefined) this.#made++;
      else if (!goOn) return problem;
      first ??= problem;
      onMade?.();
    }
    return first;
  }

  makeEmpty(at: RootedPath): Promise<FileProblem | undefined> {
    this.#make(at, { kind: "directory" });
    return this.#fileSystem.makeDirectory(at, this.#fileSystem.newDirectoryMode);
  }

  removeEmpty(at: RootedPath): Promise<FileProblem | undefined> {
    this.#make(at, { kind: "missing" });
    return this.#fileSystem.remove(at);
  }

  removeTree(at: RootedPath): Promise<FileProblem | undefined> {
    this.#make(at, { kind: "missing" });
    return this.#fileSystem.removeTree(at);
  }

  #make(at: RootedPath, state: EntryState): void {
    this.#seen.delete(absolutePath(at));
    this.#seen.set(absolutePath(at), { at, state, made: true });
  }
}

function foldCase(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

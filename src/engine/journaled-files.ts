import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { BlockFiles, FileChange } from "../block/block-files.ts";
import { BlockCannotRun } from "../block/define-block.ts";
import type { FilePlace, FileProblem, FileSystem } from "../block/ports.ts";
import { shownPath } from "../block/shown-path.ts";
import type { ValueMap } from "../expression/value.ts";
import { type GuardedDirectory, guardedDirectory } from "../util/guarded-directory.ts";
import type { KeyedLocks } from "../util/keyed-locks.ts";
import { pathBelow } from "../util/path-below.ts";
import type { RecordedChange, StoredState } from "./events.ts";

export interface JournaledFilesOptions {
  readonly runId: string;
  readonly fileSystem: FileSystem;
  /** Of the attempt: once it aborts nothing more is read, announced or changed. */
  readonly signal: AbortSignal;
  readonly locks: KeyedLocks;
  /** A real path. */
  readonly workspace: string;
  /** Where Frond keeps its own data, which no block writes to; a real path. */
  readonly stateDirectory: string;
  /** Whether a secret is among the bytes. */
  holdsSecret(bytes: Uint8Array): boolean;
  /** Makes an event durable that announces the changes; told the event's number, by which temporary files are named. */
  announce(changes: (sequence: number) => readonly RecordedChange[], outputs: ValueMap): Promise<void>;
  /** Rejects when another process has taken the run, by which the attempt has ended. */
  confirmHeld(): Promise<void>;
}

/** Larger files are changed all the same, but can't be put back. */
const mostBytesKept = 50_000_000;

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
  readonly #fileSystem: FileSystem;
  #hasChanged = false;
  #applying: Promise<FileProblem | undefined> | undefined;
  #announced = 0;
  #made = 0;

  constructor(options: JournaledFilesOptions) {
    this.#options = options;
    const fileSystem = options.fileSystem.withSignal(options.signal);
    this.#fileSystem = fileSystem;
    this.look = (place) => fileSystem.look(place);
    this.read = (place, maxBytes) => fileSystem.read(place, maxBytes);
    this.list = (place, maxNames) => fileSystem.list(place, maxNames);
  }

  locate(path: string, unsafe: boolean): FilePlace {
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
      `'${path}' lies outside the workspace '${workspace}'. Use a path inside it, or set \`unsafe: true\` on the block.`,
    );
  }

  locateForChange(path: string, unsafe: boolean): FilePlace {
    const place = this.locate(path, unsafe);
    if (place.path === "") {
      const what = place.root === this.#options.workspace ? "the workspace itself" : "the root of the file system";
      throw new BlockCannotRun(`'${path}' is ${what}.`);
    }
    for (const name of place.path.split("/")) {
      const guarded = guardedDirectory(name);
      if (guarded !== undefined) throw new BlockCannotRun(`'${path}' lies in '${guarded}', ${whoMayChange[guarded]}.`);
    }
    // Some file systems take upper and lower case for the same.
    const [own, wanted] = [this.#options.stateDirectory, absolutePath(place)].map(foldCase) as [string, string];
    if (pathBelow(own, wanted) !== undefined) {
      throw new BlockCannotRun(`'${path}' lies in Frond's own state directory.`);
    }
    return place;
  }

  fingerprint(bytes: Uint8Array): string {
    return this.#options.holdsSecret(bytes) ? withheld : hash(bytes);
  }

  async change(changes: readonly FileChange[], outputs: ValueMap): Promise<FileProblem | undefined> {
    // What is announced is the whole of what the block does: only so can it be told from the disk whether it is done.
    if (this.#hasChanged) throw new Error("A block changes files once.");
    this.#hasChanged = true;
    const recorded: ((sequence: number) => RecordedChange)[] = [];
    for (const [index, change] of changes.entries()) {
      const described = await this.#describe(change, index);
      if ("message" in described) return described;
      recorded.push(described.at);
    }
    let announced: readonly RecordedChange[] = [];
    await this.#options.announce((sequence) => {
      // It may have had to wait for its turn.
      this.#options.signal.throwIfAborted();
      announced = recorded.map((at) => at(sequence));
      return announced;
    }, outputs);
    this.#announced = announced.length;
    this.#applying = this.#apply(changes, announced);
    return this.#applying;
  }

  exclusively<T>(place: FilePlace, action: () => Promise<T>): Promise<T> {
    return this.#options.locks.run(absolutePath(place), action, this.#options.signal);
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

  async #apply(changes: readonly FileChange[], announced: readonly RecordedChange[]): Promise<FileProblem | undefined> {
    for (const [index, change] of changes.entries()) {
      await this.#options.confirmHeld();
      const problem = await this.#make(change, announced[index] as RecordedChange);
      if (problem !== undefined) return problem;
      this.#made++;
    }
    return undefined;
  }

  makeEmpty(place: FilePlace): Promise<FileProblem | undefined> {
    return this.#fileSystem.makeDirectory(place, this.#fileSystem.newDirectoryMode);
  }

  removeEmpty(place: FilePlace): Promise<FileProblem | undefined> {
    return this.#fileSystem.remove(place);
  }

  removeTree(place: FilePlace): Promise<FileProblem | undefined> {
    return this.#fileSystem.removeTree(place);
  }

  async #describe(change: FileChange, index: number): Promise<{ at(sequence: number): RecordedChange } | FileProblem> {
    const fileSystem = this.#fileSystem;
    switch (change.kind) {
      case "write": {
        const { place, bytes } = change;
        const before = await this.#store(place);
        if ("message" in before) return before;
        const kept = before.kind === "file" ? before.mode : fileSystem.newFileMode;
        const after = { mode: change.mode ?? kept, sha256: hash(bytes), size: bytes.length };
        const name = (sequence: number): string => `.${this.#options.runId}-${sequence}-${index}.tmp`;
        return { at: (sequence) => ({ kind: "write", place, before, after, temporary: name(sequence) }) };
      }
      case "remove": {
        const { place } = change;
        const before = await this.#store(place);
        return "message" in before ? before : { at: () => ({ kind: "remove", place, before }) };
      }
      case "make-directory": {
        const { place } = change;
        return { at: () => ({ kind: "make-directory", place, mode: fileSystem.newDirectoryMode }) };
      }
      case "rename": {
        const { from, to } = change;
        const replaced = await this.#store(to);
        return "message" in replaced ? replaced : { at: () => ({ kind: "rename", from, to, replaced }) };
      }
    }
  }

  /** What lies at a place, with its bytes unless they are too many. */
  async #store(place: FilePlace): Promise<StoredState | FileProblem> {
    const fileSystem = this.#fileSystem;
    const state = await fileSystem.look(place);
    if ("message" in state) return state;
    if (state.kind === "other") {
      return { kind: "forbidden", message: `'${shownPath(place)}' is neither a file nor a directory` };
    }
    if (state.kind !== "file") return state;
    const read = await fileSystem.read(place, mostBytesKept);
    if ("bytes" in read) {
      const { bytes, mode } = read;
      const content = Buffer.from(bytes).toString("base64");
      return { kind: "file", mode, sha256: hash(bytes), size: bytes.length, content };
    }
    if (read.kind !== "too-large") return read;
    const hashed = await fileSystem.hash(place);
    return "message" in hashed ? hashed : { kind: "file", ...hashed };
  }

  /** One that somebody else has made since is as good. */
  async #makeDirectory(place: FilePlace): Promise<FileProblem | undefined> {
    const fileSystem = this.#fileSystem;
    const problem = await fileSystem.makeDirectory(place, fileSystem.newDirectoryMode);
    if (problem?.kind !== "exists") return problem;
    const found = await fileSystem.look(place);
    return found.kind === "directory" ? undefined : problem;
  }

  #make(change: FileChange, recorded: RecordedChange): Promise<FileProblem | undefined> {
    const fileSystem = this.#fileSystem;
    switch (change.kind) {
      case "write": {
        if (recorded.kind !== "write") throw new Error("What was announced is something else.");
        return fileSystem.replace(change.place, change.bytes, recorded.after.mode, recorded.temporary);
      }
      case "remove":
        return fileSystem.remove(change.place);
      case "make-directory":
        return this.#makeDirectory(change.place);
      case "rename":
        return fileSystem.rename(change.from, change.to);
    }
  }
}

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function absolutePath({ root, path }: FilePlace): string {
  return resolve(root, path);
}

function foldCase(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

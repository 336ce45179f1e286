import { createHash } from "node:crypto";
import type { FileChange } from "../block/block-files.ts";
import type { BlobProblem, FileProblem, FileState, FileSystem, RootedPath } from "../block/ports.ts";
import { absolutePath, parentOf, shownPath } from "../block/rooted-path.ts";
import { effectsOf } from "./effects.ts";
import { KeepTogether } from "./keep-together.ts";
import type { EntryState, RecordedChange, StoredState } from "./recorded-change.ts";

/** The record of a change; the name of its temporary file is known only when it is recorded. */
export type Captured = (temporary: string) => RecordedChange;

/** Larger files are changed all the same, but can't be put back. */
const mostBytesKept = 50_000_000;
/** What is written is kept only to show and merge differences, which nobody wants to see of larger files. */
const mostBytesShown = 1_000_000;

/** How bytes are kept that undo may need. */
export interface Keeping {
  /** Bytes that hold a secret are kept nowhere. */
  holdsSecret(bytes: Uint8Array): boolean;
  /** Resolves when they are kept, durably if they have to last, or with the reason why not. */
  keep(bytes: Uint8Array, lasting: boolean): Promise<BlobProblem | undefined>;
  /** Whether it was promised that changes can be taken back: then none is made whose file can't be kept. */
  readonly promisesUndo: boolean;
}

/** The records of changes that are about to be made together, with what lies there now. */
export async function captureChanges(
  changes: readonly FileChange[],
  fileSystem: FileSystem,
  keeping: Keeping,
): Promise<readonly Captured[] | FileProblem> {
  const { possible, problem } = await captureEach(changes, fileSystem, keeping, false);
  return problem ?? possible.map(({ captured }) => captured);
}

export interface CapturedChanges {
  readonly possible: readonly { readonly change: FileChange; readonly captured: Captured }[];
  /** The first, of a change that can't be made because nobody can tell or keep what it would replace. */
  readonly problem?: FileProblem;
}

/** The same with the changes, up to the first that can't be made, or without those. */
export async function captureEach(
  changes: readonly FileChange[],
  fileSystem: FileSystem,
  keeping: Keeping,
  goOn: boolean,
): Promise<CapturedChanges> {
  const together = new Capturing(fileSystem, keeping, false);
  const captured = await captureWith(together, changes, goOn);
  const { unkept } = together;
  if (unkept === undefined) return captured;
  // What is to lie there after a change that can't be made counts for those that follow it, so they are captured one by one.
  if (goOn) return captureWith(new Capturing(fileSystem, keeping, true), changes, true);
  return { possible: [], problem: captured.problem ?? unkept };
}

async function captureWith(
  capturing: Capturing,
  changes: readonly FileChange[],
  goOn: boolean,
): Promise<CapturedChanges> {
  const possible: { readonly change: FileChange; readonly captured: Captured }[] = [];
  let problem: FileProblem | undefined;
  try {
    for (const change of changes) {
      const captured = await capturing.capture(change);
      if (!("message" in captured)) possible.push({ change, captured });
      else problem ??= captured;
      if ((problem !== undefined && !goOn) || capturing.unkept !== undefined) break;
    }
  } finally {
    await capturing.settled();
  }
  return { possible, ...(problem === undefined ? {} : { problem }) };
}

export async function bytesOf({ bytes }: Extract<FileChange, { kind: "write" }>): Promise<Uint8Array> {
  return typeof bytes === "function" ? bytes() : bytes;
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

type FileEntry = Extract<FileState, { kind: "file" }> & { readonly sha256?: string };

/** What is kept is known only later. */
interface Kept {
  kept?: true;
}

type Written = Extract<RecordedChange, { kind: "write" }>["after"];

class Capturing {
  readonly #fileSystem: FileSystem;
  readonly #keeping: Keeping;
  readonly #together: KeepTogether;
  readonly #oneByOne: boolean;
  /** Why a file can't be changed, unless they are kept one by one: then whoever captures it is told. */
  unkept: FileProblem | undefined;
  /** What the changes so far leave at their paths: none of them is made before all are captured. */
  readonly #left = new Map<string, EntryState>();
  /** Directories that are made: nothing lies in them yet, whatever it is that they replace. */
  readonly #made = new Set<string>();

  constructor(fileSystem: FileSystem, keeping: Keeping, oneByOne: boolean) {
    this.#fileSystem = fileSystem;
    this.#keeping = keeping;
    this.#oneByOne = oneByOne;
    this.#together = new KeepTogether((bytes, lasting) => keeping.keep(bytes, lasting));
  }

  /** From then on the records tell what is kept. */
  settled(): Promise<void> {
    return this.#together.settle();
  }

  async capture(change: FileChange): Promise<Captured | FileProblem> {
    const captured = await this.#describe(change);
    if ("message" in captured) return captured;
    if (this.#oneByOne) {
      await this.settled();
      const { unkept } = this;
      this.unkept = undefined;
      if (unkept !== undefined) return unkept;
    }
    const recorded = captured("");
    for (const { at, after } of effectsOf(recorded)) this.#left.set(absolutePath(at), after);
    if (recorded.kind === "make-directory") {
      this.#left.set(absolutePath(recorded.at), { kind: "directory", mode: recorded.mode });
      this.#made.add(absolutePath(recorded.at));
    }
    return captured;
  }

  async #describe(change: FileChange): Promise<Captured | FileProblem> {
    switch (change.kind) {
      case "write": {
        const { at } = change;
        const bytes = await bytesOf(change);
        const before = await this.#store(at);
        if ("message" in before) return before;
        const oldMode = before.kind === "file" ? before.mode : this.#fileSystem.newFileMode;
        const after: Written & Kept = { mode: change.mode ?? oldMode, sha256: sha256Of(bytes), size: bytes.length };
        await this.#keepShown(bytes, after);
        return (temporary) => ({ kind: "write", at, before, after, temporary });
      }
      case "remove": {
        const { at } = change;
        const before = await this.#store(at);
        return "message" in before ? before : () => ({ kind: "remove", at, before });
      }
      case "make-directory": {
        const { at, mode = this.#fileSystem.newDirectoryMode } = change;
        return () => ({ kind: "make-directory", at, mode });
      }
      case "make-link":
      case "ref":
        return () => change;
      case "rename": {
        const { from, to } = change;
        const moved = await this.#identify(from);
        if ("message" in moved) return moved;
        const replaced = await this.#store(to);
        return "message" in replaced ? replaced : () => ({ kind: "rename", from, to, moved, replaced });
      }
      case "set-mode":
        return this.#describeMode(change);
    }
  }

  async #describeMode({ at, mode: after }: Extract<FileChange, { kind: "set-mode" }>): Promise<Captured | FileProblem> {
    const state = await this.#look(at);
    if ("message" in state) return state;
    const kind = "set-mode";
    if (state.kind === "directory") return () => ({ kind, at, entry: "directory", before: state.mode, after });
    if (state.kind === "file") {
      const { mode: before, size, sha256 } = await this.#tell(at, state);
      const digest = sha256 === undefined ? {} : { sha256 };
      return () => ({ kind, at, entry: "file", before, after, size, ...digest });
    }
    const why = state.kind === "missing" ? "it does not exist" : "it is a symbolic link, and links are not followed";
    return {
      kind: state.kind === "missing" ? "missing" : "forbidden",
      message: `the mode of '${shownPath(at)}' can't be set: ${why}`,
    };
  }

  /** Whether it can be read or not, its mode can be set. */
  async #tell(at: RootedPath, state: FileEntry): Promise<FileEntry> {
    if (state.size > mostBytesKept) return state;
    const hashed = await this.#fileSystem.hash(at);
    return "message" in hashed ? state : { kind: "file", ...hashed };
  }

  /** What is to be replaced or removed, with its bytes unless they are too many or secret. */
  async #store(at: RootedPath): Promise<StoredState | FileProblem> {
    const state = await this.#look(at);
    if ("message" in state || state.kind !== "file") return state;
    const read = await this.#fileSystem.read(at, mostBytesKept);
    if ("bytes" in read) return this.#keep(at, read);
    if (read.kind !== "too-large") return read;
    if (this.#keeping.promisesUndo) {
      return notKept(at, `It is larger than ${megabytes(mostBytesKept)} MB, so undo could not put it back.`);
    }
    const hashed = await this.#fileSystem.hash(at);
    return "message" in hashed ? hashed : { kind: "file", ...hashed };
  }

  /** What is to be moved. Moving needs no permission to read it, and no time for many bytes, so neither may be needed here. */
  async #identify(at: RootedPath): Promise<EntryState | FileProblem> {
    const state = await this.#look(at);
    if ("message" in state || state.kind !== "file" || state.size > mostBytesKept) return state;
    const read = await this.#fileSystem.read(at, mostBytesKept);
    return "bytes" in read ? this.#keep(at, read) : state;
  }

  async #keep(
    at: RootedPath,
    { bytes, mode }: { readonly bytes: Uint8Array; readonly mode: number },
  ): Promise<Extract<StoredState, { kind: "file" }>> {
    const state: Extract<StoredState, { kind: "file" }> & Kept = {
      kind: "file",
      mode,
      sha256: sha256Of(bytes),
      size: bytes.length,
    };
    if (this.#keeping.holdsSecret(bytes)) return state;
    await this.#together.add(bytes, true, (problem) => {
      if (problem === undefined) state.kept = true;
      else if (problem.kind !== "limit" || this.#keeping.promisesUndo) this.unkept ??= notKept(at, problem.message);
    });
    return state;
  }

  async #keepShown(bytes: Uint8Array, after: Kept): Promise<void> {
    if (bytes.length > mostBytesShown || this.#keeping.holdsSecret(bytes)) return;
    await this.#together.add(bytes, false, (problem) => {
      if (problem === undefined) after.kept = true;
    });
  }

  async #look(at: RootedPath): Promise<Exclude<FileState, { kind: "other" }> | FileProblem> {
    const left = this.#left.get(absolutePath(at));
    if (left?.kind === "missing") return left;
    // One may have to be opened before it can be filled or emptied.
    if (left?.kind === "directory" && left.mode !== undefined) return { kind: "directory", mode: left.mode };
    // Nothing could tell its bytes yet.
    if (left !== undefined) throw new Error(`'${shownPath(at)}' is changed twice at once.`);
    if (this.#made.has(absolutePath(parentOf(at)))) return { kind: "missing" };
    const state = await this.#fileSystem.look(at);
    if (state.kind !== "other") return state;
    return { kind: "forbidden", message: `'${shownPath(at)}' is neither a file nor a directory` };
  }
}

function notKept(at: RootedPath, why: string): FileProblem {
  return { kind: "unusable", message: `'${shownPath(at)}' is left as it is. ${why}` };
}

function megabytes(bytes: number): string {
  return Math.round(bytes / 1e6).toLocaleString("en-US");
}

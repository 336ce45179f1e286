import { createHash } from "node:crypto";
import type { FileChange } from "../block/block-files.ts";
import type { FileProblem, FileState, FileSystem, RootedPath } from "../block/ports.ts";
import { absolutePath, shownPath } from "../block/rooted-path.ts";
import { effectsOf } from "./effects.ts";
import type { EntryState, RecordedChange, StoredState } from "./recorded-change.ts";

/** The record of a change; the name of its temporary file is known only when it is recorded. */
export type Captured = (temporary: string) => RecordedChange;

/** Larger files are changed all the same, but can't be put back. */
const mostBytesKept = 50_000_000;

/** The records of changes that are about to be made together, with what lies there now. Bytes that hold a secret are not kept. */
export async function captureChanges(
  changes: readonly FileChange[],
  fileSystem: FileSystem,
  holdsSecret: (bytes: Uint8Array) => boolean,
): Promise<readonly Captured[] | FileProblem> {
  const capturing = new Capturing(fileSystem, holdsSecret);
  const captured: Captured[] = [];
  for (const change of changes) {
    const one = await capturing.capture(change);
    if ("message" in one) return one;
    captured.push(one);
  }
  return captured;
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

class Capturing {
  readonly #fileSystem: FileSystem;
  readonly #holdsSecret: (bytes: Uint8Array) => boolean;
  /** What the changes so far leave at their paths: none of them is made before all are captured. */
  readonly #left = new Map<string, EntryState["kind"]>();

  constructor(fileSystem: FileSystem, holdsSecret: (bytes: Uint8Array) => boolean) {
    this.#fileSystem = fileSystem;
    this.#holdsSecret = holdsSecret;
  }

  async capture(change: FileChange): Promise<Captured | FileProblem> {
    const captured = await this.#describe(change);
    if ("message" in captured) return captured;
    for (const { at, after } of effectsOf(captured(""))) this.#left.set(absolutePath(at), after.kind);
    return captured;
  }

  async #describe(change: FileChange): Promise<Captured | FileProblem> {
    switch (change.kind) {
      case "write": {
        const { at, bytes } = change;
        const before = await this.#store(at);
        if ("message" in before) return before;
        const kept = before.kind === "file" ? before.mode : this.#fileSystem.newFileMode;
        const after = { mode: change.mode ?? kept, sha256: sha256Of(bytes), size: bytes.length };
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
        return () => change;
      case "rename": {
        const { from, to } = change;
        const moved = await this.#identify(from);
        if ("message" in moved) return moved;
        const replaced = await this.#store(to);
        return "message" in replaced ? replaced : () => ({ kind: "rename", from, to, moved, replaced });
      }
    }
  }

  /** What is to be replaced or removed, with its bytes unless they are too many or secret. */
  async #store(at: RootedPath): Promise<StoredState | FileProblem> {
    const state = await this.#look(at);
    if ("message" in state || state.kind !== "file") return state;
    const read = await this.#fileSystem.read(at, mostBytesKept);
    if ("bytes" in read) {
      const { bytes, mode } = read;
      const kept = this.#holdsSecret(bytes) ? {} : { content: Buffer.from(bytes).toString("base64") };
      return { kind: "file", mode, sha256: sha256Of(bytes), size: bytes.length, ...kept };
    }
    if (read.kind !== "too-large") return read;
    const hashed = await this.#fileSystem.hash(at);
    return "message" in hashed ? hashed : { kind: "file", ...hashed };
  }

  /** What is to be moved. Moving needs no permission to read it, and no time for its bytes, so neither may be needed here. */
  async #identify(at: RootedPath): Promise<EntryState | FileProblem> {
    const state = await this.#look(at);
    if ("message" in state || state.kind !== "file" || state.size > mostBytesKept) return state;
    const hashed = await this.#fileSystem.hash(at);
    return "message" in hashed ? state : { kind: "file", ...hashed };
  }

  async #look(at: RootedPath): Promise<Exclude<FileState, { kind: "other" }> | FileProblem> {
    const left = this.#left.get(absolutePath(at));
    if (left === "missing") return { kind: left };
    // Nothing could tell its bytes yet.
    if (left !== undefined) throw new Error(`'${shownPath(at)}' is changed twice at once.`);
    const state = await this.#fileSystem.look(at);
    if (state.kind !== "other") return state;
    return { kind: "forbidden", message: `'${shownPath(at)}' is neither a file nor a directory` };
  }
}

import type { BlockFiles } from "../../block/block-files.ts";
import { BlockCannotRun } from "../../block/define-block.ts";
import type { FileProblem, RootedPath } from "../../block/ports.ts";
import { absolutePath, parentOf, shownPath } from "../../block/rooted-path.ts";
import { isSameState } from "../../changes/effects.ts";
import type { Restore, RestoredState } from "../../changes/order-restores.ts";
import type { EntryState } from "../../changes/recorded-change.ts";
import { writeState } from "../../changes/state-text.ts";

/** A path with the state that somebody left it in, and the one that it is to have again. */
export interface WantedState {
  /** As it is written. */
  readonly path: string;
  readonly at: RootedPath;
  readonly expect: EntryState;
  readonly restore: EntryState;
}

/** What can't be restored without losing what somebody else has done, or not at all. */
export interface Conflict {
  readonly path: string;
  readonly reason: string;
  /** What lies there, as a state is written. */
  readonly found: string;
  /** `on_conflict: force` would restore it. */
  readonly forcible?: true;
}

export type FoundPath =
  | { readonly kind: "already" }
  | { readonly kind: "restorable"; readonly wanted: WantedState; readonly restore: Restore }
  /** Without a state, no force can restore it either. */
  | {
      readonly kind: "conflict";
      readonly wanted: WantedState;
      readonly conflict: Conflict;
      readonly present?: EntryState;
    };

type FileEntry = Extract<EntryState, { kind: "file" }>;

/** Larger ones are not kept before they are replaced, so they are not replaced. */
const mostBytesKept = 50_000_000;
const ownerMayAll = 0o700;
const ownerMayChange = 0o300;

/** Looks at paths that are to be restored; at each path on the way to them once. */
export class RestoreFinder {
  readonly #files: BlockFiles;
  readonly #looked = new Map<string, Promise<EntryState | FileProblem>>();

  constructor(files: BlockFiles) {
    this.#files = files;
  }

  async find(wanted: WantedState): Promise<FoundPath> {
    const { path, expect, restore } = wanted;
    // The run left it as it was, so whatever is there is somebody else's.
    if (writeState(expect) === writeState(restore)) return { kind: "already" };
    const present = await this.identify(wanted);
    if ("message" in present)
      return { kind: "conflict", wanted, conflict: { path, reason: present.message, found: "" } };
    if (isSameState(present, restore)) return { kind: "already" };
    if (isAsLeft(present, wanted)) return this.restore(wanted, present);
    const conflict = { path, reason: explain(present, expect), found: describeFound(present) };
    return { kind: "conflict", wanted, conflict, present };
  }

  /** Whatever is there. */
  async restore(wanted: WantedState, present: EntryState): Promise<FoundPath> {
    const refuse = (reason: string): FoundPath => {
      const found = describeFound(present);
      return { kind: "conflict", wanted, conflict: { path: wanted.path, reason, found } };
    };
    const isModeOnly = hasSameBytes(present, wanted);
    if (present.kind === "file" && !isModeOnly && (present.size ?? 0) > mostBytesKept) {
      return refuse("too large: it has more than 50 MB, so it could not be kept before it is replaced");
    }
    const state = await this.#recall(wanted.restore, isModeOnly);
    if (state === undefined) return refuse("not kept: the bytes that it had are not there any more");
    return { kind: "restorable", wanted, restore: { at: wanted.at, present, restore: state } };
  }

  /** What lies at a path; below a link or a file nothing does. */
  look(at: RootedPath): Promise<EntryState | FileProblem> {
    const path = absolutePath(at);
    const looked = this.#looked.get(path) ?? this.#lookBelow(at);
    this.#looked.set(path, looked);
    return looked;
  }

  async #lookBelow(at: RootedPath): Promise<EntryState | FileProblem> {
    if (at.path === "") return { kind: "directory" };
    const above = await this.look(parentOf(at));
    if ("message" in above) return above;
    if (above.kind !== "directory") return { kind: "missing" };
    const state = await this.#files.look(at);
    if (state.kind !== "other") return state;
    return { kind: "forbidden", message: `'${shownPath(at)}' is neither a file nor a directory` };
  }

  /** What lies there, with a digest if only that can tell which it is. */
  async identify({ at, expect, restore }: WantedState): Promise<EntryState | FileProblem> {
    const state = await this.look(at);
    if ("message" in state || state.kind !== "file") return state;
    const isOpen = [expect, restore].some(
      (one) => one.kind === "file" && one.sha256 !== undefined && (one.size ?? state.size) === state.size,
    );
    if (!isOpen) return state;
    const hashed = await this.#files.hash(at);
    return "message" in hashed ? hashed : { kind: "file", ...hashed };
  }

  async #recall(state: EntryState, isModeOnly: boolean): Promise<RestoredState | undefined> {
    if (state.kind !== "file") return state;
    const { mode, sha256 } = state;
    if (isModeOnly) return { kind: "file", mode };
    if (sha256 === undefined || (await this.#files.recall(sha256)) === undefined) return undefined;
    // Looked at now and fetched when it is needed: all of them together may be more than fits into memory.
    return { kind: "file", mode, bytes: () => this.#fetch(sha256) };
  }

  async #fetch(sha256: string): Promise<Uint8Array> {
    const bytes = await this.#files.recall(sha256);
    if (bytes === undefined) throw new BlockCannotRun(`The bytes with the SHA-256 ${sha256} are not there any more.`);
    return bytes;
  }
}

/** Without the hash of a file: it may hold a secret, and who has the hash can try values until one fits. */
export function describeFound(present: EntryState): string {
  if (present.kind !== "file") return writeState(present);
  const { sha256: _, ...shown } = present;
  return writeState(shown);
}

/** Also as somebody leaves it who is killed while restoring it. */
function isAsLeft(present: EntryState, { expect, restore }: WantedState): boolean {
  if (isSameState(present, expect)) return true;
  // What is replaced by something of another kind goes first.
  const isReplaced = expect.kind !== restore.kind || expect.kind === "link";
  if (present.kind === "missing") return isReplaced && restore.kind !== "missing";
  return present.kind === "directory" && [expect, restore].some((state) => isOpened(present.mode, state));
}

/** Nothing can be done in a directory that its owner may not change, so it is opened for a while. */
function isOpened(mode: number | undefined, state: EntryState): boolean {
  if (state.kind !== "directory" || state.mode === undefined) return false;
  return (state.mode & ownerMayChange) !== ownerMayChange && mode === (state.mode | ownerMayAll);
}

/** Whether nothing but the mode of a file is to be restored. */
function hasSameBytes(present: EntryState, { expect, restore }: WantedState): boolean {
  if (present.kind !== "file" || restore.kind !== "file") return false;
  if (restore.sha256 !== undefined) return present.sha256 === restore.sha256;
  // Nobody knows what the bytes were; if that is so of what was left there too, only the mode was changed.
  return expect.kind === "file" && expect.sha256 === undefined && isSameSize(present, restore);
}

function isSameSize(one: FileEntry, other: FileEntry): boolean {
  return (one.size ?? other.size) === (other.size ?? one.size);
}

function explain(present: EntryState, expect: EntryState): string {
  if (present.kind === "missing") return "it was deleted since";
  if (expect.kind === "missing") return "something was put there since";
  if (present.kind !== expect.kind) return `it was replaced since, and is a ${nouns[present.kind]} now`;
  const isModeOnly = present.kind === "file" && isSameState({ ...present, mode: (expect as FileEntry).mode }, expect);
  return isModeOnly || present.kind === "directory" ? "its permissions were changed since" : "it was changed since";
}

const nouns = { file: "file", directory: "directory", link: "symbolic link" } as const;

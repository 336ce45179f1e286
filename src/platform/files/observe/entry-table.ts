import type { Stamps } from "./stamp-rows.ts";

/**
 * What is known of entries of directories, a row each, in columns of numbers: tens of thousands of them are looked at twice for every
 * command that is observed, and an object for each would cost more than the system takes to tell of them.
 */
export class EntryTable {
  count: number;
  /** As the system tells it, with the kind of the entry. */
  modes: Uint32Array;
  sizes: Float64Array;
  /** In milliseconds, with what a number can hold of the fraction: what was changed in the same moment is racy anyway. */
  modified: Float64Array;
  changed: Float64Array;
  inodes: Float64Array;
  marks: Uint8Array;
  /** `digestBytes` for each. */
  digests: Uint8Array;
  /** Where links lead. */
  readonly targets: Map<number, string> = new Map<number, string>();
  /** Why the bytes of an entry are kept nowhere. */
  readonly reasons: Map<number, string> = new Map<number, string>();

  constructor(capacity = 0, count = 0) {
    this.count = count;
    this.modes = new Uint32Array(capacity);
    this.sizes = new Float64Array(capacity);
    this.modified = new Float64Array(capacity);
    this.changed = new Float64Array(capacity);
    this.inodes = new Float64Array(capacity);
    this.marks = new Uint8Array(capacity);
    this.digests = new Uint8Array(capacity * digestBytes);
  }

  /** A row for what the system tells of an entry, about whose bytes nothing is known yet. */
  add(stats: Stamps, isTracked: boolean): number {
    if (this.count === this.modes.length) this.#grow();
    const row = this.count++;
    this.marks[row] = isTracked ? trackedMark : 0;
    this.restamp(row, stats);
    return row;
  }

  /** It has been touched since. */
  restamp(row: number, stats: Stamps): void {
    this.modes[row] = stats.mode;
    this.sizes[row] = stats.size;
    this.modified[row] = stats.mtimeMs;
    this.changed[row] = stats.ctimeMs;
    this.inodes[row] = stats.ino;
  }

  /** Adds a row of another table. */
  copy(other: EntryTable, from: number): number {
    if (this.count === this.modes.length) this.#grow();
    const row = this.count++;
    for (const column of ["modes", "sizes", "modified", "changed", "inodes", "marks"] as const) {
      this[column][row] = other[column][from] as never;
    }
    this.digests.set(other.digestAt(from), row * digestBytes);
    const [target, reason] = [other.targets.get(from), other.reasons.get(from)];
    if (target !== undefined) this.targets.set(row, target);
    if (reason !== undefined) this.reasons.set(row, reason);
    return row;
  }

  /** Takes back the rows from this one on. */
  forget(from: number): void {
    for (let row = from; row < this.count; row++) {
      this.targets.delete(row);
      this.reasons.delete(row);
    }
    this.count = from;
  }

  /** Whether an entry has not been touched. Of a directory only its mode counts: what is in it has rows of its own. */
  isSame(row: number, stats: Stamps): boolean {
    if (this.modes[row] !== stats.mode) return false;
    if (kindOf(stats.mode) === "directory") return true;
    return (
      this.changed[row] === stats.ctimeMs &&
      this.modified[row] === stats.mtimeMs &&
      this.inodes[row] === stats.ino &&
      this.sizes[row] === stats.size
    );
  }

  kind(row: number): EntryKind {
    return kindOf(this.modes[row] as number);
  }

  storage(row: number): Storage {
    return storages[(this.marks[row] as number) & storageMask] as Storage;
  }

  isTracked(row: number): boolean {
    return ((this.marks[row] as number) & trackedMark) !== 0;
  }

  /** It was changed so shortly before it was looked at that a change just after might have left the same stamps. */
  isRacy(row: number): boolean {
    return ((this.marks[row] as number) & racyMark) !== 0;
  }

  setRacy(row: number): void {
    this.marks[row] = (this.marks[row] as number) | racyMark;
  }

  setTracked(row: number, isTracked: boolean): void {
    this.marks[row] = ((this.marks[row] as number) & ~trackedMark) | (isTracked ? trackedMark : 0);
  }

  /** Where the bytes are, by their digest in hexadecimal. */
  setStorage(row: number, storage: Storage, digest = ""): void {
    this.marks[row] = ((this.marks[row] as number) & ~storageMask) | storages.indexOf(storage);
    const bytes = this.digestAt(row).fill(0);
    bytes.set(Buffer.from(digest, "hex"));
    this.reasons.delete(row);
  }

  digest(row: number): string {
    const length = this.storage(row) === "git-sha1" ? sha1Bytes : digestBytes;
    return Buffer.from(this.digestAt(row).subarray(0, length)).toString("hex");
  }

  digestAt(row: number): Uint8Array {
    return this.digests.subarray(row * digestBytes, (row + 1) * digestBytes);
  }

  #grow(): void {
    const larger = new EntryTable(Math.max(64, this.modes.length * 2));
    for (const column of columns) larger[column].set(this[column] as never);
    for (const column of columns) this[column] = larger[column] as never;
  }
}

export const columns = ["sizes", "modified", "changed", "inodes", "modes", "marks", "digests"] as const;

const digestBytes = 32;
const sha1Bytes = 20;

/**
 * Where the bytes of a file can be had: nowhere; in git, as the object of this id; among the blobs. `known`: nowhere, but what they
 * were can be told.
 */
export type Storage = "none" | "git-sha1" | "git-sha256" | "blob" | "known";
const storages: readonly Storage[] = ["none", "git-sha1", "git-sha256", "blob", "known"];
const storageMask = 0x0f;
const trackedMark = 0x10;
const racyMark = 0x20;

export type EntryKind = "file" | "directory" | "link" | "other";

const kindMask = 0o170000;
const kinds: ReadonlyMap<number, EntryKind> = new Map([
  [0o100000, "file"],
  [0o040000, "directory"],
  [0o120000, "link"],
]);

export function kindOf(mode: number): EntryKind {
  return kinds.get(mode & kindMask) ?? "other";
}

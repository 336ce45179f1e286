import { dirname } from "node:path";
import type { FileChange } from "../../src/block/block-files.ts";
import { sha256Of } from "../../src/changes/capture-changes.ts";
import type { EntryState, RecordedChange } from "../../src/changes/recorded-change.ts";

/** What may lie at a path of a model. */
export type ModelEntry =
  | { readonly kind: "file"; readonly mode: number; readonly text: string }
  | { readonly kind: "directory"; readonly mode: number }
  | { readonly kind: "link"; readonly target: string };

const root = "/w";

/** Files as a strict system would have them for an ordinary user, without a disk. What is not possible throws. */
export class ModelTree {
  readonly entries: Map<string, ModelEntry>;

  constructor(entries: Iterable<readonly [string, ModelEntry]> = []) {
    this.entries = new Map(entries);
  }

  copy(): ModelTree {
    return new ModelTree(this.entries);
  }

  /** To be compared. */
  list(): readonly (readonly [string, ModelEntry])[] {
    return [...this.entries].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  at(path: string): { readonly root: string; readonly path: string } {
    return { root, path };
  }

  state(path: string): EntryState & { readonly mode?: number } {
    const entry = this.entries.get(path);
    if (entry === undefined) return { kind: "missing" };
    if (entry.kind !== "file") return entry;
    const bytes = Buffer.from(entry.text);
    return { kind: "file", mode: entry.mode, sha256: sha256Of(bytes), size: bytes.length, kept: true };
  }

  names(path: string): readonly string[] {
    const inside = [...this.entries.keys()].filter((other) => dirname(other) === path);
    return inside.map((other) => other.slice(path.length + 1));
  }

  make(change: FileChange): void {
    switch (change.kind) {
      case "write": {
        this.#reach(change.at.path);
        const kind = this.entries.get(change.at.path)?.kind ?? "file";
        check(kind === "file", `${change.at.path} is a ${kind}`);
        const text = Buffer.from(change.bytes as Uint8Array).toString();
        this.entries.set(change.at.path, { kind: "file", mode: change.mode ?? 0o644, text });
        return;
      }
      case "remove":
        this.#reach(change.at.path);
        check(this.entries.has(change.at.path), `${change.at.path} is missing`);
        check(this.names(change.at.path).length === 0, `${change.at.path} is not empty`);
        this.entries.delete(change.at.path);
        return;
      case "make-directory":
        this.#free(change.at.path);
        this.entries.set(change.at.path, { kind: "directory", mode: change.mode ?? 0o755 });
        return;
      case "make-link":
        this.#free(change.at.path);
        this.entries.set(change.at.path, { kind: "link", target: change.target });
        return;
      case "set-mode": {
        this.#pass(dirname(change.at.path));
        const entry = this.entries.get(change.at.path);
        check(entry?.kind === "file" || entry?.kind === "directory", `${change.at.path} has no mode`);
        this.entries.set(change.at.path, { ...entry, mode: change.mode } as ModelEntry);
        return;
      }
      case "rename":
        this.#move(change.from.path, change.to.path);
        return;
      case "ref":
        throw new Error("A model has no refs.");
    }
  }

  /** The record of a change that is about to be made. */
  record(change: FileChange): RecordedChange {
    switch (change.kind) {
      case "write": {
        const { mode = 0o644, at } = change;
        const bytes = change.bytes as Uint8Array;
        const after = { mode, sha256: sha256Of(bytes), size: bytes.length };
        return { kind: "write", at, before: this.state(at.path) as never, after, temporary: ".tmp" };
      }
      case "remove":
        return { kind: "remove", at: change.at, before: this.state(change.at.path) as never };
      case "make-directory":
        return { kind: "make-directory", at: change.at, mode: change.mode ?? 0o755 };
      case "make-link":
      case "ref":
        return change;
      case "set-mode": {
        const state = this.state(change.at.path);
        if (state.kind !== "file" && state.kind !== "directory") throw new Error(`${change.at.path} has no mode`);
        const { kind: entry, mode: before = 0 } = state;
        const bytes = state.kind === "file" ? { size: state.size as number, sha256: state.sha256 as string } : {};
        return { kind: "set-mode", at: change.at, entry, before, after: change.mode, ...bytes } as RecordedChange;
      }
      case "rename": {
        const [moved, replaced] = [this.state(change.from.path), this.state(change.to.path) as never];
        return { ...change, moved, replaced };
      }
    }
  }

  #move(from: string, to: string): void {
    this.#reach(from);
    this.#reach(to);
    const entry = this.entries.get(from);
    const kind = this.entries.get(to)?.kind;
    check(entry !== undefined && !`${to}/`.startsWith(`${from}/`), `${from} can't be moved`);
    check(kind === undefined || (kind === "file" && entry?.kind !== "directory"), `${to} is taken`);
    this.entries.delete(to);
    for (const [path, moved] of [...this.entries]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.entries.delete(path);
      this.entries.set(to + path.slice(from.length), moved);
    }
  }

  #free(path: string): void {
    this.#reach(path);
    check(!this.entries.has(path), `${path} is taken`);
  }

  /** Something can be made and removed there. */
  #reach(path: string): void {
    const parent = dirname(path);
    this.#pass(parent);
    const directory = this.entries.get(parent);
    check(parent === "." || (directory?.kind === "directory" && (directory.mode & 0o200) !== 0), `${parent} is closed`);
  }

  #pass(path: string): void {
    if (path === ".") return;
    this.#pass(dirname(path));
    const directory = this.entries.get(path);
    check(directory?.kind === "directory" && (directory.mode & 0o100) !== 0, `${path} can't be passed`);
  }
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}

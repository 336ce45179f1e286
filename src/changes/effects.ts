import { createHash } from "node:crypto";
import type { RootedPath } from "../block/ports.ts";
import type { EntryState, RecordedChange } from "./recorded-change.ts";

/** What a change makes of one path. Whether it was made, or not, or can be taken back, all follow from this. */
export interface Effect {
  readonly at: RootedPath;
  readonly before: EntryState;
  readonly after: EntryState;
}

/** A change as it was recorded, or what was found to be one by comparing what was recorded. */
export type ToldChange = RecordedChange | ({ readonly kind: "observed" } & Effect);

export function effectsOf(change: ToldChange): readonly Effect[] {
  switch (change.kind) {
    case "write":
      return [{ at: change.at, before: change.before, after: { kind: "file", ...change.after } }];
    case "remove":
      return [{ at: change.at, before: change.before, after: { kind: "missing" } }];
    case "make-directory":
      // One that somebody else has made meanwhile is as good.
      return [{ at: change.at, before: { kind: "missing" }, after: { kind: "directory" } }];
    case "make-link":
      return [{ at: change.at, before: { kind: "missing" }, after: { kind: "link", target: change.target } }];
    case "rename":
      return [
        { at: change.from, before: change.moved, after: { kind: "missing" } },
        { at: change.to, before: change.replaced, after: change.moved },
      ];
    case "set-mode":
      return [{ at: change.at, before: withMode(change, change.before), after: withMode(change, change.after) }];
    case "observed":
      return [{ at: change.at, before: change.before, after: change.after }];
    case "ref":
      // What git keeps of it is git's own.
      return [];
  }
}

function withMode(change: Extract<RecordedChange, { kind: "set-mode" }>, mode: number): EntryState {
  if (change.entry === "directory") return { kind: "directory", mode };
  const { size, sha256 } = change;
  return { kind: "file", mode, size, ...(sha256 === undefined ? {} : { sha256 }) };
}

/** What one of them leaves open fits whatever the other says. */
export function isSameState(one: EntryState, other: EntryState): boolean {
  switch (one.kind) {
    case "missing":
      return other.kind === "missing";
    case "file":
      return (
        other.kind === "file" &&
        one.mode === other.mode &&
        (one.size ?? other.size) === (other.size ?? one.size) &&
        (one.sha256 ?? other.sha256) === (other.sha256 ?? one.sha256)
      );
    case "directory":
      return (
        other.kind === "directory" &&
        (one.mode ?? other.mode) === (other.mode ?? one.mode) &&
        (one.names ?? other.names) === (other.names ?? one.names)
      );
    case "link":
      return other.kind === "link" && one.target === other.target;
  }
}

/** What tells the sorted names in a directory from others. */
export function digestNames(names: readonly string[]): string {
  return createHash("sha256").update(names.join("\0")).digest("hex");
}

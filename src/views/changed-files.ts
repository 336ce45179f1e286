import { join } from "node:path";
import type { RootedPath } from "../block/ports.ts";
import type { RecordedChange } from "../changes/recorded-change.ts";
import type { RunNode } from "../engine/run-node.ts";

/** What a block did to a file, as far as it announced that; nobody knows what commands change. */
export interface ChangedFile {
  readonly what: "created" | "changed" | "removed" | "moved";
  /** From the workspace, or absolute for what lies elsewhere. */
  readonly path: string;
  /** Where it was before. */
  readonly from?: string;
}

/** The files that the latest attempt at a block has changed, in order. */
export function describeChangedFiles({ fileChange }: RunNode, workspace: string): readonly ChangedFile[] {
  const nameOf = ({ root, path }: RootedPath): string => (root === workspace ? path : join(root, path));
  return (fileChange?.changes ?? []).flatMap((change): readonly ChangedFile[] => {
    if (change.kind === "ref") return [];
    if (change.kind === "rename") return [{ what: "moved", path: nameOf(change.to), from: nameOf(change.from) }];
    return [{ what: wordFor(change), path: nameOf(change.at) }];
  });
}

function wordFor(change: Exclude<RecordedChange, { kind: "rename" | "ref" }>): ChangedFile["what"] {
  switch (change.kind) {
    case "make-directory":
    case "make-link":
      return "created";
    case "set-mode":
      return "changed";
    case "remove":
      return "removed";
    case "write":
      return change.before.kind === "missing" ? "created" : "changed";
    case "observed":
      if (change.after.kind === "missing") return "removed";
      return change.before.kind === "missing" ? "created" : "changed";
  }
}

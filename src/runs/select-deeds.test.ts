import { expect, test } from "vitest";
import { composeChanges } from "../changes/compose-changes.ts";
import type { EntryState, RecordedChange } from "../changes/recorded-change.ts";
import type { Deed, Deeds } from "../engine/list-deeds.ts";
import { selectDeeds } from "./select-deeds.ts";

const at = { root: "/w", path: "a" };
const missing = { kind: "missing" } as const;
const file = (size: number) =>
  ({ kind: "file", mode: 0o644, sha256: String(size).repeat(64), size, kept: true }) as const;

function deed(path: string, more: Partial<Deed>): Deed {
  const nothing = { outputs: {}, ending: undefined, announced: [], observed: undefined, looked: undefined };
  const definition = { type: { undo: "automatic" } } as unknown as Deed["definition"];
  const named = { address: path, path, attempt: 1, definition, workspace: "/w", inputs: {}, snapshot: undefined };
  return { ...nothing, ...named, foreseen: undefined, began: 0, ended: 100, ...more };
}

test("what a command found there counts from the look on, not from when its block began", () => {
  const { kind: _, ...after } = file(1);
  const write: RecordedChange = { kind: "write", at, before: missing, after, temporary: "" };
  const seen: RecordedChange = { kind: "observed", at, before: file(1), after: file(2) as EntryState };
  const deeds = [
    deed("command", {
      began: 1,
      looked: { sequence: 5, snapshot: "" },
      observed: { sequence: 9, changes: [seen], notCaptured: [] },
    }),
    deed("file", { began: 2, announced: [{ sequence: 3, changes: [write] }] }),
  ];
  const { undoables } = selectDeeds({ deeds, all: deeds, takenBack: [], commitPoints: [] } as unknown as Deeds, {});
  const groups = undoables.flatMap((one) =>
    one.kind === "changes" ? [{ by: one.deed.path, changes: one.changes }] : [],
  );
  expect(composeChanges(groups)[0]?.files).toMatchObject([{ first: missing, last: file(2), by: ["file", "command"] }]);
});

import type { RootedPath } from "../block/ports.ts";
import type { ComposedMove, ComposedRef } from "../changes/compose-changes.ts";
import type { EntryState } from "../changes/recorded-change.ts";
import type { NotCaptured } from "../engine/events.ts";
import type { Deed } from "../engine/list-deeds.ts";

export const conflictChoices = ["keep", "merge", "ask", "force"] as const;
export type OnConflict = (typeof conflictChoices)[number];
/** What can be said of one file: nobody is asked about it then. */
export const fileChoices = ["keep", "merge", "force"] as const;

export interface UndoOptions {
  /** Address of a block: what happened after its end is taken back. */
  readonly to?: string | undefined;
  /** Address of a block: what it did is taken back, and nothing else. */
  readonly only?: string | undefined;
  readonly onConflict?: OnConflict | undefined;
  /** For some paths, as the plan shows them, instead of that. */
  readonly onConflictOf?: Readonly<Record<string, (typeof fileChoices)[number]>> | undefined;
}

/** How what a run did is taken back. Nothing has happened yet. */
export interface UndoPlan {
  readonly runId: string;
  readonly workflow: string;
  readonly workspace: string;
  /** An ordinary workflow. */
  readonly text: string;
  /** How many blocks it has; with none there is nothing to take back. */
  readonly blocks: number;
  readonly files: readonly PlannedFile[];
  readonly moves: readonly { readonly from: RootedPath; readonly to: RootedPath; readonly by: readonly string[] }[];
  readonly refs: readonly { readonly name: string; readonly by: readonly string[] }[];
  /** `text`: the block that does it, as its author wrote it, or its type says. */
  readonly compensations: readonly { readonly block: string; readonly type: string; readonly text: string }[];
  /** Blocks that ran and can't be taken back. */
  readonly irreversible: readonly { readonly block: string; readonly why: string }[];
  /** Files that were changed and of which nothing was kept. */
  readonly notCaptured: readonly NotCaptured[];
}

export interface PlannedFile {
  readonly at: RootedPath;
  readonly by: readonly string[];
  /** What is expected to lie there now. */
  readonly now: EntryState;
  /** What lay there before. */
  readonly before: EntryState;
  /** `not-kept`: nobody has its bytes. */
  readonly found: "restorable" | "already" | "conflict" | "not-kept";
}

/** A block of an undo plan. */
export type PlanStep =
  | {
      readonly kind: "restore";
      readonly files: readonly PlannedFile[];
      readonly moves: readonly ComposedMove[];
      readonly refs: readonly ComposedRef[];
    }
  | { readonly kind: "compensation"; readonly deed: Deed };

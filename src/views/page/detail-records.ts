/** The records of one block in full: what went in and came out, what it wrote, what it changed. */

import type { BlockCard, EdgeDecision, PageQuestion, PageStanding } from "./page-records.ts";

/** One block in full: `GET /api/runs/RUN/blocks/ADDRESS`. */
export interface BlockDetail {
  readonly card: BlockCard;
  /** What happened, why, what comes next: a sentence or two, written as that of the run. */
  readonly sentence: string;
  /** Addresses of blocks in the same level, with what they decided. */
  readonly ran_because: readonly { readonly address: string; readonly decided: EdgeDecision }[];
  readonly holds_up: readonly string[];
  /** What else is to be known: why it ran and what waits for it; and at the end when it began and what it spent. */
  readonly facts: readonly PanelRow[];
  readonly foot: readonly PanelRow[];
  readonly attempts: readonly AttemptLine[];
  readonly inputs: readonly ValueLine[];
  readonly outputs: readonly ValueLine[];
  readonly question?: PageQuestion;
  /** Where its text stands. */
  readonly source?: { readonly file: string; readonly line: number };
  /** How many files it, with all inside it, has changed. */
  readonly changed_files: number;
  /** Whether it has a log of its own. */
  readonly has_log: boolean;
  /** The record as the API of runs gives it. */
  readonly sequence: number;
}

export interface PanelRow {
  readonly name: string;
  /** Written as a sentence of the run. */
  readonly text: string;
  /** It stands as it is. */
  readonly is_code?: true;
}

export interface AttemptLine {
  readonly attempt: number;
  readonly standing: PageStanding;
  readonly started_at: string;
  readonly duration_ms: number | null;
  readonly message?: string;
}

export interface ValueLine {
  readonly name: string;
  /** As people read it: a text as a terminal would leave it, anything else as JSON; cut where it is long. */
  readonly text: string;
  /** How many characters it has in all, where it is cut. */
  readonly length?: number;
  readonly is_secret?: true;
}

/** A line of a log. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly stream: "stdout" | "stderr";
  /** Without what it told the terminal. */
  readonly text: string;
  /** How stretches of it look, where not all of it is plain: how long each is, and its classes, as in `ansi-red ansi-bold`. */
  readonly styles?: readonly (readonly [length: number, classes: string])[];
  /** Address of the block, where the log is of something that holds several. */
  readonly block?: string;
}

/** What the stream of a log sends. */
export interface LogLines {
  readonly lines: readonly LogLine[];
  /** How many lines before these were left out. */
  readonly skipped?: number;
  /** No more will come. */
  readonly has_ended?: true;
}

/** `GET /api/runs/RUN/changes/ADDRESS`: as far as the page reads it, what views/changes.ts makes. */
export interface PageChanges {
  readonly changes: readonly PageFileChange[];
  /** So many more files were changed. */
  readonly more_changes?: number;
  /** What commands changed that could not be kept: undo can't restore it. */
  readonly not_captured?: readonly { readonly path: string; readonly why: string }[];
}

export interface PageFileChange {
  readonly path: string;
  readonly change: "created" | "edited" | "deleted" | "moved" | "mode";
  readonly kind?: "directory" | "link";
  /** Where it was before. */
  readonly from?: string;
  /** Octal, where they differ. */
  readonly mode_before?: string;
  readonly mode_after?: string;
  readonly size_before?: number;
  readonly size_after?: number;
  readonly lines_added?: number;
  readonly lines_removed?: number;
  readonly diff?: string;
  /** How many lines at the end of the diff were left out. */
  readonly diff_left_out?: number;
  /** Why there is no diff of a file whose bytes have changed. */
  readonly no_diff?: string;
  /** How it is found now, unless it is as the run left it. */
  readonly now?: "as before" | "changed since";
}

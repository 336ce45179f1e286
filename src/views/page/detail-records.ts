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
  /** Whether it tells of a failure. */
  readonly is_failure?: true;
}

/** What the stream of a log sends. */
export interface LogLines {
  readonly lines: readonly LogLine[];
  /** How many lines before these were left out. */
  readonly skipped?: number;
  /** No more will come. */
  readonly has_ended?: true;
}

/** `GET /api/runs/RUN/changes/ADDRESS`: as far as the page reads it, what word-changes.ts makes. */
export interface PageChanges {
  /** What an undo would do with them. */
  readonly says: string;
  readonly lines_added: number;
  readonly lines_removed: number;
  readonly changes: readonly PageFileChange[];
  /** What commands changed that could not be kept: undo can't restore it. */
  readonly not_captured?: readonly { readonly path: string; readonly why: string }[];
}

export interface PageFileChange {
  readonly path: string;
  readonly tags: readonly string[];
  readonly notes: readonly string[];
  readonly lines_added?: number;
  readonly lines_removed?: number;
  readonly diff?: string;
}

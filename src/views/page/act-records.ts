/** The records of what can be filled in, and of what a rerun or an undo would do. */

import type { PageStanding } from "./page-records.ts";

/** One thing to fill in. */
export interface PageField {
  /** Empty where it is the whole answer, and not a part of a map. */
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly kind: "text" | "multiline" | "number" | "integer" | "boolean" | "choice" | "json";
  readonly required: boolean;
  readonly default?: unknown;
  /** Of a boolean with one choice: it has to be that. */
  readonly choices?: readonly unknown[];
  readonly placeholder?: string;
  /** What else it has to be, in words. */
  readonly limits?: string;
}

/** How a question is answered: fields to fill in, and a button for each way to send them. */
export interface PageForm {
  readonly fields: readonly PageField[];
  readonly buttons: readonly PageButton[];
}

export interface PageButton {
  readonly label: string;
  /** What happens then, where the words on the button don't say it. */
  readonly means?: string;
  /** Whether what the fields hold is the answer; else `value` is. */
  readonly takes_fields: boolean;
  /** Beside what the fields hold, `value` is sent under this name. */
  readonly name?: string;
  readonly value?: unknown;
}

/** What a cancel would do: `GET /api/runs/RUN/cancel`. */
export interface CancelForecast {
  readonly stops: readonly { readonly address: string; readonly name: string; readonly standing: PageStanding }[];
  /** So many more are stopped. */
  readonly more: number;
  readonly says: string;
}

/** What a resume would do: `GET /api/runs/RUN/resume`. */
export interface ResumeForecast {
  readonly says: string;
  /** What can become of blocks whose process ended, each with its words; none where there are no such blocks. */
  readonly rules: readonly (readonly [rule: "" | "rerun" | "ask" | "fail", words: string])[];
}

/** What a rerun would do: `GET /api/runs/RUN/rerun`. Nothing of it has happened. */
export interface RerunForecast {
  readonly workflow: string;
  /** In the order of the file, what is inside a block after it; the first few hundred. */
  readonly blocks: readonly RerunBlock[];
  /** Of all blocks, by what would become of them. */
  readonly counts: Readonly<Partial<Record<RerunVerdict, number>>>;
  /** How it would fail, if that is certain. */
  readonly would_fail?: string;
  /** Texts that are others than those of the run before. */
  readonly changed: readonly string[];
  /** Inputs of the run before that there are no more. */
  readonly dropped: readonly string[];
  /** How the run before stands, if it has not ended: it stays so. */
  readonly left?: string;
  readonly inputs: readonly PageInput[];
  /** The same as a form has them, except secrets. */
  readonly fields: readonly PageField[];
  /** How many blocks run for certain or may run. */
  readonly runs: number;
  /** What can be asked for, each with its words; and what a rerun is. */
  readonly scopes: readonly (readonly [scope: "changed" | "from" | "all", words: string])[];
  readonly about: string;
  /** What is to be known before, in sentences. */
  readonly notes: readonly string[];
  readonly groups: readonly RerunGroup[];
}

/** What becomes of some blocks. */
export interface RerunGroup {
  readonly title: string;
  /** Of all, of which those above are the first. */
  readonly count: number;
  readonly blocks: readonly RerunBlock[];
  /** Whether it is worth a look before. */
  readonly is_open: boolean;
}

export type RerunVerdict = "would run" | "may run" | "would skip" | "would fail" | "would be reused";

export interface RerunBlock {
  readonly address: string;
  readonly verdict: RerunVerdict;
  /** Why it runs although it has run before, is skipped, or fails. */
  readonly why?: string;
}

/** An input of a workflow, with what it was given. */
export interface PageInput {
  readonly name: string;
  /** `string`, `integer`, `number`, `boolean`, `array`, `object` or `json`. */
  readonly type: string;
  readonly description?: string;
  readonly required: boolean;
  readonly enum?: readonly unknown[];
  readonly is_secret?: true;
  readonly value?: unknown;
}

/** What an undo would do: `GET /api/runs/RUN/undo`. Nothing of it has happened. */
export interface PageUndo {
  readonly run_id: string;
  readonly workflow: string;
  /** Why there is nothing to undo. */
  readonly nothing?: string;
  readonly files: readonly PageUndoFile[];
  readonly moves?: readonly { readonly from: string; readonly to: string; readonly by: readonly string[] }[];
  readonly refs?: readonly { readonly name: string; readonly by: readonly string[] }[];
  /** Blocks that say themselves how they are undone, with the text that says it. */
  readonly compensations?: readonly { readonly block: string; readonly type: string; readonly text: string }[];
  readonly irreversible?: readonly { readonly block: string; readonly why: string }[];
  /** What was changed and can't be brought back. */
  readonly not_captured?: readonly { readonly path: string; readonly why: string }[];
  /** The run that took it back already. */
  readonly undone_by?: string;
  /** Whether it does again what an undo took back. */
  readonly is_redo?: true;
  /** All but what was changed since, by what becomes of it. */
  readonly groups: readonly PageUndoGroup[];
  /** What becomes of that, in a sentence; and what can't be undone. */
  readonly says: string;
  readonly left: string;
  /** What can be chosen for files that were changed since. */
  readonly choices: readonly PageUndoChoice[];
  /** What an undo is, for whoever has not seen one. */
  readonly about: string;
  /** Names of the blocks of the run that did any of it. */
  readonly touched: readonly string[];
}

/** What becomes of a file that was changed since. */
export type OnConflict = "keep" | "merge" | "force";

export interface PageUndoChoice {
  readonly choice: OnConflict;
  readonly label: string;
  /** What one file does then, and what several do. */
  readonly becomes: readonly [one: string, several: string];
  readonly explains: string;
}

export interface PageUndoGroup {
  readonly name: string;
  readonly count: number;
  /** What else belongs to it than the files that name it. `is_text`: `why` is a text to unfold. */
  readonly rows: readonly {
    readonly what: string;
    readonly why: string;
    readonly by: string;
    readonly is_text?: true;
  }[];
}

export interface PageUndoFile {
  readonly path: string;
  readonly kind?: "directory" | "link";
  readonly undo: "restored" | "removed" | "brought back" | "moved back";
  readonly from?: string;
  readonly found: "restorable" | "already" | "conflict" | "not-kept";
  /** Addresses of the blocks that changed it. */
  readonly by: readonly string[];
  readonly lines_added?: number;
  readonly lines_removed?: number;
  /** From how it is now to how it was. */
  readonly diff?: string;
  /** What is to be said where there is no diff. */
  readonly note?: string;
  /** What becomes of it, in a few words, unless it was changed since. */
  readonly becomes?: string;
  /** Name of its group, unless it was changed since. */
  readonly group?: string;
}

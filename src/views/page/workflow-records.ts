/** The records of workflows, before they run, and of what is wrong with their text. */

import type { PageField } from "./act-records.ts";
import type { BlockCard, Crumb, PageEdge, PageSpend, RunLine } from "./page-records.ts";

/** A level of a workflow, before it runs. */
export interface WorkflowGraphRecord {
  /** What is looked at, from the workflow down. */
  readonly crumbs: readonly Crumb[];
  readonly blocks: readonly BlockCard[];
  readonly edges: readonly PageEdge[];
  /** How many blocks can run at the same time at most. */
  readonly widest: number;
  readonly waves: number;
}

/** An error of the API. */
export interface ApiError {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly fix?: string;
    /** All that is wrong, where that is more than one thing. */
    readonly problems?: readonly (PageDiagnostic & { readonly field?: string })[];
  };
}

/** Something wrong with a text, and where. */
export interface PageDiagnostic {
  readonly level: "error" | "warning" | "hint";
  readonly code: string;
  readonly message: string;
  /** The rule behind it, where that is not obvious. */
  readonly why?: string;
  readonly fix?: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
  readonly end_line?: number;
  readonly end_column?: number;
  readonly block?: string;
  /** The lines that it is about, where the text does not stand beside it. */
  readonly frame?: readonly FrameLine[];
}

/** A line of a text: what of it is meant is underlined. */
export interface FrameLine {
  readonly number: number;
  readonly before: string;
  readonly meant?: string;
  readonly after?: string;
}

/** What is said of one line of a text. */
export interface PageMark {
  readonly line: number;
  readonly level: PageDiagnostic["level"];
  /** All of its messages. */
  readonly says: string;
}

/** Where a workflow comes from. */
export type WorkflowSource = "project" | "user" | "template-path" | "built-in";

/** A workflow as a line of a list. */
export interface WorkflowLine {
  readonly name: string;
  /** What it is asked for by: its name, or the path of a file that has no right to the name. */
  readonly target: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly source: WorkflowSource;
  readonly file: string;
  readonly trust: PageTrust;
  readonly replaces_built_in?: true;
}

/** Whether a person has looked at the file; where not, why, and what they type once they have. */
export type PageTrust =
  | { readonly trusted: true }
  | { readonly trusted: false; readonly why: string; readonly command: string };

/** A file that is no workflow, with its text to point into. */
export interface BrokenFile {
  readonly file: string;
  readonly source: WorkflowSource;
  readonly problems: readonly PageDiagnostic[];
  readonly text: string;
}

/** Where some workflows come from, and what a person types before they can be run. */
export interface WorkflowSourceLine {
  readonly source: WorkflowSource;
  readonly title: string;
  readonly untrusted: readonly { readonly says: string; readonly command: string }[];
}

/** `GET /api/workflows` */
export interface WorkflowLines {
  /** How many there are, in a sentence. */
  readonly says: string;
  readonly workflows: readonly WorkflowLine[];
  readonly sources: readonly WorkflowSourceLine[];
  readonly broken: readonly BrokenFile[];
  /** Directories that could not be looked into. */
  readonly warnings: readonly string[];
}

/** What can be given to a workflow. */
export interface WorkflowInput {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  readonly required: boolean;
  /** What is only known in a run stands there as it is written. */
  readonly default?: unknown;
  readonly choices?: readonly unknown[];
  /** What else it has to be, in words. */
  readonly limits?: string;
  readonly secret?: true;
}

export interface WorkflowOutput {
  readonly name: string;
  readonly type?: string;
  readonly description?: string;
}

/** What a workflow says of itself. */
export interface WorkflowFacts {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly author?: string;
  readonly tags: readonly string[];
  readonly inputs: readonly WorkflowInput[];
  /** The same as a form has them. */
  readonly fields: readonly PageField[];
  /** What a run may cost; no input can have its name. */
  readonly budget_field: PageField;
  readonly outputs: readonly WorkflowOutput[];
  readonly touches: WorkflowTouches;
  /** The same in words, with what it may cost. */
  readonly touches_rows: readonly FactRow[];
  readonly undo: readonly UndoPart[];
  /** What it may cost by its own text, in words. */
  readonly budget?: string;
  /** Which workers take it, where it works there and when they start it, as sentences. */
  readonly machines?: readonly string[];
}

/** Something to be known. What stands between backquotes is a name. */
export interface FactRow {
  readonly name: string;
  readonly text: string;
  /** Somebody has to do something about it. */
  readonly is_problem?: true;
}

/** What a workflow can touch, through everything it calls, as far as its text tells. */
export interface WorkflowTouches {
  /** Files it is known to write, as they are written. */
  readonly writes: readonly string[];
  /** Other files may be written: by commands, or at paths that are computed. */
  readonly writes_others: boolean;
  /** How many blocks run commands. */
  readonly commands: number;
  readonly sandbox: "all" | "some" | "none";
  readonly hosts: readonly string[];
  /** Calls go to addresses that are computed. */
  readonly calls_others: boolean;
  readonly secrets: readonly { readonly name: string; readonly is_set: boolean }[];
  /** How many blocks ask a model. */
  readonly models: number;
  /** Addresses of blocks that ask somebody. */
  readonly asks: readonly string[];
  /** Who starts it decides which program runs. */
  readonly takes_commands: boolean;
  /** It calls workflows that are only known in a run, or are not there. */
  readonly unknown: boolean;
}

/** Blocks of which the same can be taken back. */
export interface UndoPart {
  /** `partly`: its files, as far as they are seen. */
  readonly kind: "undone" | "partly" | "nothing" | "not_undone";
  readonly count: number;
  /** Addresses of the first few. */
  readonly blocks: readonly string[];
  /** The same in words. */
  readonly says: string;
  readonly why?: string;
}

/** What the latest runs that ended took. */
export interface WorkflowUsual {
  /** Newest first, at most 20. */
  readonly runs: readonly Pick<RunLine, "run_id" | "standing" | "duration_ms" | "started_at" | "label">[];
  readonly succeeded: number;
  /** The median of those that succeeded. */
  readonly duration_ms?: number;
  readonly spend?: PageSpend;
  readonly drawn: DrawnUsual;
}

/** The same, as people look at it. */
export interface DrawnUsual {
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly title: string;
  readonly says: string;
  readonly width: number;
  readonly height: number;
  /** The oldest first. */
  readonly bars: readonly RunBar[];
  /** A line as high as what is usual. */
  readonly usual?: string;
}

/** A run, as paths. */
export interface RunBar {
  readonly run_id: string;
  readonly kind: "good" | "bad";
  readonly says: string;
  readonly bar: string;
  readonly cross?: string;
  /** Where it is too long to be drawn as it is. */
  readonly cut?: string;
}

/** `GET /api/workflows/NAME` */
export interface WorkflowPage {
  readonly facts: WorkflowFacts;
  readonly file: string;
  readonly source?: WorkflowSource;
  readonly trust: PageTrust;
  readonly yaml: string;
  /** Of `at`, where that was asked for. */
  readonly graph: WorkflowGraphRecord;
  /** Warnings and hints. */
  readonly problems: readonly PageDiagnostic[];
  readonly usual: WorkflowUsual;
  readonly latest: readonly RunLine[];
  /** How an agent runs it. */
  readonly tool: { readonly name: string; readonly takes_inputs: boolean };
}

/** `POST /api/validate` */
export interface WorkflowChecked {
  readonly valid: boolean;
  /** Whether it is sound, and how much is said of it, in a sentence. */
  readonly says: string;
  readonly problems: readonly PageDiagnostic[];
  readonly marks: readonly PageMark[];
  /** Of a sound one. */
  readonly facts?: WorkflowFacts;
  readonly graph?: WorkflowGraphRecord;
}

/**
 * The records that the web page is made of, as they go over the wire. The page folds nothing: it shows these, and puts a record that
 * comes later in the place of the one of the same address.
 */

import type { PageForm } from "./act-records.ts";
import type { BlockDetail, LogLines } from "./detail-records.ts";

/**
 * How something stands, as the page words it. `handled`: it failed, and something else dealt with that. `crashed`: it could not run.
 * `undone`: only of a run, what it did was taken back.
 */
export type PageStanding =
  | "done"
  | "running"
  | "failed"
  | "handled"
  | "crashed"
  | "asks"
  | "interrupted"
  | "sleeping"
  | "skipped"
  | "to_come"
  | "cancelled"
  | "undone";

/** One letter for each, so that a strip of ten thousand passes is a short text. */
export const standingLetters: Readonly<Record<PageStanding, string>> = {
  done: "d",
  running: "r",
  failed: "f",
  handled: "h",
  crashed: "x",
  asks: "a",
  interrupted: "i",
  sleeping: "s",
  skipped: "k",
  to_come: ".",
  cancelled: "c",
  undone: "u",
};

/** Letters of `standingLetters`, one for each block or pass, in order. */
export type Strip = string;

export type StandingCounts = Readonly<Partial<Record<PageStanding, number>>>;

/** Money, for people, and as a number to compare with. */
export interface PageSpend {
  readonly text: string;
  readonly usd?: number;
  /** The limit, where there is one. */
  readonly most?: string;
  readonly mostUsd?: number;
}

/** A question that waits for an answer. */
export interface PageQuestion {
  readonly id: string;
  /** Address of the block that asks. */
  readonly block: string;
  readonly prompt: string;
  /** Its first line, and the rest. */
  readonly title: string;
  readonly more: string;
  /** Who is asked, in words that follow the name of the block. */
  readonly asks: string;
  readonly audience: "llm" | "human";
  /** What it is about: the block's own question, a budget that is used up, or a block whose process ended. */
  readonly about: "block" | "budget" | "interruption";
  readonly asked_at: string | null;
  /** JSON Schema of the answer. */
  readonly schema?: unknown;
  readonly choices?: readonly string[];
  readonly default?: unknown;
  /** Addresses of the blocks that wait for the answer, nearest first. */
  readonly holds_up?: readonly string[];
  /** The same as a sentence of the run. */
  readonly waiting?: string;
  readonly form: PageForm;
}

/** A run as a line of a list. */
export interface RunLine {
  readonly run_id: string;
  readonly workflow: string;
  readonly standing: PageStanding;
  /** What tells it from other runs of its workflow: its first given input, in a few words. */
  readonly label?: string;
  /** What happens, or how it ended, in one sentence; empty where there is nothing to tell. Times in it are written as in that of a run. */
  readonly says: string;
  readonly started_at: string;
  readonly finished_at: string | null;
  /** With the time it waited; null until it has ended. */
  readonly duration_ms: number | null;
  readonly started_by?: string;
  readonly spend?: PageSpend;
  readonly wake_at?: string;
  /** Ids of the questions that wait. */
  readonly questions: readonly string[];
  readonly rerun_of?: string;
  readonly undo_of?: string;
  /** The run that has taken it back. */
  readonly undone_by?: string;
  readonly workspace: string;
  /** Of the journal: grows with every change of the run. */
  readonly sequence: number;
}

/** `GET /api/runs` */
export interface RunLines {
  readonly runs: readonly RunLine[];
  /** What `before` is for the next page, when there is one. */
  readonly next?: string;
  /** Of all runs that the other filters let through, by how they stand. */
  readonly counts: StandingCounts;
  /** These in a sentence or two, with those of today, where it was said when that began. */
  readonly summary?: string;
  /** Of all runs of today. */
  readonly spend_today?: PageSpend;
  /** Names of workflows that have runs. */
  readonly workflows: readonly string[];
  /** Who has started runs. */
  readonly starters: readonly string[];
}

/**
 * What the stream of runs sends, as `runs`: lines that are new or take the place of those of the same run, and runs that are not stored any
 * more. It tells what happens while it is open and nothing else: whoever opens it, also again, asks for the list after that.
 */
export interface RunsChange {
  readonly runs: readonly RunLine[];
  readonly removed?: readonly string[];
}

/** What can be done with a run now; a reason in words where it can't. */
export interface RunActions {
  readonly cancel: true | string;
  readonly resume: true | string;
  readonly rerun: true | string;
  readonly undo: true | string;
}

/** What stands above every view of a run, at any depth of it. */
export interface RunHead {
  readonly run_id: string;
  readonly workflow: string;
  readonly label?: string;
  readonly standing: PageStanding;
  /**
   * What happens, why, and who is waited for; a sentence or two. Addresses of blocks in it stand between backquotes, and times, in ISO
   * 8601, between angle brackets, as in `sleeps until <2026-01-31T14:05:00.000Z>`: the page writes those as its reader does.
   */
  readonly sentence: string;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly duration_ms: number | null;
  readonly started_by?: string;
  readonly workspace: string;
  readonly spend?: PageSpend;
  readonly wake_at?: string;
  readonly rerun_of?: string;
  readonly undo_of?: string;
  /** The run that has taken it back. */
  readonly undone_by?: string;
  readonly questions: readonly PageQuestion[];
  /** Blocks that failed and count, worst first: the first few. */
  readonly failures: readonly PageFailure[];
  readonly actions: RunActions;
  /** The outputs that the workflow declares, once it has ended. */
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** The sequence number of the last event that is in these records. */
  readonly sequence: number;
}

export interface PageFailure {
  readonly address: string;
  readonly message: string;
}

/** From the run down to what is looked at; the run itself has an empty address. */
export interface Crumb {
  readonly address: string;
  readonly name: string;
}

/** What holds blocks, and can be stepped into. `none`: a leaf, or what has not begun and is not known to hold any. */
export type Holds = "none" | "workflow" | "group" | "loop";

/** A stretch of time in the life of a block. */
export interface Span {
  /** `failed`: an attempt that was not the last word. `slot`: it could have begun, had a limit of parallel blocks let it. */
  readonly kind: "ran" | "failed" | "asked" | "slept" | "backed_off" | "slot";
  readonly from: string;
  /** Null while it goes on. */
  readonly to: string | null;
  /** Where it is not the first. */
  readonly attempt?: number;
}

/** A block, a nested workflow, a group, a loop or one pass of it: one cell at every depth. */
export interface BlockCard {
  /** From the root, with attempts where they matter: `deploy@2/build`. */
  readonly address: string;
  readonly name: string;
  readonly type: string;
  /** As a box of a graph; a pass is none. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Of a plan: what it does, as a sign. */
  readonly mark?: "command" | "model" | "web" | "person" | "time";
  readonly standing: PageStanding;
  /** The reason, where it failed, was skipped or waits. */
  readonly message?: string;
  /**
   * The one thing to know about it beside its name, in a few words; `{}` in it is how long it has taken. Nothing where that alone, its reason or how it
   * stands is to be told.
   */
  readonly says?: string;
  /** Of a block that nothing runs: all that is known of it. */
  readonly about?: string;
  readonly started_at: string | null;
  /** As far as it is over: what goes on is counted from `running_since`. */
  readonly duration_ms: number;
  readonly running_since?: string;
  /** The attempt that goes on, or was the last; 0 before the first. */
  readonly attempt: number;
  readonly most_attempts?: number;
  readonly wake_at?: string;
  /** What it asks. */
  readonly question?: string;
  readonly holds: Holds;
  /** Of what holds something and has begun. */
  readonly inside?: Inside;
  readonly is_finally?: true;
  readonly is_reused?: true;
  readonly is_rolling_back?: true;
  readonly allows_failure?: true;
  /** The workflow that it calls. */
  readonly workflow?: string;
  readonly condition?: string;
  /** Before it runs: what it runs once per element of, how often it is repeated at most, that it asks, what it holds. */
  readonly for_each?: string;
  readonly repeat?: string;
  readonly asks?: true;
  readonly blocks_inside?: number;
  /** Of a pass: its element in a few words. */
  readonly element?: string;
  readonly spend?: PageSpend;
  /** How deep it lies in the graph of its level, from 0. */
  readonly wave: number;
  readonly spans: readonly Span[];
}

export interface Inside {
  readonly ended: number;
  readonly total: number;
  readonly counts: StandingCounts;
  /** At most 40 letters; of more, each stands for several, and is that of the worst. */
  readonly strip: Strip;
}

/** `required`: only if it succeeds; `optional`: also if it fails; `condition`: a condition decides. */
export type PageEdgeKind = "required" | "optional" | "condition";

/** What an edge has decided. `failed`: the block went on because the other failed. */
export type EdgeDecision = "open" | "went" | "failed" | "not_taken";

export interface PageEdge {
  /** Addresses: `to` waits for `from`. */
  readonly from: string;
  readonly to: string;
  readonly kind: PageEdgeKind;
  readonly decided: EdgeDecision;
  /** Whether it is on the chain of blocks that takes longest. */
  readonly is_critical?: true;
}

/** The passes of a loop: a strip of all, and cards of a few, failures first. */
export interface Passes {
  readonly total: number;
  readonly counts: StandingCounts;
  /** One letter for each pass, however many. */
  readonly strip: Strip;
  /** Failures by message, most frequent first. */
  readonly reasons: readonly { readonly message: string; readonly count: number }[];
}

/**
 * What is inside a run, a nested workflow, a group, a loop or one attempt of these: `GET /api/runs/RUN/level/ADDRESS`. The same for
 * all of them.
 */
export interface Level {
  readonly head: RunHead;
  readonly crumbs: readonly Crumb[];
  /** What is looked at; absent for the run itself. */
  readonly of?: BlockCard;
  readonly holds: Holds;
  /** In the order of the file; of a loop the first 200 passes, those first that need somebody to look. */
  readonly blocks: readonly BlockCard[];
  readonly edges: readonly PageEdge[];
  /** Of a loop. */
  readonly passes?: Passes;
}

/** What is sent when something has changed: records that take the place of those with the same address. */
export interface LevelChange {
  readonly head: RunHead;
  readonly of?: BlockCard;
  readonly blocks: readonly BlockCard[];
  /** Where the level has other blocks than before, or in another order: the addresses of all. What is not among them is gone. */
  readonly order?: readonly string[];
  /** Those that have changed: each takes the place of the one between the same two blocks. */
  readonly edges?: readonly PageEdge[];
  readonly passes?: Passes;
}

/** All that the page shows of a run, in one piece: by address, where one may name an attempt. */
export interface FrozenRun {
  readonly run_id: string;
  readonly frozen_at: string;
  readonly levels: Readonly<Record<string, Level>>;
  readonly blocks: Readonly<Record<string, BlockDetail>>;
  /** As `GET /api/runs/RUN/changes/ADDRESS` gives them. */
  readonly changes: Readonly<Record<string, object>>;
  readonly logs: Readonly<Record<string, LogLines>>;
}

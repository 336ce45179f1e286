/**
 * The records that the web page is made of, as they go over the wire. The page folds nothing: it shows these, and puts a record that
 * comes later in the place of the one of the same address.
 */

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
  /** Of all runs of today. */
  readonly spend_today?: PageSpend;
  /** Names of workflows that have runs. */
  readonly workflows: readonly string[];
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
  readonly standing: PageStanding;
  /** The reason, where it failed, was skipped or waits. */
  readonly message?: string;
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

/** One block in full: `GET /api/runs/RUN/blocks/ADDRESS`. */
export interface BlockDetail {
  readonly card: BlockCard;
  /** What happened, why, what comes next: a sentence or two, written as that of the run. */
  readonly sentence: string;
  /** Addresses of blocks in the same level, with what they decided. */
  readonly ran_because: readonly { readonly address: string; readonly decided: EdgeDecision }[];
  readonly holds_up: readonly string[];
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

export interface AttemptLine {
  readonly attempt: number;
  readonly standing: PageStanding;
  readonly started_at: string;
  readonly duration_ms: number | null;
  readonly message?: string;
}

export interface ValueLine {
  readonly name: string;
  /** As people read it: a text as it is, anything else as JSON; cut where it is long. */
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
  /** May hold escape sequences for colours; the page reads those and shows no others. */
  readonly text: string;
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

/** An error of the API. */
export interface ApiError {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly fix?: string;
    /** All that is wrong, where that is more than one thing. */
    readonly problems?: readonly PageDiagnostic[];
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

/** `GET /api/workflows` */
export interface WorkflowLines {
  readonly workflows: readonly WorkflowLine[];
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
  readonly outputs: readonly WorkflowOutput[];
  readonly touches: WorkflowTouches;
  readonly undo: readonly UndoPart[];
  /** What it may cost by its own text, in words. */
  readonly budget?: string;
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
  readonly problems: readonly PageDiagnostic[];
  /** Of a sound one. */
  readonly facts?: WorkflowFacts;
  readonly graph?: WorkflowGraphRecord;
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
}

import type { Drawings } from "../../drawing/drawings.ts";
import type { LogLines } from "../../views/page/detail-records.ts";
import type { Level, LevelChange, RunLine } from "../../views/page/page-records.ts";

/** Where the page gets its records from: a server, a file that holds all of them, or the host of an MCP App. */
export interface Source {
  /** Whether what is shown can change, and be acted on. */
  readonly isLive: boolean;
  /** The time at which what is shown was taken, in milliseconds since 1970, where that is not now. */
  readonly takenAt?: number;
  /** A record of the API by its path, such as `/runs`; rejects with an ApiProblem. */
  get<T>(path: string, query?: Readonly<Record<string, string | undefined>>): Promise<T>;
  /** Works out how something is drawn. */
  draw<What extends keyof Drawings>(what: What, given: Drawings[What]["given"]): Promise<Drawings[What]["drawn"]>;
  /** Changes something. */
  post<T>(path: string, body: object): Promise<T>;
  /**
   * Runs that are new, have changed or are gone, from the time it is connected on. What happened before, also while it was not connected, is
   * not told: ask for the list at every `connected(true)`.
   */
  watchRuns(listener: RunsListener): Stop;
  /** What is inside an address of a run, and then every change of it. */
  watchLevel(runId: string, address: string, listener: LevelListener): Stop;
  /** What an attempt at a block writes; without an attempt, the latest. */
  watchLog(runId: string, address: string, attempt: number | undefined, listener: LogListener): Stop;
}

export type Stop = () => void;

export interface ConnectionListener {
  /** Whether the stream is open; called at every change. */
  connected?(isConnected: boolean): void;
  failed?(problem: ApiProblem): void;
}

export interface RunsListener extends ConnectionListener {
  changed(lines: readonly RunLine[], removed: readonly string[]): void;
}

export interface LevelListener extends ConnectionListener {
  level(level: Level): void;
  changed(change: LevelChange): void;
}

export interface LogListener extends ConnectionListener {
  /** `isFresh`: what was there before is to be forgotten. */
  lines(lines: LogLines, isFresh: boolean): void;
}

/** An answer of the API that says no. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly fix: string | undefined;
  readonly problems: readonly { readonly message: string; readonly fix?: string; readonly field?: string }[];

  constructor(
    status: number,
    error: { code: string; message: string; fix?: string; problems?: ApiProblem["problems"] },
  ) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.fix = error.fix;
    this.problems = error.problems ?? [];
  }
}

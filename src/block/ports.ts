/**
 * What a block may reach of the outside, as types. The real ones live in node/; a test hands over its own. A block that wants
 * more than this asks for a port here instead of importing it.
 */

export interface Ports {
  readonly processes: Processes;
  readonly files: Files;
  readonly clock: Clock;
  readonly environment: Environment;
}

/** What commands inherit from the process that runs them. */
export interface Environment {
  /** Without Frond's own secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Absolute path of a program on PATH. */
  findProgram(name: string): string | undefined;
}

export interface Clock {
  /** Wall time, for people. */
  now(): Date;
  /** Milliseconds that never go backwards, for durations. */
  monotonic(): number;
}

export type OutputStream = "stdout" | "stderr";

export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Written to the process and then closed; empty means an empty standard input. */
  readonly stdin: string;
  /** Readable by the process as file descriptor 3, from memory: no name in the file system outlives its start. */
  readonly fd3?: string;
  /** Bytes kept per stream; what comes between the head and the tail is counted and dropped. */
  readonly maxOutput: number;
  /** When false, output goes nowhere. */
  readonly capture: boolean;
  /** Leave what the command started in the background alone until `endBackground` of its owner. */
  readonly keepBackground: boolean;
  /** Whoever the kept background processes belong to: a run id. */
  readonly owner: string;
  /** Aborting ends the whole process group: TERM, then KILL when the grace is over. */
  readonly signal: AbortSignal;
  /** Called at once when it runs, with what tells it from any other process. */
  onStarted?(identity: ProcessIdentity): void;
  /** The chunk is lent for the call: whoever keeps it, or writes it later, copies it first. */
  onOutput?(stream: OutputStream, chunk: Uint8Array): void;
}

/** A process that leads a group, known even when its id may have been given to somebody else since. */
export interface ProcessIdentity {
  readonly pid: number;
  /** As the system tells it; empty where it can't be told, and then the process is never taken for this one. */
  readonly startTime: string;
}

export interface CapturedOutput {
  readonly text: string;
  readonly totalBytes: number;
  /** True when bytes between head and tail were dropped. */
  readonly truncated: boolean;
}

export type ProcessResult =
  | {
      readonly started: true;
      /** 128 + N for a command ended by signal N. */
      readonly exitCode: number;
      /** Name of the signal that ended it, if one did. */
      readonly signal: string | null;
      readonly stdout: CapturedOutput;
      readonly stderr: CapturedOutput;
    }
  | {
      readonly started: false;
      /** Why it could not be started, in words for the user: no such program, no such directory, no permission. */
      readonly message: string;
    };

export interface Inspection {
  readonly exitCode: number;
  readonly stderr: string;
}

export interface Processes {
  run(request: ProcessRequest): Promise<ProcessResult>;
  /**
   * Runs a program that only looks at its standard input, such as a syntax check: nothing it could start outlives it, so it is
   * not supervised. Nothing when it can't be run or takes too long.
   */
  inspect(file: string, args: readonly string[], stdin: string): Promise<Inspection | undefined>;
  /** Ends what the owner's commands left in the background. */
  endBackground(owner: string): Promise<void>;
  /** Ends what is left of commands of an engine that has died, as far as it is certain that they are the same. */
  endLeftovers(processes: readonly ProcessIdentity[]): Promise<void>;
  /** Ends every process of every owner, for shutdown; after `graceMs` with KILL. */
  close(graceMs: number): Promise<void>;
}

export type FileProblem =
  | { readonly kind: "missing"; readonly message: string }
  | { readonly kind: "forbidden"; readonly message: string }
  | { readonly kind: "too-large"; readonly message: string }
  | { readonly kind: "unreadable"; readonly message: string };

export interface Files {
  /**
   * Reads a file below `root` without following a symbolic link in any component, so that nothing swapped in between check and
   * open is ever read. `root` itself is trusted.
   */
  readBelow(root: string, relativePath: string, maxBytes: number): Promise<{ bytes: Uint8Array } | FileProblem>;
}

/** What the blocks of runs write, kept where every process can follow it. */
export interface RunLogs {
  /** The log of one attempt; it exists from its first byte on. */
  open(runId: string, key: LogKey): RunLog;
  /** What an attempt wrote, from a position in its log on. */
  read(runId: string, key: LogKey, position?: number): LogPart;
  /** Ids of the runs that have logs. */
  runs(): readonly string[];
  /** Bytes in use by a run's logs. */
  size(runId: string): number;
  remove(runId: string): void;
}

export interface LogKey {
  /** The block's idempotency key, which fits any file system. */
  readonly block: string;
  readonly attempt: number;
}

export interface RunLog {
  write(stream: OutputStream, chunk: Uint8Array): void;
  close(): void;
}

export interface LogPart {
  readonly chunks: readonly LogChunk[];
  /** Where to read on. */
  readonly position: number;
}

export interface LogChunk {
  readonly stream: OutputStream;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** The private directory of one run, for files its blocks hand to each other. */
export interface Scratch {
  /** Makes the directory on first use. Rejects with words for the user when it cannot be made safely. */
  path(): Promise<string>;
  remove(): Promise<void>;
}

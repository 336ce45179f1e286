import type { Result } from "../util/result.ts";
import type { Browsers } from "./browsers.ts";
import type { SandboxLimits } from "./sandbox.ts";
import type { Prices } from "./spend.ts";

/**
 * What a block may reach of the outside, as types. The real ones live in node/; a test hands over its own. A block that wants
 * more than this asks for a port here instead of importing it.
 */

export interface Ports {
  readonly processes: Processes;
  readonly files: FileSystem;
  readonly http: Http;
  readonly browsers: Browsers;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly prices: Prices;
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
  /** A real path that `cwd` must lie in wherever links lead: whatever is put in its way then, the process is not elsewhere. */
  readonly within?: string;
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
  /** Where no sandbox can be made for it, the command does not start. */
  readonly sandbox?: SandboxRequest;
  /** Of an isolated workspace, in which it runs. */
  readonly entrance?: Entrance;
  /** Called at once when it runs, with what tells it from any other process. */
  onStarted?(identity: ProcessIdentity): void;
  /** The chunk is lent for the call: whoever keeps it, or writes it later, copies it first. */
  onOutput?(stream: OutputStream, chunk: Uint8Array): void;
  /** For each stream a filter that everything passes before it is kept or told. */
  filterOutput?(): OutputFilter | undefined;
}

/** Changes bytes that come one after another. What it is given and what it gives are lent for the call. */
export interface OutputFilter {
  write(chunk: Uint8Array): Uint8Array;
  /** What it has held back: nothing more comes. */
  end(): Uint8Array;
}

/** A command that can write only where it is told, sees nothing of the user's own files and ends with all that it has started. */
export interface SandboxRequest extends SandboxLimits {
  /** A real path. It can be written to, except for what the user runs from there: hooks and settings of git, workflows. */
  readonly workspace: string;
  /** The git worktree that the command is there to remove: what the repository has written down of it can be changed. */
  readonly freeWorktree?: string;
  /** Another directory that can be written to. */
  readonly scratch?: string;
}

/** How a command gets into an isolated workspace, where it sees other files than we do. */
export interface Entrance {
  /** What it sees as `/`. */
  readonly root: string;
  /** A program with its first arguments, to be started in a directory below the root; the command follows them. */
  readonly enter: readonly string[];
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
  /** Ends at once what has this variable with one of these values in its environment, also what has left its group and its session. */
  endStrays(variable: string, values: readonly string[]): Promise<void>;
  /** Ends every process of every owner, for shutdown; after `graceMs` with KILL. */
  close(graceMs: number): Promise<void>;
}

/** Why a file can't be read or changed. Only `forbidden` breaks a rule; everything else is how things are on the disk. */
export interface FileProblem {
  readonly kind: "missing" | "exists" | "forbidden" | "too-large" | "denied" | "unusable";
  readonly message: string;
}

/** A path below a directory that is trusted; no symbolic link on the way from there is ever followed. */
export interface RootedPath {
  /** A real path. */
  readonly root: string;
  /** Relative, without `..`; empty for the root itself. */
  readonly path: string;
}

/** What lies at a path. */
export type FileState =
  | { readonly kind: "missing" }
  | { readonly kind: "file"; readonly mode: number; readonly size: number }
  | { readonly kind: "directory"; readonly mode: number }
  | { readonly kind: "link"; readonly target: string }
  /** A device, a FIFO, a socket. */
  | { readonly kind: "other" };

/** The file system, one step at a time. Nothing swapped in between check and use leads anywhere outside. */
export interface FileSystem {
  /**
   * The same file system until the signal aborts. From then on every operation rejects with the signal's reason, those that read
   * or write many bytes in their midst. A change is made as a whole or not at all, and an operation settles only when the system
   * has stopped working on it.
   */
  withSignal(signal: AbortSignal): FileSystem;
  /** What the user's umask leaves of 0666 and 0777. */
  readonly newFileMode: number;
  readonly newDirectoryMode: number;
  look(at: RootedPath): Promise<FileState | FileProblem>;
  /** A regular file, limited while it is read. */
  read(at: RootedPath, maxBytes: number): Promise<{ readonly bytes: Uint8Array; readonly mode: number } | FileProblem>;
  /** What tells a regular file from any other: it may be of any size, for nothing of it is kept. */
  hash(
    at: RootedPath,
  ): Promise<{ readonly sha256: string; readonly size: number; readonly mode: number } | FileProblem>;
  /** A regular file of any size, piece by piece; a piece is lent until the promise for it resolves. Rejects as that does. */
  readPieces(
    at: RootedPath,
    onPiece: (piece: Uint8Array) => Promise<void>,
  ): Promise<{ readonly size: number; readonly mode: number } | FileProblem>;
  /** Names in a directory, sorted. A directory with more than `maxNames` is a problem, found while it is read. */
  list(at: RootedPath, maxNames?: number): Promise<readonly string[] | FileProblem>;
  /**
   * Makes or replaces a regular file as a whole: a temporary file of this name beside it, its mode, fsync, rename, fsync of the
   * directory. Whoever looks sees the old bytes or the new ones.
   */
  replace(at: RootedPath, bytes: Uint8Array, mode: number, temporary: string): Promise<FileProblem | undefined>;
  /** A file, a link (not what it points to) or an empty directory. */
  remove(at: RootedPath): Promise<FileProblem | undefined>;
  /** A directory with all that is in it; one that is missing is fine. */
  removeTree(at: RootedPath): Promise<FileProblem | undefined>;
  /** Its parent exists. */
  makeDirectory(at: RootedPath, mode: number): Promise<FileProblem | undefined>;
  /** A symbolic link, at a path that is free. Where it leads is not looked at. */
  makeLink(at: RootedPath, target: string): Promise<FileProblem | undefined>;
  /** Moves what lies at a path to another one that is free, or holds a file to be replaced. */
  rename(from: RootedPath, to: RootedPath): Promise<FileProblem | undefined>;
  /** Of a file or a directory, also of one that its owner can't read; never of what a link points to. */
  setMode(at: RootedPath, mode: number): Promise<FileProblem | undefined>;
}

/** Bytes that undo may need, each once by its SHA-256, for as long as a run uses them. What holds a secret is never put here. */
export interface Blobs {
  /**
   * Durable once it resolves, and the run uses them from then on. With `lasting: false` they may be lost when the system crashes, and
   * take at most half of the room that a run has: bytes that only show differences.
   */
  put(runId: string, bytes: Uint8Array, options?: { readonly lasting?: boolean }): Promise<Result<string, BlobProblem>>;
  /** The same of a file, which is never whole in memory. */
  putFile(runId: string, at: RootedPath, files: FileSystem): Promise<Result<PutFile, BlobProblem | FileProblem>>;
  /** Whole and unchanged: wrong bytes are as good as missing. */
  get(sha256: string): Promise<Uint8Array | undefined>;
  /** Makes a run a user of bytes that are there already; durable. False when they are not, or not whole. */
  use(runId: string, sha256: string): Promise<boolean>;
  /** Ids of the runs that use any. */
  runs(): readonly string[];
  /** Bytes that a run uses, also those that others use too. */
  size(runId: string): number;
  /** What the run alone has used goes. */
  remove(runId: string): void;
  /** How much is kept of all runs. */
  usage(): Promise<BlobUsage>;
  /** Removes what no run uses: what was left when a removal was cut short. */
  sweep(): Promise<void>;
  /** On the disk that they are kept on, where that is counted. */
  freeBytes(): number | undefined;
}

export interface BlobUsage {
  /** What several runs use is counted once. */
  readonly bytes: number;
  /** Of these, what no run uses. */
  readonly unusedBytes: number;
  /** What each run uses, also what others use too. */
  readonly runs: ReadonlyMap<string, number>;
}

export interface PutFile {
  readonly sha256: string;
  readonly size: number;
  readonly mode: number;
}

/**
 * `full`: the disk; `limit`: what one run may keep (FROND_MAX_UNDO_MB); `unusable`: nothing can be written there at all. The message says
 * what to do.
 */
export interface BlobProblem {
  readonly kind: "full" | "limit" | "unusable";
  readonly message: string;
}

export interface HttpRequest {
  readonly method: string;
  /** Absolute; http or https, without a user name or password. */
  readonly url: string;
  /** Names in lower case; what frames the message is added by itself. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the headers that hold a secret; the engine knows them. Like the body, they are sent to no other origin. */
  readonly secretHeaders?: ReadonlySet<string>;
  readonly body?: Uint8Array;
  readonly followRedirects: boolean;
  /** Whether addresses of this machine, of private networks and the like may be reached. */
  readonly allowPrivate: boolean;
  /** Of the body, compressed and decompressed. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Asked when the headers of the last response are there: who is to get its body as it comes. Else it is kept, as `body`. */
  streamBody?(head: HttpHead): TakeChunk | undefined;
}

/** Gets a piece of a body, decompressed and lent for the call. After `enough` the rest is not waited for. */
export type TakeChunk = (chunk: Uint8Array) => "more" | "enough";

export interface HttpHead {
  readonly status: number;
  /** Names in lower case. One that came several times is joined by commas; `set-cookie`, where that can't be done, is a list. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

export interface HttpResponse extends HttpHead {
  /** Decompressed; empty where it was streamed. */
  readonly body: Uint8Array;
  /** Where it came from, after redirects. */
  readonly url: string;
  readonly redirects: number;
}

/** Why there is no response. Only `refused` breaks a rule; everything else is how things are on the network. */
export interface HttpProblem {
  readonly kind: "refused" | "unreachable" | "too-large" | "bad-response" | "aborted";
  readonly message: string;
}

/** Requests over the network. No address is ever connected to that has not been checked, whatever a name or redirect says. */
export interface Http {
  request(request: HttpRequest): Promise<Result<HttpResponse, HttpProblem>>;
}

/** What the blocks of runs write, kept where every process can follow it. */
export interface RunLogs {
  /** The log of one attempt; it exists from its first byte on. */
  open(runId: string, key: LogKey): RunLog;
  /** What an attempt wrote, from a position in its log on. */
  read(runId: string, key: LogKey, position?: number): Promise<LogPart>;
  /** The end of what it wrote: as much of it as costs little to read. */
  readEnd(runId: string, key: LogKey): Promise<readonly LogChunk[]>;
  /** By the ids of the runs that have logs: the bytes in use by them. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  remove(runId: string): Promise<void>;
  /** Where they are read on other machines too. */
  readonly shared?: SharedLogs;
}

/** What logs need that are written on one machine and read on any. None of it rejects: nothing that a block does depends on its log. */
export interface SharedLogs {
  /** How often it is worth looking for what others have written, in milliseconds. */
  readonly lookMs: number;
  /** This process goes on with a run: what another one of this machine has left of its logs, it sends. */
  claim(runId: string): void;
  /** Gets what an attempt that goes on here has written elsewhere, so that its log goes on after that. */
  fetch(runId: string, key: LogKey): Promise<void>;
  /** Resolves when the closed logs of a run can be read on any machine; soon, too, when the database can't be reached. */
  flush(runId: string): Promise<void>;
  /** Sends what is left. */
  close(): Promise<void>;
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
  /** The text of a small file in it, which is removed; undefined where there is none. The error says why it can't be read. */
  take(name: string): Promise<Result<string, string> | undefined>;
  /** Writes a file in it, as a whole, and gives its path. It is a part of the run, not of what the run changes, so it is not journaled. */
  write(name: string, bytes: Uint8Array): Promise<string>;
  remove(): Promise<void>;
  /** Removes it only if nothing is in it. */
  removeIfEmpty(): Promise<void>;
}

/** Where a run's scratch directory may come from. */
export interface ScratchOrigin {
  /** The run may have made it in another process. */
  readonly mayExist?: boolean;
  /** The run whose directory it begins with a copy of, if that one has kept any. */
  readonly copyOf?: string;
}

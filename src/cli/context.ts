import type { Command } from "commander";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { Problem } from "../diagnostic/problem.ts";
import type { Machine } from "../runs/machine.ts";
import type { Platform } from "../runs/platform.ts";
import type { Runtime } from "../runs/runtime.ts";
import type { ServerNews } from "../runs/server-news.ts";
import type { ServerSettings } from "../runs/server-settings.ts";
import type { WorkerSettings } from "../runs/worker.ts";
import type { TestBench } from "../testing/test-bench.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Terminal } from "./terminal.ts";

/** What a command gets to work with. */
export interface CliContext {
  readonly terminal: Terminal;
  /** Where Frond itself is installed. */
  readonly packageRoot: string;
  readonly installation: Installation;
  /** Frond's own. */
  readonly version: string;
  readonly platform: Platform;
  readonly machine: Machine;
  readonly drivers: Drivers;
  openRuntime(workspace: string): Runtime;
  /** A workflow that shows a block type. */
  readExample(type: string): string | undefined;
  openTestBench(workspace: string): TestBench;
  /** Gives commands variables, and workflows secrets, that the environment does not have. */
  addVariables(variables: ReadonlyMap<string, string>): void;
  /** Adds to what the CI shows of this step, as Markdown; absent where nothing shows any. */
  addSummary?(markdown: string): void;
  /** The span of whoever calls, as W3C Trace Context writes it. */
  readonly traceParent?: string;
  /** The directory that a client which starts servers says it is in. */
  readonly clientDirectory?: string;
  /** Serves clients until they are gone. Absent in the part of Frond that is loaded for everything else. */
  serve?(settings: ServerSettings, hear?: (news: ServerNews) => void): Promise<Result<void, Problem>>;
  /** A run as one file for browsers, as text. Absent in the part of Frond that is loaded for everything else. */
  drawPage?(runId: string, catalog: Runtime["workflows"]["catalog"]): Promise<Result<string, Problem>>;
  /** Drives runs that wait for a worker, until the first signal; the second ends it at once. Gives the runs that are left to others. */
  work?(settings: WorkerSettings, signals: WorkerSignals): Promise<Result<readonly string[], Problem>>;
  readonly desktop: Desktop;
  /** Calls the handler for every request to end; returns how to stop listening. */
  onInterrupt(handler: (interrupt: Interrupt) => void): () => void;
}

export interface WorkerSignals {
  readonly drain: AbortSignal;
  readonly now: AbortSignal;
}

/** `end`: Ctrl-C or SIGTERM. `hang-up`: the terminal was closed, or the connection to it lost. */
export type Interrupt = "end" | "hang-up";

/** Where the person sees web pages. */
export interface Desktop {
  /** How they have come to this machine, as ssh names it, where they sit at another. */
  readonly remote?: string;
  /** Whether a browser was found to open the page. */
  open(url: string): Promise<boolean>;
}

/** Processes that drive runs in the background, with no terminal. */
export interface Drivers {
  /** Starts Frond with these arguments, for this run. Gives what it reports, empty when it ended without; or why there is none. */
  start(
    runId: string,
    args: readonly string[],
    task?: string,
  ): Promise<Result<{ pid: number; report: string }, string>>;
  /** In such a process: its task, and the variables and secrets of whoever has started it. */
  readInput(): { readonly variables: Readonly<Record<string, string>>; readonly task?: string };
  /** In such a process: tells whoever has started it. */
  report(text: string): void;
  /** The end of what those of a run had to say that nobody heard: warnings, and why one crashed. */
  lastWords(runId: string): string;
}

/** With what Frond is run here. */
export interface Installation {
  /** Absolute path of Node. */
  readonly node: string;
  /** The system, as Node names it. */
  readonly platform: string;
}

/** What the process says when it ends; documented in docs/cli.md. */
export const exitCodes = {
  success: 0,
  failure: 1,
  /** Invalid input, definition or usage: nothing was run. */
  invalid: 2,
  paused: 3,
  /** A run that others drive can't be watched any more. */
  unwatched: 4,
  /** As the shell tells of SIGHUP. */
  hungUp: 129,
  cancelled: 130,
} as const;

/** Adds a command to the program; what it does ends in an exit code. */
export type AddCommand = (program: Command, context: CliContext, end: (code: number) => void) => void;

/** An engine for the workspace an option names, with the real path of that. */
export function openWorkspace(
  path: string,
  { platform, openRuntime }: CliContext,
): Result<{ readonly workspace: string; readonly runtime: Runtime }, readonly Diagnostic[]> {
  const real = platform.realDirectory(path);
  if (real.ok) return ok({ workspace: real.value, runtime: openRuntime(real.value) });
  return err([badDirectory(real.error, "Give --workspace a directory that exists.")]);
}

export function badDirectory(message: string, fix: string): Diagnostic {
  return { code: "bad-directory", level: "error", message, fix };
}

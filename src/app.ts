// First: schemas are made when the others are loaded.
import "./plain-zod.ts";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import { completeCommand } from "./cli/completion/completion-scripts.ts";
import type { CliContext, Interrupt } from "./cli/context.ts";
import { runCommandLine } from "./cli/program.ts";
import { createTerminal, type Terminal } from "./cli/terminal.ts";
import { createPlatform, createRuntime, hereOptions, type Warn } from "./create-platform.ts";
import { createTestBench } from "./create-test-bench.ts";
import { type Problem, problem } from "./diagnostic/problem.ts";
import { examineDbos } from "./dispatch/load-dbos.ts";
import type { JournalStorage } from "./journal/journal.ts";
import { createLibraryMemory } from "./library-memory.ts";
import { refusesCodeCache } from "./load-app.ts";
import { examineBrowser } from "./platform/browser/examine-browser.ts";
import { databaseVariable } from "./platform/database-url.ts";
import { appendToFile } from "./platform/files/append-to-file.ts";
import { readBlockExample } from "./platform/files/block-examples.ts";
import { examineStateDirectory } from "./platform/files/examine-state-directory.ts";
import { createIsolation } from "./platform/isolation/isolation.ts";
import { systemCrontab } from "./platform/processes/crontab.ts";
import { createDesktop } from "./platform/processes/desktop.ts";
import { createDrivers } from "./platform/processes/drivers.ts";
import { hasProcessTable } from "./platform/processes/process-table.ts";
import { createSandbox } from "./platform/sandbox/sandbox.ts";
import { secretVariable } from "./platform/secrets.ts";
import type { Machine } from "./runs/machine.ts";
import type { Platform } from "./runs/platform.ts";
import type { Runtime } from "./runs/runtime.ts";
import type { ServerNews } from "./runs/server-news.ts";
import { rulesOf, type ServerSettings } from "./runs/server-settings.ts";
import type { WorkerParts } from "./runs/worker.ts";
import type { Traces } from "./telemetry/open-traces.ts";
import type { Metrics } from "./telemetry/run-metrics.ts";
import type { TestBench } from "./testing/test-bench.ts";
import { defined } from "./util/defined.ts";
import { err, type Result } from "./util/result.ts";

/** Where Frond itself is installed. */
const packageRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** The parts that a server works with. */
export interface Parts {
  readonly version: string;
  readonly platform: Platform;
  openRuntime(workspace: string): Runtime;
  readExample(type: string): string | undefined;
  openTestBench(workspace: string): TestBench;
  /** Comes with the first request to end. */
  readonly signal: AbortSignal;
  /** Comes with the second. */
  readonly urgent: AbortSignal;
  hear(news: ServerNews): void;
}

type DrawPage = NonNullable<CliContext["drawPage"]>;

export interface ServerStart {
  serve(settings: ServerSettings, parts: Parts): Promise<Result<void, Problem>>;
  readonly warn: Warn;
  /** Count what the process does. */
  readonly metrics?: Metrics;
}

export interface WorkerStart {
  readonly warn: Warn;
  /** Count what the process does. */
  readonly metrics?: Metrics;
  work: (
    parts: Pick<WorkerParts, "platform" | "dispatch" | "openRuntime">,
    ...asked: WorkArguments
  ) => ReturnType<Work>;
}

type Work = NonNullable<CliContext["work"]>;
type WorkArguments = Parameters<Work>;

/** The command line without a server, which most commands have no need of. */
export function main(args: readonly string[]): Promise<number> {
  return start(args);
}

/** Puts the parts together and hands them to the door that was asked for. Resolves to the exit code. */
export async function start(
  args: readonly string[],
  server?: ServerStart,
  drawPage?: (platform: Platform, ...run: Parameters<DrawPage>) => ReturnType<DrawPage>,
  worker?: WorkerStart,
): Promise<number> {
  const terminal = createTerminal(process.stdout, process.stderr, process.stdin, process.env);
  if (server === undefined) ignoreHangUp();
  // Called at every press of a key: it says nothing but what it is asked for, and leaves nothing behind.
  const isCompleting = args[0] === completeCommand;
  const say: Warn = (message) => (isCompleting ? undefined : terminal.writeError(`warning: ${message}\n`));
  const warn = server?.warn ?? worker?.warn ?? say;
  const options = hereOptions(warn, !isCompleting);
  const version = readVersion();
  const traces = isCompleting ? undefined : await startTraces(version, warn);
  const { metrics } = server ?? worker ?? {};
  const servesMany = server !== undefined || worker !== undefined;
  const platform = createPlatform({
    ...options,
    servesMany,
    journalStorage: metrics?.timed(options.journalStorage) ?? options.journalStorage,
    observers: [traces, metrics].flatMap((part) => (part === undefined ? [] : [part.observer])),
  });
  const { stateDirectory } = platform;
  const leavesTrace = !isCompleting;
  const memory = createLibraryMemory({ packageRoot, version, stateDirectory, leavesTrace, servesMany });
  const library = { packageRoot, home: homedir(), variables: process.env, memory };
  const openRuntime = (workspace: string): Runtime => createRuntime(platform, { ...library, workspace });
  const readExample = (type: string): string | undefined => readBlockExample(packageRoot, type);
  const { CLAUDE_PROJECT_DIR: clientDirectory, TRACEPARENT: traceParent } = process.env;
  try {
    return await runCommandLine(args, {
      terminal,
      packageRoot,
      installation: { node: process.execPath, platform: process.platform },
      version,
      platform,
      machine: createMachine(platform, options.journalStorage),
      drivers: createDrivers({
        command: [process.execPath, ...process.execArgv, join(packageRoot, "dist", "main.js")],
        variables: () => withSecrets(platform),
        environment: defined({ [databaseVariable]: options.databaseUrl }),
        logs: join(platform.stateDirectory, "logs"),
      }),
      desktop: createDesktop(process.env),
      openRuntime,
      readExample,
      openTestBench: (workspace) => createTestBench(platform, { ...library, workspace }),
      addVariables: (variables) => platform.addVariables(variables),
      ...defined({ clientDirectory, traceParent, addSummary: summaryOf(process.env, warn) }),
      ...(drawPage === undefined ? {} : { drawPage: (runId, catalog) => drawPage(platform, runId, catalog) }),
      ...(server === undefined
        ? {}
        : {
            serve: (settings, hear = () => {}) => {
              const rules = rulesOf(settings);
              const openServed = (workspace: string): Runtime =>
                createRuntime(platform, { ...library, workspace }, rules);
              const openTestBench = (workspace: string): TestBench =>
                createTestBench(platform, { ...library, workspace }, rules);
              const parts = { version, platform, openRuntime: openServed, openTestBench, readExample };
              return server.serve(settings, { ...parts, ...untilEnded(), hear });
            },
          }),
      ...(worker === undefined
        ? {}
        : {
            work: async (...asked) => {
              const { dispatch } = options;
              if (dispatch === undefined) return err(noDatabase);
              return worker.work({ platform, dispatch, openRuntime }, ...asked);
            },
          }),
      onInterrupt: (handler) => listenForSignals(terminal, handler),
    });
  } finally {
    await platform.close();
    await traces?.close();
  }
}

/** Nobody who asks for no traces loads what makes them. */
async function startTraces(version: string, warn: Warn): Promise<Traces | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = process.env;
  if (!OTEL_EXPORTER_OTLP_ENDPOINT && !OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return undefined;
  const { openTraces } = await import("./telemetry/open-traces.ts");
  return openTraces(process.env, version, warn);
}

/**
 * A process without a stream at a terminal has none to lose. `nohup` makes it so and has SIGHUP ignored, which Node undoes when it
 * starts.
 */
function ignoreHangUp(): void {
  if (!hasTerminal) process.on("SIGHUP", () => {});
}

function listenForSignals(terminal: Terminal, handler: (interrupt: Interrupt) => void): () => void {
  const end = (): void => handler("end");
  const hangUp = (): void => {
    if (!hasTerminal) return;
    terminal.leave();
    handler("hang-up");
  };
  process.on("SIGINT", end).on("SIGTERM", end).on("SIGHUP", hangUp);
  return () => void process.off("SIGINT", end).off("SIGTERM", end).off("SIGHUP", hangUp);
}

function untilEnded(): Pick<Parts, "signal" | "urgent"> {
  const [ended, urgent] = [new AbortController(), new AbortController()];
  for (const signal of endingSignals) process.on(signal, () => (ended.signal.aborted ? urgent : ended).abort());
  return { signal: ended.signal, urgent: urgent.signal };
}

function summaryOf({ GITHUB_STEP_SUMMARY: file }: NodeJS.ProcessEnv, warn: Warn): CliContext["addSummary"] {
  if (file === undefined || file === "") return undefined;
  return (markdown) => {
    const problem = appendToFile(file, markdown);
    if (problem !== undefined) warn(`The summary could not be added to '${file}': ${problem}.`);
  };
}

/** All that commands get, and the secrets. */
function withSecrets({ environment, secrets }: Platform): Record<string, string> {
  const variables = { ...environment.variables };
  for (const name of secrets.names) {
    const value = secrets.find(name);
    if (value.ok) variables[secretVariable(name)] = value.value;
  }
  return variables;
}

export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  return String((manifest as { version?: unknown }).version);
}

const hasTerminal = [0, 1, 2].some((stream) => isatty(stream));

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const noDatabase: Problem = problem(
  "no-database",
  "A worker needs the database that it shares with others.",
  "Set FROND_DATABASE_URL to it, such as postgres://user:password@host/database.",
);

function createMachine({ environment, stateDirectory }: Platform, journalStorage: JournalStorage): Machine {
  return {
    nodeVersion: process.versions.node,
    nodeOptions: process.env.NODE_OPTIONS ?? "",
    refusesCodeCache: () => refusesCodeCache(join(packageRoot, "dist", "app.cjs")),
    examineJournal: () => journalStorage.examine(),
    examineStateDirectory: () => examineStateDirectory(stateDirectory),
    examineDispatch: () => examineDbos(process.env),
    findSandbox: () => createSandbox(environment, stateDirectory).find(),
    findIsolation: () => createIsolation(environment, stateDirectory).find(),
    findBrowser: () => examineBrowser(environment),
    hasProcessTable,
    crontab: systemCrontab,
  };
}

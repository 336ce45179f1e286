import { readFileSync } from "node:fs";
import { availableParallelism, homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createCatalog } from "./block/catalog.ts";
import { blockTypes } from "./blocks/index.ts";
import { runCommandLine } from "./cli/program.ts";
import { createTerminal } from "./cli/terminal.ts";
import { examineJournal } from "./journal/examine-journal.ts";
import type { Journal } from "./journal/journal.ts";
import { openSqliteJournal } from "./journal/sqlite-journal.ts";
import { systemClock } from "./node/clock.ts";
import { directoryInside, realDirectory } from "./node/directories.ts";
import { createEnvironment } from "./node/environment.ts";
import { createFileSystem } from "./node/file-system.ts";
import { createHttp } from "./node/http.ts";
import { createOwners } from "./node/owners.ts";
import { hasProcessTable } from "./node/process-table.ts";
import { createProcesses } from "./node/processes.ts";
import { createRunLogs } from "./node/run-logs.ts";
import { createSandbox } from "./node/sandbox.ts";
import { createScratch } from "./node/scratch.ts";
import { takeSecrets } from "./node/secrets.ts";
import { stateDirectory } from "./node/state-directory.ts";
import { createTrustStore } from "./node/trust-store.ts";
import { listWorkflowFiles, readWorkflowText } from "./node/workflow-files.ts";
import { Secrets } from "./run/secrets.ts";
import type { Engine } from "./service/engine.ts";
import type { EngineRules } from "./service/forbid-unsafe.ts";
import type { Machine } from "./service/machine.ts";
import type { Outside } from "./service/outside.ts";
import type { Problem } from "./service/problem.ts";
import type { ServerSettings } from "./service/server-settings.ts";
import { libraryDirectories, Workflows } from "./service/workflows.ts";
import { KeyedLocks } from "./util/keyed-locks.ts";
import type { Result } from "./util/result.ts";
import { Semaphore } from "./util/semaphore.ts";

/** Where Frond itself is installed. */
const packageRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** Told what the user should know although nothing has failed. */
type Warn = (message: string) => void;

/** The parts that a server works with. */
export interface Parts {
  readonly version: string;
  readonly outside: Outside;
  openEngine(workspace: string): Engine;
  /** Comes with the first request to end. */
  readonly signal: AbortSignal;
}

export interface ServerDoor {
  serve(settings: ServerSettings, parts: Parts): Promise<Result<void, Problem>>;
  readonly warn: Warn;
}

/** The command line without a server, which most commands have no need of. */
export function main(args: readonly string[]): Promise<number> {
  return start(args);
}

/** Puts the parts together and hands them to the door that was asked for. Resolves to the exit code. */
export async function start(args: readonly string[], server?: ServerDoor): Promise<number> {
  const terminal = createTerminal(process.stdout, process.stderr, process.stdin, process.env);
  const outside = createOutside(server?.warn ?? ((message) => terminal.writeError(`warning: ${message}\n`)));
  const version = readVersion();
  const openEngine = (workspace: string): Engine => createEngine(outside, workspace);
  const { CLAUDE_PROJECT_DIR: clientDirectory } = process.env;
  try {
    return await runCommandLine(args, {
      terminal,
      packageRoot,
      installation: { node: process.execPath, platform: process.platform },
      version,
      outside,
      machine: createMachine(outside),
      openEngine,
      ...(clientDirectory === undefined ? {} : { clientDirectory }),
      ...(server === undefined
        ? {}
        : {
            serve: (settings) => {
              const rules = { forbidsUnsafe: !settings.allowsUnsafe };
              const openServed = (workspace: string): Engine => createEngine(outside, workspace, rules);
              return server.serve(settings, { version, outside, openEngine: openServed, signal: untilEnded() });
            },
          }),
      onInterrupt: (handler) => {
        const listener = (): void => handler();
        for (const signal of endingSignals) process.on(signal, listener);
        return () => {
          for (const signal of endingSignals) process.off(signal, listener);
        };
      },
    });
  } finally {
    await outside.close();
  }
}

function untilEnded(): AbortSignal {
  const ended = new AbortController();
  for (const signal of endingSignals) process.on(signal, () => ended.abort());
  return ended.signal;
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  return String((manifest as { version?: unknown }).version);
}

const shutdownGraceMs = 3000;
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function createOutside(warn: Warn): Outside {
  // First, so that nothing else finds them in the environment.
  const secrets = new Secrets(takeSecrets(process.env));
  const directory = stateDirectory(process.env);
  const environment = createEnvironment(process.env);
  const sandbox = createSandbox(environment, directory);
  const processes = createProcesses({ sandbox, onWarning: warn });
  let journal: Promise<Journal> | undefined;
  return {
    ports: {
      processes,
      files: createFileSystem(),
      http: createHttp(),
      clock: systemClock,
      environment,
    },
    processSlots: new Semaphore(positiveSetting("FROND_MAX_PROCESSES", 4 * availableParallelism(), warn)),
    createScratch,
    journal() {
      journal ??= openSqliteJournal(directory).catch((error: unknown) => {
        // Whoever tries again later may find the cause gone.
        journal = undefined;
        throw error;
      });
      return journal;
    },
    locks: new KeyedLocks(),
    secrets,
    stateDirectory: directory,
    logs: createRunLogs(join(directory, "logs"), { onProblem: warn }),
    owners: createOwners(),
    retention: {
      maxAgeMs: positiveSetting("FROND_RETENTION_DAYS", 30, warn) * 24 * 60 * 60 * 1000,
      maxBytes: positiveSetting("FROND_RETENTION_GB", 5, warn) * 1e9,
    },
    listWorkflowFiles,
    readWorkflowText,
    realDirectory,
    directoryInside,
    trust: createTrustStore(directory),
    warn,
    async close() {
      await processes.close(shutdownGraceMs);
      // One that could not be opened has said so already.
      await journal?.then(
        (opened) => opened.close(),
        () => {},
      );
    },
  };
}

function createMachine({ ports, stateDirectory }: Outside): Machine {
  return {
    nodeVersion: process.versions.node,
    examineJournal: () => examineJournal(stateDirectory),
    findSandbox: () => createSandbox(ports.environment, stateDirectory).find(),
    hasProcessTable,
  };
}

function createEngine(outside: Outside, workspace: string, rules?: EngineRules): Engine {
  const directories = libraryDirectories(
    {
      builtIn: join(packageRoot, "workflows"),
      home: homedir(),
      workspace,
      templatePaths: process.env.WORKFLOWS_TEMPLATE_PATHS ?? "",
    },
    outside.trust.has,
  );
  return {
    workflows: new Workflows(createCatalog(blockTypes), directories, outside, rules),
    outside,
    maxDepth: positiveSetting("FROND_MAX_DEPTH", 50, outside.warn),
  };
}

function positiveSetting(name: string, fallback: number, warn: Warn): number {
  const text = process.env[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  warn(`${name} is '${text}', not a whole number above 0: ${fallback} is used instead.`);
  return fallback;
}

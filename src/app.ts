import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommandLine } from "./cli/program.ts";
import { createTerminal } from "./cli/terminal.ts";
import { createEngine, createOutside, hereOptions, type Warn } from "./create-outside.ts";
import { createTestBench } from "./create-test-bench.ts";
import { examineJournal } from "./journal/examine-journal.ts";
import { hasProcessTable } from "./node/process-table.ts";
import { createSandbox } from "./node/sandbox.ts";
import type { Engine } from "./service/engine.ts";
import type { Machine } from "./service/machine.ts";
import type { Outside } from "./service/outside.ts";
import type { Problem } from "./service/problem.ts";
import { rulesOf, type ServerSettings } from "./service/server-settings.ts";
import type { Result } from "./util/result.ts";

/** Where Frond itself is installed. */
const packageRoot = dirname(dirname(fileURLToPath(import.meta.url)));

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
  const warn = server?.warn ?? ((message) => terminal.writeError(`warning: ${message}\n`));
  const outside = createOutside(hereOptions(warn));
  const version = readVersion();
  const library = { packageRoot, home: homedir(), variables: process.env };
  const openEngine = (workspace: string): Engine => createEngine(outside, { ...library, workspace });
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
      openTestBench: (workspace) => createTestBench(outside, { ...library, workspace }),
      ...(clientDirectory === undefined ? {} : { clientDirectory }),
      ...(server === undefined
        ? {}
        : {
            serve: (settings) => {
              const rules = rulesOf(settings);
              const openServed = (workspace: string): Engine => createEngine(outside, { ...library, workspace }, rules);
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

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function createMachine({ ports, stateDirectory }: Outside): Machine {
  return {
    nodeVersion: process.versions.node,
    examineJournal: () => examineJournal(stateDirectory),
    findSandbox: () => createSandbox(ports.environment, stateDirectory).find(),
    hasProcessTable,
  };
}

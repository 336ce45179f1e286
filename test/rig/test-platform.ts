import { join } from "node:path";
import type { Isolation } from "../../src/block/isolation.ts";
import type { Blobs, Clock, Processes } from "../../src/block/ports.ts";
import type { ModelPrice } from "../../src/block/spend.ts";
import { Secrets } from "../../src/engine/secrets.ts";
import { createBrowsers } from "../../src/platform/browser/browsers.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createEnvironment } from "../../src/platform/environment.ts";
import { createBlobs } from "../../src/platform/files/blobs.ts";
import { countChangedFiles } from "../../src/platform/files/count-changed-files.ts";
import { directoryInside, realDirectory } from "../../src/platform/files/directories.ts";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import type { LookingThread } from "../../src/platform/files/observe/looking-thread.ts";
import { createObserver } from "../../src/platform/files/observe/observer.ts";
import { createRunLogs } from "../../src/platform/files/run-logs.ts";
import { createScratch } from "../../src/platform/files/scratch.ts";
import { realPath } from "../../src/platform/files/workflow-files.ts";
import { createHttp, type HttpOptions } from "../../src/platform/http/http.ts";
import { createIsolation } from "../../src/platform/isolation/isolation.ts";
import { createPrices } from "../../src/platform/prices.ts";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { createSandbox } from "../../src/platform/sandbox/sandbox.ts";
import { createWorkspaces } from "../../src/platform/workspaces/workspaces.ts";
import type { Dispatch } from "../../src/runs/dispatch.ts";
import type { Platform } from "../../src/runs/platform.ts";
import { KeyedLocks } from "../../src/util/keyed-locks.ts";
import { Semaphore } from "../../src/util/semaphore.ts";
import type { TestMachine, TestProcess } from "./machine.ts";

export interface TestPlatformOptions {
  readonly clock?: Clock;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** What models cost; without it, nothing is known of any. */
  readonly prices?: Readonly<Record<string, ModelPrice>>;
  readonly maxProcesses?: number;
  readonly blobs?: Blobs;
  /** Between TERM and KILL. */
  readonly graceMs?: number;
  readonly createScratch?: Platform["createScratch"];
  /** What engines of one test share that costs much to make. Whoever made it closes it. */
  readonly shared?: SharedParts;
  /** Which addresses names have for browsers, and which of them count as private. */
  readonly network?: HttpOptions;
  /** The name of its machine among others. */
  readonly host?: string;
  readonly dispatch?: Dispatch;
  /** Without it, a warning fails the test. */
  onWarning?(message: string): void;
}

export interface SharedParts {
  readonly processes: Processes;
  readonly isolation: Isolation;
  readonly thread: LookingThread;
}

/** Real ports, with a library that is given as texts. */
export function createTestPlatform(
  texts: ReadonlyMap<string, string>,
  machine: TestMachine,
  { journal, owners }: TestProcess,
  options: TestPlatformOptions,
): Platform {
  const environment = createEnvironment({ PATH: process.env.PATH, HOME: process.env.HOME, ...options.environment });
  const sandbox = createSandbox(environment, machine.stateDirectory);
  const { shared } = options;
  const processes = shared?.processes ?? createProcesses({ graceMs: options.graceMs ?? 1000, sandbox });
  const warn = options.onWarning ?? unexpectedWarning;
  const browsers = createBrowsers({ processes, environment, network: options.network ?? {}, warn });
  const files = createFileSystem();
  const { stateDirectory } = machine;
  const blobs = options.blobs ?? createBlobs(join(stateDirectory, "blobs"), { mostBytes: 2e9 });
  return {
    processes,
    files,
    http: createHttp(),
    browsers,
    isolation: shared?.isolation ?? createIsolation(environment, machine.stateDirectory),
    clock: options.clock ?? systemClock,
    prices: createPrices(options.prices),
    environment,
    processSlots: new Semaphore(options.maxProcesses ?? 8),
    countChangedFiles,
    createScratch: options.createScratch ?? createScratch,
    journal: async () => journal,
    locks: new KeyedLocks(),
    secrets: new Secrets(new Map(Object.entries(options.secrets ?? {}))),
    stateDirectory,
    logs: createRunLogs(join(stateDirectory, "logs")),
    blobs,
    observer: createObserver({ stateDirectory, environment, files, blobs, ...(shared && { thread: shared.thread }) }),
    owners,
    host: options.host ?? "here",
    ...(options.dispatch === undefined ? {} : { dispatch: options.dispatch }),
    workspaces: createWorkspaces(`${stateDirectory}-workspaces`, { processes, environment }),
    retention: { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY },
    async close() {
      await browsers.close();
      if (shared === undefined) await processes.close(0);
    },
    listWorkflowFiles: () => [...texts.keys()],
    readWorkflowText: (name) => ({ text: texts.get(name) ?? "" }),
    realPath,
    realDirectory,
    directoryInside,
    ownerOf: notHere,
    trust: {
      find: notHere,
      save: notHere,
      update: notHere,
      alone: notHere,
      remove: notHere,
      list: () => [],
      textOf: notHere,
    },
    warn,
  };
}

function unexpectedWarning(message: string): never {
  throw new Error(`Unexpected warning: ${message}`);
}

function notHere(): never {
  throw new Error("Tests of runs have no trust store.");
}

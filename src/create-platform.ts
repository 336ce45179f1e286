import { availableParallelism, homedir, hostname } from "node:os";
import { join } from "node:path";
import type { Blobs } from "./block/ports.ts";
import { createDispatch } from "./dispatch/dbos-dispatch.ts";
import { defaultLimits, nodesVariable, type RunLimits, recordedVariable } from "./engine/limits.ts";
import { Secrets } from "./engine/secrets.ts";
import type { Journal, JournalStorage } from "./journal/journal.ts";
import { createReadingStorage, createSqliteStorage } from "./journal/sqlite/sqlite-storage.ts";
import type { WorkflowRules } from "./library/engine-rules.ts";
import type { LibraryDirectory } from "./library/library.ts";
import { libraryDirectories } from "./library/library-directories.ts";
import { readPriceFile } from "./library/price-file.ts";
import { Workflows } from "./library/workflows.ts";
import { forgetfulMemory, type LibraryMemory } from "./library-memory.ts";
import { createDatabaseStorage, createUnusableStorage, logConnector, withStateDirectory } from "./open-database.ts";
import { createBrowsers } from "./platform/browser/browsers.ts";
import { systemClock } from "./platform/clock.ts";
import { takeDatabaseUrl } from "./platform/database-url.ts";
import { createEnvironment } from "./platform/environment.ts";
import { createBlobs } from "./platform/files/blobs.ts";
import { countChangedFiles } from "./platform/files/count-changed-files.ts";
import { directoryInside, realDirectory } from "./platform/files/directories.ts";
import { createFileSystem } from "./platform/files/file-system.ts";
import { listWorkflowFiles } from "./platform/files/list-workflow-files.ts";
import { createObserver } from "./platform/files/observe/observer.ts";
import { ownerOf } from "./platform/files/ownership.ts";
import { rememberFiles } from "./platform/files/remember-files.ts";
import { createRunLogs } from "./platform/files/run-logs.ts";
import { createScratch } from "./platform/files/scratch.ts";
import { stateDirectory } from "./platform/files/state-directory.ts";
import { createTrustStore } from "./platform/files/trust-store.ts";
import { readWorkflowText, realPath } from "./platform/files/workflow-files.ts";
import { createHttp } from "./platform/http/http.ts";
import { createIsolation } from "./platform/isolation/isolation.ts";
import { modelPrices } from "./platform/model-prices.ts";
import { createPrices, type OwnPrices } from "./platform/prices.ts";
import { slotUse } from "./platform/processes/command-slots.ts";
import { createOwners } from "./platform/processes/owners.ts";
import { createProcesses } from "./platform/processes/processes.ts";
import { createSandbox } from "./platform/sandbox/sandbox.ts";
import { secretNameOf, takeSecrets } from "./platform/secrets.ts";
import type { LogDatabase } from "./platform/shared-logs/log-table.ts";
import { createSharedLogs } from "./platform/shared-logs/shared-logs.ts";
import { createWorkspaces } from "./platform/workspaces/workspaces.ts";
import { workspacesDirectory } from "./platform/workspaces/workspaces-directory.ts";
import type { WorkerDispatch } from "./runs/dispatch.ts";
import type { Platform } from "./runs/platform.ts";
import { rollBack } from "./runs/roll-back.ts";
import type { RunObserver } from "./runs/run-observer.ts";
import type { Runtime } from "./runs/runtime.ts";
import { defined } from "./util/defined.ts";
import { KeyedLocks } from "./util/keyed-locks.ts";
import type { Log } from "./util/log.ts";
import { Semaphore } from "./util/semaphore.ts";

/** Told what the user should know although nothing has failed. */
export type Warn = (message: string) => void;

export interface PlatformOptions {
  /** The environment; its secrets are taken out of it. */
  readonly variables: NodeJS.ProcessEnv;
  /** Where Frond keeps its own data. */
  readonly stateDirectory: string;
  /** Opened on first use. */
  readonly journalStorage: JournalStorage;
  /** Of the database that more than one machine share, if there is one. */
  readonly databaseUrl?: string;
  /** Without it, files in the state directory. */
  readonly blobs?: Blobs;
  /** Connects to the database that has the logs of all machines, once the journal is open. Without it, they are files here. */
  readonly connectLogs?: () => Promise<LogDatabase>;
  /** Hear of every run that is driven. */
  readonly observers?: readonly RunObserver[];
  readonly warn: Warn;
  /** Hands runs to workers, where there are some. */
  readonly dispatch?: WorkerDispatch;
  /** Whether the process serves many runs, so that workflow files are worth remembering. */
  readonly servesMany?: boolean;
}

/** The outside as the user of this process has it; `leavesTrace` is false where nothing may be written, not even a journal made. */
export function hereOptions(warn: Warn, leavesTrace = true): PlatformOptions {
  const variables = process.env;
  const directory = stateDirectory(variables, warn);
  const found = takeDatabaseUrl(variables);
  const here = { variables, stateDirectory: directory, warn };
  if (!found.ok) return { ...here, journalStorage: createUnusableStorage(found.error) };
  const url = found.value;
  if (url === undefined) {
    return { ...here, journalStorage: leavesTrace ? createSqliteStorage(directory) : createReadingStorage(directory) };
  }
  const log: Log = (level, message) => (level === "warn" || level === "error" ? warn(message) : undefined);
  const dispatch = createDispatch({ url, variables, log });
  const database = createDatabaseStorage(url, { ...variables }, leavesTrace);
  const journalStorage = leavesTrace ? withStateDirectory(directory, database) : database;
  return { ...here, databaseUrl: url, journalStorage, connectLogs: logConnector(url, { ...variables }), dispatch };
}

const shutdownGraceMs = 3000;

/** One to which variables can be added, as if they had been in the environment, which wins over them. */
export interface OpenPlatform extends Platform {
  addVariables(variables: ReadonlyMap<string, string>): void;
}

export function createPlatform({
  variables,
  stateDirectory: directory,
  journalStorage,
  blobs,
  connectLogs,
  databaseUrl,
  observers = [],
  warn,
  dispatch,
  servesMany = false,
}: PlatformOptions): OpenPlatform {
  // First, so that nothing else finds them in the environment.
  const secrets = new Secrets(takeSecrets(variables));
  const environment = createEnvironment(variables);
  const sandbox = createSandbox(environment, directory);
  const processes = createProcesses({ sandbox, slots: slotUse(variables.FROND_SLOTS), onWarning: warn });
  const browsers = createBrowsers({ processes, environment, network: {}, warn });
  const setting = (name: string, fallback: number): number => positiveSetting(variables, name, fallback, warn);
  const host = variables.FROND_HOST || hostname();
  const files = createFileSystem();
  const kept = blobs ?? createBlobs(join(directory, "blobs"), { mostBytes: setting("FROND_MAX_UNDO_MB", 2000) * 1e6 });
  let journal: Promise<Journal> | undefined;
  const open = (): Promise<Journal> => {
    // Whoever tries again later may find the cause gone, or another journal in its place.
    const forget = (): void => {
      if (journal === opening) journal = undefined;
    };
    const opening = journalStorage.open({ onRemoved: forget });
    opening.catch(forget);
    return opening;
  };
  const getJournal = (): Promise<Journal> => {
    journal ??= open();
    return journal;
  };
  const logFiles = createRunLogs(join(directory, "logs"), { onProblem: warn });
  const connect = connectLogs && (() => getJournal().then(connectLogs));
  const logs = connect === undefined ? logFiles : createSharedLogs({ files: logFiles, connect, warn });
  return {
    processes,
    files,
    http: createHttp(),
    browsers,
    isolation: createIsolation(environment, directory),
    clock: systemClock,
    environment,
    prices: createPrices(modelPrices, () => readOwnPrices(variables, warn)),
    processSlots: new Semaphore(setting("FROND_MAX_PROCESSES", 4 * availableParallelism())),
    createScratch,
    countChangedFiles,
    journal: getJournal,
    locks: new KeyedLocks(),
    secrets,
    stateDirectory: directory,
    logs,
    blobs: kept,
    observer: createObserver({ stateDirectory: directory, environment, files, blobs: kept }),
    owners: createOwners(host),
    host,
    ...defined({ dispatch }),
    workspaces: createWorkspaces(workspacesDirectory(variables, directory, databaseUrl, warn), {
      processes,
      environment,
    }),
    observers,
    retention: {
      maxAgeMs: setting("FROND_RETENTION_DAYS", 30) * 24 * 60 * 60 * 1000,
      maxBytes: setting("FROND_RETENTION_GB", 5) * 1e9,
    },
    ...(servesMany
      ? rememberFiles()
      : { listWorkflowFiles, readWorkflowText: (file: string) => readWorkflowText(file) }),
    realPath,
    realDirectory,
    directoryInside,
    ownerOf,
    trust: createTrustStore(directory),
    warn,
    addVariables(added) {
      for (const [name, value] of added) {
        const secret = secretNameOf(name);
        if (secret === undefined) environment.add(name, value);
        else secrets.add(secret, value);
      }
    },
    async close() {
      // Their end tells them to close, which is less than ending their processes.
      await browsers.close();
      await processes.close(shutdownGraceMs);
      await logs.shared?.close();
      await dispatch?.close().catch(() => {});
      // One that could not be opened has said so already.
      await journal?.then(
        (opened) => opened.close(),
        () => {},
      );
    },
  };
}

/** What the user has written down of prices. A file that is there by itself need not be; one that is named has to be. */
function readOwnPrices({ FROND_PRICES_FILE: named }: NodeJS.ProcessEnv, warn: Warn): OwnPrices {
  const isNamed = named !== undefined && named !== "";
  const file = isNamed ? named.replace(/^~(?=\/)/, homedir()) : join(homedir(), ".frond", "prices.yaml");
  const read = readWorkflowText(file);
  if (!("text" in read)) {
    if (isNamed || read.problem !== "missing") warn(`The prices in ${file} can't be read: ${read.detail}`);
    return new Map();
  }
  const { prices, problems } = readPriceFile(file, read.text);
  if (problems.length > 0) warn(`Some prices can't be used: ${problems.join(" ")}`);
  return prices;
}

/** Whose workflows can be called by name. */
export interface LibraryOptions {
  /** Where Frond itself is installed. */
  readonly packageRoot: string;
  readonly home: string;
  readonly workspace: string;
  readonly variables: NodeJS.ProcessEnv;
  /** Shared by all libraries of the process. */
  readonly memory?: LibraryMemory;
}

export function createRuntime(platform: Platform, options: LibraryOptions, rules?: WorkflowRules): Runtime {
  const setting = (name: string, fallback: number): number =>
    positiveSetting(options.variables, name, fallback, platform.warn);
  const limits: RunLimits = {
    nodes: setting(nodesVariable, defaultLimits.nodes),
    recordedBytes: setting(recordedVariable, defaultLimits.recordedBytes / 1e6) * 1e6,
  };
  const directories = directoriesOf(options, platform);
  const { catalog, ...memory } = options.memory ?? forgetfulMemory(options.packageRoot);
  return {
    workflows: new Workflows(catalog, directories, platform, { rules, maxNodes: limits.nodes, ...memory }),
    platform,
    maxDepth: setting("FROND_MAX_DEPTH", 50),
    limits,
    ...defined({ budgetUsd: amountSetting(options.variables, "FROND_BUDGET_USD", platform.warn) }),
    rollBack,
  };
}

export function directoriesOf(
  { packageRoot, home, workspace, variables }: LibraryOptions,
  platform: Platform,
): LibraryDirectory[] {
  const templatePaths = variables.WORKFLOWS_TEMPLATE_PATHS ?? "";
  return libraryDirectories({ builtIn: join(packageRoot, "workflows"), home, workspace, templatePaths }, platform);
}

/** What is no amount must not mean that there is no limit. */
function amountSetting(variables: NodeJS.ProcessEnv, name: string, warn: Warn): number | undefined {
  const text = variables[name];
  if (text === undefined || text.trim() === "") return undefined;
  const value = Number(text.replace(/^\$/, ""));
  if (Number.isFinite(value) && value >= 0) return value;
  warn(`${name} is '${text}', not a number of dollars such as 0.50: 0 is used instead.`);
  return 0;
}

function positiveSetting(variables: NodeJS.ProcessEnv, name: string, fallback: number, warn: Warn): number {
  const text = variables[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  warn(`${name} is '${text}', not a whole number above 0: ${fallback} is used instead.`);
  return fallback;
}

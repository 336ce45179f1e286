import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createPlatform, createRuntime } from "../../src/create-platform.ts";
import { createDispatch } from "../../src/dispatch/dbos-dispatch.ts";
import type { RunEvent, RunQueue } from "../../src/engine/events.ts";
import type { RunSummary } from "../../src/journal/journal.ts";
import { createDatabaseStorage } from "../../src/open-database.ts";
import { cancelRun } from "../../src/runs/cancel-run.ts";
import type { WorkerDispatch } from "../../src/runs/dispatch.ts";
import type { Platform } from "../../src/runs/platform.ts";
import { findRun } from "../../src/runs/read-run.ts";
import { queueRun } from "../../src/runs/start-run.ts";
import { createFrond, type Frond, type Running } from "./frond.ts";
import { postgresVariables, startPostgres } from "./postgres.ts";
import { unwrap } from "./unwrap.ts";
import { waitFor } from "./wait-for.ts";

/** Workers in processes of their own, on a database of their own, and a process that hands runs to them: this one. */
export interface Fleet {
  readonly frond: Frond;
  readonly url: string;
  readonly platform: Platform;
  readonly dispatch: WorkerDispatch;
  /** Resolves when it takes runs. */
  startWorker(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<FleetWorker>;
  /** Starts a run of a file in the working directory; gives its id. */
  queue(file: string, options?: QueuedStart): Promise<string>;
  /** As a person elsewhere would. */
  cancel(runId: string): Promise<void>;
  find(runId: string): Promise<RunSummary>;
  events(runId: string): Promise<readonly RunEvent[]>;
  /** Resolves when it is true of the run's summary. */
  until(runId: string, what: string, isSo: (summary: RunSummary) => boolean, deadlineMs?: number): Promise<RunSummary>;
  untilEnded(runId: string, deadlineMs?: number): Promise<RunSummary>;
}

export interface FleetWorker extends Running {
  readonly pid: number;
  /** With SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

export interface QueuedStart {
  readonly inputs?: Readonly<Record<string, string | number>>;
  readonly queue?: RunQueue;
}

/** For what depends on several processes of a machine that has much to do. */
const patienceMs = 60_000;

export async function createFleet(files: Readonly<Record<string, string>>, database?: string): Promise<Fleet> {
  const url = database ?? (await (await startPostgres()).createDatabase());
  const frond = createFrond(files);
  const variables = { ...postgresVariables(url), FROND_HOST: "here", FROND_LOG_LEVEL: "info" };
  const warn = (): void => {};
  const dispatch = createDispatch({ url, variables, log: warn });
  const platform = createPlatform({
    variables: { ...frond.env, ...variables },
    stateDirectory: frond.state,
    journalStorage: createDatabaseStorage(url, variables, true),
    dispatch,
    warn,
  });
  onTestFinished(() => platform.close());
  const library = { packageRoot: process.cwd(), home: frond.home, workspace: frond.directory, variables: frond.env };
  const runtime = createRuntime(platform, library);
  const find = async (runId: string): Promise<RunSummary> => unwrap(await findRun(platform, runId));

  const workers: Running[] = [];
  const fleet: Fleet = {
    frond,
    url,
    platform,
    dispatch,
    async startWorker(args = [], env = {}) {
      const running = frond.start(["worker", ...args], { env: { ...variables, ...env } });
      workers.push(running);
      const pid = running.child.pid ?? 0;
      await Promise.race([
        running.complaint("taking runs"),
        running.ended.then(({ stderr }) => Promise.reject(new Error(`The worker ended: ${stderr}`))),
      ]);
      return {
        ...running,
        pid,
        async kill() {
          running.child.kill("SIGKILL");
          await running.ended;
        },
      };
    },
    async queue(file, { inputs = {}, queue = { labels: [] } } = {}) {
      const { plan, diagnostics } = runtime.workflows.checkFile(join(frond.directory, file));
      if (plan === undefined) throw new Error(`${file} has no plan: ${JSON.stringify(diagnostics)}`);
      return unwrap(await queueRun(runtime, plan, { inputs, workspace: frond.directory, queue }));
    },
    async cancel(runId) {
      unwrap(await cancelRun(runtime, runId, { onEvents() {}, onOutput() {} }));
    },
    find,
    events: async (runId) => (await platform.journal()).read(runId),
    async until(runId, what, isSo, deadlineMs = patienceMs) {
      try {
        await waitFor(`${runId}: ${what}`, async () => isSo(await find(runId)), deadlineMs);
      } catch (error) {
        throw new Error(`${String(error)}\n${await lastWords(workers)}`);
      }
      return find(runId);
    },
    untilEnded: (runId, deadlineMs) =>
      fleet.until(runId, "its end", ({ finishedAt }) => finishedAt !== null, deadlineMs),
  };
  return fleet;
}

/** What they had to say, for a test that fails. */
async function lastWords(workers: readonly Running[]): Promise<string> {
  const all = workers.map(async ({ child, ended }) => {
    child.kill("SIGKILL");
    return `Worker ${child.pid}: ${(await ended).stderr}`;
  });
  return (await Promise.all(all)).join("\n");
}

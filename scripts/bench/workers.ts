import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createPlatform, createRuntime } from "../../src/create-platform.ts";
import { createDispatch } from "../../src/dispatch/dbos-dispatch.ts";
import type { JournalStorage } from "../../src/journal/journal.ts";
import { createSqliteStorage } from "../../src/journal/sqlite/sqlite-storage.ts";
import { createDatabaseStorage } from "../../src/open-database.ts";
import type { Plan } from "../../src/plan/plan.ts";
import type { WorkerDispatch } from "../../src/runs/dispatch.ts";
import type { Platform } from "../../src/runs/platform.ts";
import type { Runtime } from "../../src/runs/runtime.ts";
import { queueRun, startRun } from "../../src/runs/start-run.ts";
import { type Postgres, postgresVariables, startOwnPostgres } from "../../test/rig/postgres.ts";

const runs = Number(process.env.FROND_BENCH_RUNS ?? 1_000);
const blocksPerRun = 20;
/** What one worker, and the process that uses SQLite, drive at the same time. */
const slots = 4;
const nobody = { onEvents() {}, onOutput() {} };

/** How many runs are driven in a second, by workers on PostgreSQL and in one process on SQLite; what dispatch takes of a run; how cost grows. */
export async function measureWorkers(): Promise<readonly string[]> {
  const server = await startOwnPostgres({ durable: true });
  try {
    const embedded = await driveEmbedded();
    const rows = [describe(`${runs} runs of ${blocksPerRun} blocks, SQLite, one process`, embedded)];
    for (const count of [1, 2, 4]) {
      const seconds = await driveWithWorkers(server, count);
      rows.push(describe(`the same, PostgreSQL, ${count} worker${count === 1 ? "" : "s"}`, seconds));
    }
    rows.push(await measureShare(server), ...(await measureGrowth(server)));
    return rows;
  } finally {
    await server.remove();
  }
}

function describe(what: string, seconds: number): string {
  return `${what}: ${seconds.toFixed(1)} s, ${(runs / seconds).toFixed(1)} runs/s, ${((seconds * 1000) / runs / blocksPerRun).toFixed(2)} ms a block`;
}

/** Blocks one after the other, each of which does next to nothing and needs a commit. */
function chainOf(count: number): string {
  const blocks = Array.from({ length: count }, (_, index) => ({
    id: `b${index}`,
    type: "ReadFile",
    inputs: { path: "small.txt" },
    depends_on: index === 0 ? [] : [`b${index - 1}`],
  }));
  return JSON.stringify({ name: `chain-${count}`, description: "A chain", blocks });
}

interface Site {
  readonly directory: string;
  readonly platform: Platform;
  readonly runtime: Runtime;
  plan(blocks: number): Plan;
  close(): Promise<void>;
}

function openSite(storage: (state: string) => JournalStorage, dispatch?: WorkerDispatch): Site {
  const directory = mkdtempSync(join(tmpdir(), "frond-bench-"));
  const [workspace, state] = [join(directory, "work"), join(directory, "state")];
  const variables = { PATH: process.env.PATH ?? "", HOME: directory };
  const platform = createPlatform({
    variables,
    stateDirectory: state,
    journalStorage: storage(state),
    warn: console.error,
    ...(dispatch && { dispatch }),
  });
  const runtime = createRuntime(platform, {
    packageRoot: process.cwd(),
    home: directory,
    workspace: directory,
    variables,
  });
  writeFileSync(join(directory, "small.txt"), "small");
  return {
    directory,
    platform,
    runtime,
    plan(blocks) {
      const file = join(directory, `${blocks}.yaml`);
      writeFileSync(file, chainOf(blocks));
      const { plan, diagnostics } = runtime.workflows.checkFile(file);
      if (plan === undefined) throw new Error(`${workspace}: ${JSON.stringify(diagnostics)}`);
      return plan;
    },
    async close() {
      await platform.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function driveEmbedded(): Promise<number> {
  const site = openSite((state) => createSqliteStorage(state));
  try {
    const plan = site.plan(blocksPerRun);
    let left = runs;
    const begin = performance.now();
    const lane = async (): Promise<void> => {
      while (left-- > 0) {
        const run = await startRun(site.runtime, plan, { inputs: {}, workspace: site.directory, ...nobody });
        if (!run.ok) throw new Error(JSON.stringify(run.error));
        await run.value.settled();
      }
    };
    await Promise.all(Array.from({ length: slots }, lane));
    return (performance.now() - begin) / 1000;
  } finally {
    await site.close();
  }
}

/** Runs wait before the workers are there, so that starting them is not counted. */
async function driveWithWorkers(server: Postgres, count: number): Promise<number> {
  return withFleet(server, async (fleet) => {
    await fleet.queue(blocksPerRun, runs);
    for (let index = 0; index < count; index++) await fleet.start(slots);
    const begin = performance.now();
    await fleet.untilEnded(runs);
    return (performance.now() - begin) / 1000;
  });
}

interface BenchFleet {
  queue(blocks: number, count: number): Promise<void>;
  /** Resolves when it takes runs. */
  start(slots: number): Promise<void>;
  untilEnded(count: number): Promise<void>;
  /** What workers have said, as they said it. */
  readonly said: readonly { readonly time: string; readonly message: string }[];
}

async function withFleet<T>(server: Postgres, action: (fleet: BenchFleet) => Promise<T>): Promise<T> {
  const url = await server.createDatabase();
  const variables = { ...postgresVariables(url), FROND_HOST: "bench", FROND_LOG_LEVEL: "info" };
  const dispatch = createDispatch({ url, variables, log: () => {} });
  const site = openSite(() => createDatabaseStorage(url, variables, true), dispatch);
  const children: ChildProcess[] = [];
  const said: { time: string; message: string }[] = [];
  const start = async (concurrency: number): Promise<void> => {
    const env = { ...process.env, ...variables, FROND_STATE_DIR: join(site.directory, "state") };
    const args = ["dist/main.js", "worker", "--concurrency", String(concurrency)];
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
    children.push(child);
    await new Promise<void>((resolve) => {
      createInterface({ input: child.stderr }).on("line", (line) => {
        if (!line.startsWith("{")) return;
        const entry = JSON.parse(line) as { time: string; message: string };
        said.push(entry);
        if (entry.message.startsWith("taking runs")) resolve();
      });
    });
  };
  const endAll = async (): Promise<void> => {
    for (const child of children.splice(0)) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
  };
  try {
    // The first worker on a database makes the tables that runs wait in.
    await start(1);
    await endAll();
    return await action({
      said,
      start,
      async queue(blocks, count) {
        const plan = site.plan(blocks);
        for (let left = count; left > 0; left--) {
          const queued = await queueRun(site.runtime, plan, {
            inputs: {},
            workspace: site.directory,
            queue: { labels: [] },
          });
          if (!queued.ok) throw new Error(JSON.stringify(queued.error));
        }
      },
      async untilEnded(count) {
        while (said.filter(({ message }) => message === "run finished").length < count) {
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      },
    });
  } finally {
    await endAll();
    await site.close();
  }
}

/** One worker with one slot: what lies between the end of a run and the beginning of the next is dispatch. */
async function measureShare(server: Postgres): Promise<string> {
  return withFleet(server, async (fleet) => {
    const count = Math.min(runs, 100);
    await fleet.queue(blocksPerRun, count);
    await fleet.start(1);
    await fleet.untilEnded(count);
    const times = (message: string): number[] =>
      fleet.said.filter((entry) => entry.message === message).map(({ time }) => Date.parse(time));
    const [taken, finished] = [times("run taken"), times("run finished")];
    const driving = finished.reduce((sum, at, index) => sum + at - (taken[index] ?? at), 0) / count;
    const all = ((finished.at(-1) ?? 0) - (taken[0] ?? 0)) / count;
    const between = all - driving;
    return `dispatch, one run after the other: ${driving.toFixed(0)} ms driving, ${between.toFixed(0)} ms between two, ${((100 * between) / all).toFixed(0)} %`;
  });
}

async function measureGrowth(server: Postgres): Promise<string[]> {
  return withFleet(server, async (fleet) => {
    await fleet.start(1);
    const rows: string[] = [];
    let ended = 0;
    for (const blocks of [125, 500, 2_000]) {
      await fleet.queue(blocks, 1);
      await fleet.untilEnded(++ended);
      const taken = fleet.said.filter(({ message }) => message === "run taken").at(-1)?.time ?? "";
      const finished = fleet.said.filter(({ message }) => message === "run finished").at(-1)?.time ?? "";
      const each = (Date.parse(finished) - Date.parse(taken)) / blocks;
      rows.push(`a run of ${blocks} blocks on PostgreSQL: ${each.toFixed(2)} ms a block`);
    }
    return rows;
  });
}

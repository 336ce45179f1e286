import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import { measurePage } from "../page-size.js";
import { describeAgentTasks } from "./agent/print-figures.ts";
import { spawnBare, spawnChain, spawnPool } from "./bare-processes.ts";
import { type BenchEngine, createBenchEngine } from "./bench-engine.ts";
import { countingJournal, noJournal, oneCommitPerEvent, type RecordedAmount } from "./bench-journals.ts";
import { measureObserving } from "./observe.ts";
import { comparePairs, median, timed } from "./pairs.ts";
import { countRefusals } from "./refusals.ts";
import { bareServer, memoryAtIdle, timeToAnswer } from "./servers.ts";
import { chain, diamond, diamondCommands, flat, noopBlock, shellTrue, single } from "./shapes.ts";
import { measureWorkers } from "./workers.ts";

const pairs = Number(process.env.FROND_BENCH_PAIRS ?? 7);
const parallel = 8;
const thousand = Array.from({ length: 1_000 }, () => "true");

interface Bench {
  readonly name: string;
  /** The engine keeps no journal, the durable one does as the product does. */
  run(engine: BenchEngine, workspace: string, durable: DurableEngines): Promise<readonly string[]>;
}

interface DurableEngines {
  readonly durable: BenchEngine;
  readonly onePerEvent: BenchEngine;
}

const benches: readonly Bench[] = [
  {
    name: "refusals",
    run: async (engine) => countRefusals((text) => engine.check(text)),
  },
  {
    name: "agent",
    run: () => describeAgentTasks(join(process.cwd(), "dist/main.js")),
  },
  {
    name: "page",
    async run() {
      const { firstView, all } = measurePage(join(process.cwd(), "dist/page"));
      return [
        row("first view of the page, compressed / 40 KB", firstView / 40_000, 1, kb(firstView)),
        row("the whole page, compressed / 60 KB", all / 60_000, 1, kb(all)),
      ];
    },
  },
  {
    name: "chain",
    async run(engine, workspace) {
      const plan = engine.plan(chain(1_000, shellTrue));
      const result = await comparePairs(
        pairs,
        () => timed(() => engine.run(plan, workspace)),
        () => timed(() => spawnChain(thousand, workspace)),
      );
      return [row("1,000-block chain of true / bare spawns", result.ratio, 1.25, `${ms(result.a)} / ${ms(result.b)}`)];
    },
  },
  {
    name: "durable-chain",
    async run(_engine, workspace, { durable }) {
      const plan = durable.plan(chain(1_000, shellTrue));
      const result = await comparePairs(
        pairs,
        () => timed(() => durable.run(plan, workspace)),
        () => timed(() => spawnChain(thousand, workspace)),
      );
      const what = "1,000-block chain of true with the journal / bare spawns";
      return [row(what, result.ratio, 1.35, `${ms(result.a)} / ${ms(result.b)}`)];
    },
  },
  {
    name: "durable",
    async run(engine, workspace, { durable, onePerEvent }) {
      const size = 1_000;
      const rows: string[] = [];
      for (const [shape, make] of [
        ["chain", chain],
        ["flat", flat],
      ] as const) {
        const text = make(size, noopBlock);
        const time = (one: BenchEngine) => () => timed(() => one.run(one.plan(text), workspace));
        const none = await comparePairs(pairs, time(durable), time(engine));
        const each = await comparePairs(pairs, time(onePerEvent), time(durable));
        const rate = (took: number): string => `${Math.round(size / (took / 1000))}/s`;
        rows.push(
          figure(
            `durable no-op blocks, ${shape}: time / without a journal`,
            none.ratio,
            `${rate(none.a)} / ${rate(none.b)}`,
          ),
          figure(
            `one commit per event, ${shape}: time / group commit`,
            each.ratio,
            `${rate(each.a)} / ${rate(each.b)}`,
          ),
        );
      }
      return rows;
    },
  },
  {
    name: "memory",
    async run(_engine, workspace, { durable }) {
      const plan = durable.plan(flat(1_000, noopBlock));
      const used: number[] = [];
      for (let run = 1; run <= 50; run++) {
        await durable.run(plan, workspace);
        if (run === 5 || run === 50) used.push(await settledMemory());
      }
      const [after5 = 0, after50 = 0] = used;
      return [row("memory after 50 runs of 1,000 blocks, above that after 5 (MB)", (after50 - after5) / 1e6, 20)];
    },
  },
  {
    name: "flat",
    async run(engine, workspace) {
      const plan = engine.plan(flat(1_000, shellTrue));
      const result = await comparePairs(
        pairs,
        () => timed(() => engine.run(plan, workspace)),
        () => timed(() => spawnPool(thousand, parallel, workspace)),
      );
      return [
        row(`1,000 flat, ${parallel} at once / bare spawns`, result.ratio, 1.2, `${ms(result.a)} / ${ms(result.b)}`),
      ];
    },
  },
  {
    name: "diamond",
    async run(engine, workspace) {
      const plan = engine.plan(diamond());
      const [first, second, third, fourth] = diamondCommands;
      const bare = (): Promise<unknown> =>
        Promise.all([
          spawnBare(first, workspace).then(() => spawnBare(second, workspace)),
          spawnBare(third, workspace).then(() => spawnBare(fourth, workspace)),
        ]);
      const result = await comparePairs(
        pairs,
        () => timed(() => engine.run(plan, workspace)),
        () => timed(bare),
      );
      return [row("diamond 0.1+1 s beside 1+0.1 s / bare", result.ratio, 1.05, `${ms(result.a)} / ${ms(result.b)}`)];
    },
  },
  {
    name: "cpu",
    async run(engine, workspace) {
      const rows: string[] = [];
      for (const [shape, make] of [
        ["chain", chain],
        ["flat", flat],
      ] as const) {
        for (const size of [100, 1_000, 10_000]) {
          const plan = engine.plan(make(size, noopBlock));
          const perBlock: number[] = [];
          for (let repeat = 0; repeat < pairs; repeat++)
            perBlock.push((await cpuOf(() => engine.run(plan, workspace))) / size);
          rows.push(row(`engine's own CPU per block, ${shape} of ${size} (ms)`, median(perBlock), 0.5));
        }
      }
      return rows;
    },
  },
  {
    name: "attempts",
    async run(_engine, workspace) {
      const size = 1_000;
      const retried = (index: number): string => `${noopBlock(index)}\n    retry: { attempts: 3 }`;
      const [plain, ready] = [
        await recordedBy(chain(size, noopBlock), workspace),
        await recordedBy(chain(size, retried), workspace),
      ];
      return (["commits", "events", "bytes"] as const).map((what) => {
        const perBlock = `${(plain[what] / size).toFixed(1)} per block`;
        return row(`${what} of blocks with one attempt, with retry / without`, ready[what] / plain[what], 1, perBlock);
      });
    },
  },
  {
    name: "observe",
    async run(_engine, workspace) {
      const state = mkdtempSync(join(tmpdir(), "frond-bench-observe-"));
      try {
        const { warm, coldMs, heldMs } = await measureObserving(pairs, workspace, state);
        const what = "looking before and after a command, 50,000 files / git status";
        return [
          row(what, warm.ratio, 4, `${ms(warm.a)} / ${ms(warm.b)}`),
          figure("the same when nothing is known yet / git status", coldMs / warm.b, ms(coldMs)),
          row("the event loop is held meanwhile, above that when nothing is done (ms)", heldMs, 50),
        ];
      } finally {
        rmSync(state, { recursive: true, force: true });
      }
    },
  },
  {
    name: "workers",
    run: () => measureWorkers(),
  },
  {
    name: "plan",
    async run(engine) {
      const [small, large] = [chain(1_000, shellTrue), chain(10_000, shellTrue)];
      const plan = (text: string) => () => timed(async () => engine.plan(text));
      const result = await comparePairs(pairs, plan(large), plan(small));
      return [row("planning 10,000 blocks / 1,000", result.ratio, 12, `${ms(result.a)} / ${ms(result.b)}`)];
    },
  },
  {
    name: "output",
    async run(engine, workspace) {
      const rows: string[] = [];
      for (const command of ["yes | head -c 1G", "head -c 1G /dev/zero | tr '\\0' x"]) {
        const plan = engine.plan(single(command));
        const before = process.memoryUsage.rss();
        let most = before;
        await engine.run(plan, workspace, () => {
          most = Math.max(most, process.memoryUsage.rss());
        });
        rows.push(row(`memory that 1 GB of output costs: ${command} (MB)`, (most - before) / 1_000_000, 50));
      }
      return rows;
    },
  },
  {
    name: "start",
    async run(_engine, workspace) {
      const start = (args: readonly string[]) => () =>
        timed(async () => spawnSync(process.execPath, args, { cwd: workspace }));
      const file = join(process.cwd(), "workflows/examples/hello-world.yaml");
      const frond = join(process.cwd(), "dist/main.js");
      const result = await comparePairs(pairs * 3, start([frond, "validate", file]), start(["-e", "0"]));
      const complete = [frond, "complete", "--shell", "fish", "--", "run", ""];
      const suggesting = await comparePairs(pairs * 3, start(complete), start([frond, "list"]));
      return [
        row("frond validate of a small file / node -e 0", result.ratio, 2.5, `${ms(result.a)} / ${ms(result.b)}`),
        row("frond complete / frond list", suggesting.ratio, 1, `${ms(suggesting.a)} / ${ms(suggesting.b)}`),
      ];
    },
  },
  {
    name: "serve",
    async run() {
      const serve = [join(process.cwd(), "dist/main.js"), "serve"];
      const bare = ["-e", bareServer];
      const start = await comparePairs(
        pairs * 3,
        () => timeToAnswer(serve),
        () => timed(async () => spawnSync(process.execPath, ["-e", "0"])),
      );
      const memory = await comparePairs(
        pairs,
        () => memoryAtIdle(serve),
        () => memoryAtIdle(bare),
      );
      const what = "frond serve, start to answer of initialize / node -e 0";
      return [
        row(what, start.ratio, 2.2, `${ms(start.a)} / ${ms(start.b)}`),
        row("memory of an idle server / a bare one of the SDK", memory.ratio, 1.6, `${mb(memory.a)} / ${mb(memory.b)}`),
      ];
    },
  },
];

export async function measure(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !benches.some((bench) => bench.name === name));
  if (unknown !== undefined)
    throw new Error(`There is no bench '${unknown}': ${benches.map(({ name }) => name).join(", ")}.`);
  const workspace = mkdtempSync(join(tmpdir(), "frond-bench-"));
  const state = mkdtempSync(join(tmpdir(), "frond-bench-state-"));
  process.env.FROND_STATE_DIR = state;
  const journal = await openSqliteJournal(state);
  const engine = createBenchEngine(parallel, noJournal);
  const durable = createBenchEngine(parallel, journal);
  const onePerEvent = createBenchEngine(parallel, oneCommitPerEvent(journal));
  try {
    for (const bench of benches) {
      if (names.length > 0 && !names.includes(bench.name)) continue;
      for (const line of await bench.run(engine, workspace, { durable, onePerEvent })) console.log(line);
    }
  } finally {
    for (const one of [engine, durable, onePerEvent]) await one.close();
    await journal.close();
    for (const made of [workspace, state]) rmSync(made, { recursive: true, force: true });
  }
}

async function recordedBy(text: string, workspace: string): Promise<RecordedAmount> {
  const amount = { commits: 0, events: 0, bytes: 0 };
  const engine = createBenchEngine(1, countingJournal(amount));
  try {
    await engine.run(engine.plan(text), workspace);
    return amount;
  } finally {
    await engine.close();
  }
}

async function cpuOf(action: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1000;
}

function row(what: string, value: number, target: number, detail = ""): string {
  const verdict = value <= target ? "ok  " : "OVER";
  return `${verdict} ${value.toFixed(3).padStart(8)}  (target ${target})  ${what}${detail === "" ? "" : `  [${detail}]`}`;
}

/** What there is no target for. */
function figure(what: string, value: number, detail: string): string {
  return `     ${value.toFixed(3).padStart(8)}  ${what}  [${detail}]`;
}

/** With --expose-gc, which `npm run bench` gives, memory that is merely not collected yet does not count. */
async function settledMemory(): Promise<number> {
  const { gc } = globalThis as { gc?: () => void };
  for (let round = 0; round < 3; round++) {
    gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage.rss();
}

function kb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}

function mb(value: number): string {
  return `${value.toFixed(0)} MB`;
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

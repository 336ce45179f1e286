import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnBare, spawnChain, spawnPool } from "./bare-processes.ts";
import { type BenchEngine, createBenchEngine } from "./bench-engine.ts";
import { comparePairs, median, timed } from "./pairs.ts";
import { chain, diamond, diamondCommands, flat, noopBlock, shellTrue, single } from "./shapes.ts";

const pairs = Number(process.env.FROND_BENCH_PAIRS ?? 7);
const parallel = 8;
const thousand = Array.from({ length: 1_000 }, () => "true");

interface Bench {
  readonly name: string;
  run(engine: BenchEngine, workspace: string): Promise<readonly string[]>;
}

const benches: readonly Bench[] = [
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
      return [
        row("frond validate of a small file / node -e 0", result.ratio, 2.5, `${ms(result.a)} / ${ms(result.b)}`),
      ];
    },
  },
];

export async function measure(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !benches.some((bench) => bench.name === name));
  if (unknown !== undefined)
    throw new Error(`There is no bench '${unknown}': ${benches.map(({ name }) => name).join(", ")}.`);
  const engine = createBenchEngine(parallel);
  const workspace = mkdtempSync(join(tmpdir(), "frond-bench-"));
  try {
    for (const bench of benches) {
      if (names.length > 0 && !names.includes(bench.name)) continue;
      for (const line of await bench.run(engine, workspace)) console.log(line);
    }
  } finally {
    await engine.close();
    rmSync(workspace, { recursive: true, force: true });
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

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

import { type Bench, pairs } from "./bench.ts";
import { withEngines } from "./bench-engines.ts";
import { cpuOfTree } from "./cpu-time.ts";
import type { Ground } from "./ground.ts";
import { comparePairs, median } from "./pairs.ts";
import { figure, ms, row } from "./rows.ts";
import { BenchServer, bareServer } from "./servers.ts";
import { chain, flat, noopBlock, shellTrue, single } from "./shapes.ts";

const manyRuns = 200;

/** How much memory a server takes, and what is left of it behind runs and outputs. */
export const memoryBenches: readonly Bench[] = [
  {
    name: "memory",
    async run({ frond, workspace, env, addWorkflow }) {
      addWorkflow("one", flat(1, shellTrue).replace("name: bench", "name: one"));
      const used: Record<"bare" | "initialized" | "listed" | "afterRuns", number[]> = {
        bare: [],
        initialized: [],
        listed: [],
        afterRuns: [],
      };
      for (let round = 0; round < Math.ceil(pairs / 2); round++) {
        const bare = new BenchServer(["-e", bareServer]);
        await bare.initialize();
        used.bare.push(await bare.memory());
        await bare.end();
        const server = new BenchServer([frond, "serve"], { cwd: workspace, env });
        await server.initialize();
        used.initialized.push(await server.memory());
        await server.request("tools/list");
        await server.call("list_workflows");
        used.listed.push(await server.memory());
        await Promise.all(Array.from({ length: manyRuns }, () => server.run("one")));
        used.afterRuns.push(await server.memory());
        await server.end();
      }
      return [
        row("memory of a server after initialize (MB)", median(used.initialized), 80),
        row("memory of a server after tools/list and list_workflows (MB)", median(used.listed), 100),
        figure(`memory of a server after ${manyRuns} runs at the same time (MB)`, median(used.afterRuns), "rss"),
        figure("memory of the least server of the SDK after initialize (MB)", median(used.bare), "rss"),
      ];
    },
  },
  {
    name: "growth",
    run: ({ state, workspace }) =>
      withEngines(state, async ({ durable }) => {
        const plan = durable.plan(flat(1_000, noopBlock));
        const used: number[] = [];
        for (let run = 1; run <= 50; run++) {
          await durable.run(plan, workspace);
          if (run === 5 || run === 50) used.push(await settledMemory());
        }
        const [after5 = 0, after50 = 0] = used;
        return [row("memory after 50 runs of 1,000 blocks, above that after 5 (MB)", (after50 - after5) / 1e6, 20)];
      }),
  },
  {
    name: "output",
    run: ({ state, workspace }) =>
      withEngines(state, async ({ engine }) => {
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
      }),
  },
  {
    name: "after-outputs",
    async run(ground) {
      ground.addWorkflow("chain", chain(blocks, shellTrue).replace("name: bench", "name: chain"));
      const large = single(`head -c ${largeOutput} /dev/zero | tr '\\0' x`);
      ground.addWorkflow("large", large.replace("name: bench", "name: large"));
      ground.addWorkflow("small", single("true").replace("name: bench", "name: small"));
      const what = "CPU of a block after two outputs of 10 MB / after none";
      const usual = await costAfterOutputs(ground, {});
      const without = await costAfterOutputs(ground, { FROND_SLOTS: "0" });
      return [
        row(what, usual.ratio, 1.1, sides(usual)),
        figure("the same without command slots", without.ratio, sides(without)),
      ];
    },
  },
];

const blocks = 200;
const largeOutput = 10_000_000;

/** What a block costs a server that has had two large outputs, beside one that had two small ones. */
async function costAfterOutputs({ frond, workspace, env }: Ground, more: NodeJS.ProcessEnv): Promise<Sides> {
  const [after, beside] = (await Promise.all(
    ["large", "small"].map(async (workflow) => {
      const server = new BenchServer([frond, "serve"], { cwd: workspace, env: { ...env, ...more } });
      await server.initialize();
      await server.run("chain");
      await server.run(workflow);
      await server.run(workflow);
      return server;
    }),
  )) as [BenchServer, BenchServer];
  const cost = (server: BenchServer) => async (): Promise<number> => {
    const before = cpuOfTree(server.pid);
    await server.run("chain");
    return (cpuOfTree(server.pid) - before) / blocks;
  };
  const compared = await comparePairs(pairs, cost(after), cost(beside));
  await Promise.all([after.end(), beside.end()]);
  return compared;
}

interface Sides {
  readonly ratio: number;
  readonly a: number;
  readonly b: number;
}

function sides({ a, b }: Sides): string {
  return `${ms(a)} / ${ms(b)}`;
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

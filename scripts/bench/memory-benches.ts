import { type Bench, pairs } from "./bench.ts";
import { withEngines } from "./bench-engines.ts";
import { median } from "./pairs.ts";
import { figure, row } from "./rows.ts";
import { BenchServer, bareServer } from "./servers.ts";
import { flat, noopBlock, shellTrue, single } from "./shapes.ts";

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
];

/** With --expose-gc, which `npm run bench` gives, memory that is merely not collected yet does not count. */
async function settledMemory(): Promise<number> {
  const { gc } = globalThis as { gc?: () => void };
  for (let round = 0; round < 3; round++) {
    gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage.rss();
}

import { type Bench, pairs } from "./bench.ts";
import { type BenchEngine, createBenchEngine } from "./bench-engine.ts";
import { withEngines } from "./bench-engines.ts";
import { countingJournal, type RecordedAmount } from "./bench-journals.ts";
import { comparePairs, median, timed } from "./pairs.ts";
import { figure, ms, row } from "./rows.ts";
import { chain, effectBlock, flat, noopBlock, shellTrue } from "./shapes.ts";

const blockShapes = [
  ["chain", chain, 8_000],
  ["flat", flat, 15_000],
] as const;

/** What the engine takes by itself, on blocks that do nothing: no command and no client hides it. */
export const engineBenches: readonly Bench[] = [
  {
    name: "durable",
    run: ({ state, workspace }) =>
      withEngines(state, async ({ engine, durable, onePerEvent }) => {
        const size = 1_000;
        const rows: string[] = [];
        for (const [shape, make, wanted] of blockShapes) {
          const text = make(size, noopBlock);
          const time = (one: BenchEngine) => () => timed(() => one.run(one.plan(text), workspace));
          const none = await comparePairs(pairs, time(durable), time(engine));
          const each = await comparePairs(pairs, time(onePerEvent), time(durable));
          const rate = (took: number): string => `${Math.round(size / (took / 1000))}/s`;
          rows.push(
            row(
              `durable no-op blocks, ${shape}, planning included: ms per 1,000`,
              none.a,
              1_000 / (wanted / 1_000),
              rate(none.a),
            ),
            figure(`the same / without a journal`, none.ratio, `${rate(none.a)} / ${rate(none.b)}`),
            figure(`one commit per event, ${shape} / group commit`, each.ratio, `${rate(each.a)} / ${rate(each.b)}`),
          );
          const withEffects = make(size, effectBlock);
          const effects = await comparePairs(
            pairs,
            () => timed(() => durable.run(durable.plan(withEffects), workspace)),
            time(durable),
          );
          rows.push(
            figure(`blocks with effects, ${shape} / no-op`, effects.ratio, `${rate(effects.a)} / ${rate(effects.b)}`),
          );
        }
        return rows;
      }),
  },
  {
    name: "cpu",
    run: ({ state, workspace }) =>
      withEngines(state, async ({ engine }) => {
        const rows: string[] = [];
        for (const [shape, make] of blockShapes) {
          for (const size of [100, 1_000, 10_000]) {
            const plan = engine.plan(make(size, noopBlock));
            const perBlock: number[] = [];
            for (let repeat = 0; repeat < pairs; repeat++)
              perBlock.push((await cpuOf(() => engine.run(plan, workspace))) / size);
            rows.push(row(`engine's own CPU per block, ${shape} of ${size} (ms)`, median(perBlock), 0.5));
          }
        }
        return rows;
      }),
  },
  {
    name: "attempts",
    async run({ workspace }) {
      const size = 1_000;
      const retried = (index: number): string => `${effectBlock(index)}\n    retry: { attempts: 3 }`;
      const [plain, ready] = [
        await recordedBy(chain(size, effectBlock), workspace),
        await recordedBy(chain(size, retried), workspace),
      ];
      return (["commits", "events", "bytes"] as const).map((what) => {
        const perBlock = `${(plain[what] / size).toFixed(1)} per block`;
        return row(`${what} of blocks with one attempt, with retry / without`, ready[what] / plain[what], 1, perBlock);
      });
    },
  },
  {
    name: "plan",
    run: ({ state }) =>
      withEngines(state, async ({ engine }) => {
        const [small, large] = [chain(1_000, shellTrue), chain(10_000, shellTrue)];
        const plan = (text: string) => () => timed(async () => engine.plan(text));
        const { ratio, a, b } = await comparePairs(pairs, plan(large), plan(small));
        return [
          row("planning 10,000 blocks / 1,000", ratio, 12, `${ms(a)} / ${ms(b)}`),
          figure("planning, microseconds per block, of 10,000", a / 10, `${(b).toFixed(0)} of 1,000`),
        ];
      }),
  },
];

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

import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Journal } from "../../src/journal/journal.ts";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import { type Bench, pairs, parallel } from "./bench.ts";
import { createBenchEngine } from "./bench-engine.ts";
import { noJournal } from "./bench-journals.ts";
import { comparePairs, median, timed } from "./pairs.ts";
import { figure, ms } from "./rows.ts";
import { chain, flat, shellTrue } from "./shapes.ts";

const blocks = 1_000;
const ticksPerSecond = 100;

/** The same commands with command slots and without, in turn. */
export const slotBenches: readonly Bench[] = [
  {
    name: "slots",
    async run({ state, workspace }) {
      process.env.FROND_STATE_DIR = state;
      const journal = await openSqliteJournal(state);
      try {
        return [
          ...(await compare("flat", flat(blocks, shellTrue), noJournal, workspace)),
          ...(await compare("durable chain", chain(blocks, shellTrue), journal, workspace)),
        ];
      } finally {
        await journal.close();
      }
    },
  },
];

async function compare(shape: string, text: string, journal: Journal, workspace: string): Promise<string[]> {
  const cpu: [number[], number[]] = [[], []];
  const late: [number[], number[]] = [[], []];
  const once = (which: 0 | 1) => async () => {
    process.env.FROND_SLOTS = which === 0 ? "" : "0";
    const engine = createBenchEngine(parallel, journal);
    const plan = engine.plan(text);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const before = cpuTicks();
    delay.enable();
    const took = await timed(() => engine.run(plan, workspace));
    delay.disable();
    // What slots have waited for is theirs, and becomes ours when they have ended.
    await engine.close();
    cpu[which].push(((cpuTicks() - before) / ticksPerSecond / blocks) * 1000);
    late[which].push(delay.percentile(99) / 1e6);
    return took;
  };
  const { ratio, a, b } = await comparePairs(pairs, once(0), once(1));
  delete process.env.FROND_SLOTS;
  const both = (values: [number[], number[]]): string => values.map((one) => ms(median(one))).join(" / ");
  const ratioOf = ([one, other]: [number[], number[]]): number =>
    median(one.map((value, index) => value / (other[index] as number)));
  return [
    figure(`${blocks} ${shape}, time with command slots / without`, ratio, `${ms(a)} / ${ms(b)}`),
    figure(`the same, processor time of everything, per block`, ratioOf(cpu), both(cpu)),
    figure(`the same, event loop late by, p99`, ratioOf(late), both(late)),
  ];
}

/** Of this process and of all that it has waited for. */
function cpuTicks(): number {
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measurePage } from "../page-size.js";
import { describeAgentTasks } from "./agent/print-figures.ts";
import { type Bench, pairs } from "./bench.ts";
import { withEngines } from "./bench-engines.ts";
import { callBenches } from "./call-benches.ts";
import { engineBenches } from "./engine-benches.ts";
import { createGround } from "./ground.ts";
import { memoryBenches } from "./memory-benches.ts";
import { measureObserving } from "./observe.ts";
import { countRefusals } from "./refusals.ts";
import { figure, kb, ms, row } from "./rows.ts";
import { slotBenches } from "./slot-benches.ts";
import { startBenches } from "./start-benches.ts";
import { measureWorkers } from "./workers.ts";

/** Through the doors that people and models use; then what only a look inside can tell. */
const benches: readonly Bench[] = [
  ...startBenches,
  ...callBenches,
  ...memoryBenches,
  ...engineBenches,
  ...slotBenches,
  {
    name: "observe",
    async run({ workspace }) {
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
    name: "refusals",
    run: ({ state }) => withEngines(state, async ({ engine }) => countRefusals((text) => engine.check(text))),
  },
  { name: "agent", run: ({ frond }) => describeAgentTasks(frond) },
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
  { name: "workers", run: () => measureWorkers() },
];

export async function measure(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !benches.some((bench) => bench.name === name));
  if (unknown !== undefined)
    throw new Error(`There is no bench '${unknown}': ${benches.map(({ name }) => name).join(", ")}.`);
  const ground = createGround();
  try {
    for (const bench of benches) {
      if (names.length > 0 && !names.includes(bench.name)) continue;
      for (const line of await bench.run(ground)) console.log(line);
    }
  } finally {
    ground.remove();
  }
}

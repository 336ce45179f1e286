import { tmpdir } from "node:os";
import * as z from "zod";
import { createCatalog } from "../../src/block/catalog.ts";
import type { BlockType } from "../../src/block/define-block.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import { createPlatform, hereOptions } from "../../src/create-platform.ts";
import type { Diagnostic } from "../../src/diagnostic/diagnostic.ts";
import { defaultLimits } from "../../src/engine/limits.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { Workflows } from "../../src/library/workflows.ts";
import type { Plan } from "../../src/plan/plan.ts";
import { rollBack } from "../../src/runs/roll-back.ts";
import type { Runtime } from "../../src/runs/runtime.ts";
import { startRun } from "../../src/runs/start-run.ts";
import { once } from "../../src/util/once.ts";
import { Semaphore } from "../../src/util/semaphore.ts";

/** Does nothing, so that all the time a run of it takes is the engine's own. */
const noop: BlockType = {
  type: "Noop",
  summary: "Does nothing",
  inputs: once(() => z.strictObject({ value: z.string().default("") })),
  outputs: once(() => z.strictObject({ value: z.string() })),
  defaultOutputs: { value: "" },
  capabilities: [],
  pure: true,
  undo: "not_needed",
  onInterrupted: "rerun",
  behaviour: { kind: "leaf", run: async ({ value = "" }) => ({ kind: "succeeded", outputs: { value } }) },
};

/** The same, but the engine takes it for one that does something, so that each start is durable first. */
const effect: BlockType = { ...noop, type: "Effect", pure: false };

export interface BenchEngine {
  check(yaml: string): readonly Diagnostic[];
  plan(yaml: string): Plan;
  run(plan: Plan, workspace: string, onOutput?: () => void): Promise<void>;
  close(): Promise<void>;
}

export function createBenchEngine(processes: number, journal: Journal): BenchEngine {
  // What is measured calls no other workflow, so there is no library to read.
  const platform = {
    ...createPlatform(hereOptions(() => {})),
    journal: async () => journal,
    processSlots: new Semaphore(processes),
    listWorkflowFiles: () => [],
  };
  const workflows = new Workflows(createCatalog([...blockTypes, noop, effect]), [], platform);
  const engine: Runtime = { workflows, platform, maxDepth: 50, limits: defaultLimits, rollBack };
  return {
    check: (text) => workflows.checkText({ name: tmpdir(), text }).diagnostics,
    plan(text) {
      const { plan, diagnostics } = workflows.checkText({ name: tmpdir(), text });
      if (plan === undefined) throw new Error(diagnostics[0]?.message);
      return plan;
    },
    async run(plan, workspace, onOutput = () => {}) {
      const run = await startRun(engine, plan, { inputs: {}, workspace, onEvents() {}, onOutput });
      if (!run.ok) throw new Error(JSON.stringify(run.error));
      await run.value.settled();
      const { succeeded, message } = await run.value.inspect(({ root }) => root.record.metadata);
      if (!succeeded) throw new Error(message ?? "");
    },
    close: () => platform.close(),
  };
}

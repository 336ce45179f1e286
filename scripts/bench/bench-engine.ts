import { tmpdir } from "node:os";
import * as z from "zod";
import { createCatalog } from "../../src/block/catalog.ts";
import type { BlockType } from "../../src/block/define-block.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import { systemClock } from "../../src/node/clock.ts";
import { directoryInside, realDirectory } from "../../src/node/directories.ts";
import { createEnvironment } from "../../src/node/environment.ts";
import { createFiles } from "../../src/node/files.ts";
import { createProcesses } from "../../src/node/processes.ts";
import { createScratch } from "../../src/node/scratch.ts";
import type { Plan } from "../../src/plan/plan.ts";
import type { Outside } from "../../src/service/outside.ts";
import { type Engine, startRun } from "../../src/service/start-run.ts";
import { Workflows } from "../../src/service/workflows.ts";
import { ok } from "../../src/util/result.ts";
import { Semaphore } from "../../src/util/semaphore.ts";

/** Does nothing, so that all the time a run of it takes is the engine's own. */
const noop: BlockType = {
  type: "Noop",
  summary: "Does nothing",
  inputs: z.strictObject({ value: z.string().default("") }),
  outputs: z.strictObject({ value: z.string() }),
  defaultOutputs: { value: "" },
  capabilities: [],
  undo: "not_needed",
  onInterrupted: "rerun",
  behaviour: { kind: "leaf", run: async ({ value = "" }) => ({ kind: "succeeded", outputs: { value } }) },
};

export interface BenchEngine {
  plan(yaml: string): Plan;
  run(plan: Plan, workspace: string): Promise<void>;
  close(): Promise<void>;
}

export function createBenchEngine(processes: number): BenchEngine {
  const outside: Outside = {
    ports: {
      processes: createProcesses(),
      files: createFiles(),
      clock: systemClock,
      environment: createEnvironment(process.env),
    },
    createScratch,
    listWorkflowFiles: () => [],
    readWorkflowText: () => ({ problem: "missing", detail: "" }),
    realDirectory,
    directoryInside,
    trust: { has: () => false, add: () => ok(undefined), remove: () => ok(undefined), list: () => [] },
  };
  const workflows = new Workflows(createCatalog([...blockTypes, noop]), [], outside);
  const engine: Engine = { workflows, outside, processSlots: new Semaphore(processes), maxDepth: 50 };
  return {
    plan(text) {
      const { plan, diagnostics } = workflows.checkText({ name: tmpdir(), text });
      if (plan === undefined) throw new Error(diagnostics[0]?.message);
      return plan;
    },
    async run(plan, workspace) {
      const run = startRun(engine, plan, { inputs: {}, workspace, onEvents() {}, onOutput() {} });
      if (!run.ok) throw new Error(run.error[0]?.message);
      await run.value.drive();
      if (!run.value.state.root.record.metadata.succeeded)
        throw new Error(run.value.state.root.record.metadata.message ?? "");
    },
    close: () => outside.ports.processes.close(0),
  };
}

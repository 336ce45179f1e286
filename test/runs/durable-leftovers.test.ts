import { expect, test } from "vitest";
import type { ProcessIdentity } from "../../src/block/ports.ts";
import type { Runtime } from "../../src/runs/runtime.ts";
import { takeOver } from "../../src/runs/take-over.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";
import { createStepEngine, step } from "../rig/step-engine.ts";

const nobody = { onEvents() {}, onOutput() {} };

/** Writes down that a block has started a command, as its engine would have. */
async function tellOfProcess({ journal }: TestMachine, runId: string, path: string, pid: number): Promise<void> {
  const { fence = 0 } = (await journal.find(runId)) ?? {};
  const process = { pid, startTime: "then" };
  const at = new Date().toISOString();
  expect(await journal.append(runId, fence, [{ type: "process-started", at, path, process }])).toBe(true);
}

/** The engine, but what it would end is only noted. */
function watchLeftovers(engine: Runtime, ended: ProcessIdentity[][]): Runtime {
  const { platform } = engine;
  const endLeftovers = async (processes: readonly ProcessIdentity[]): Promise<void> => void ended.push([...processes]);
  return { ...engine, platform: { ...platform, processes: { ...platform.processes, endLeftovers } } };
}

test("what a dead owner's commands left is ended before anything runs again: of every block's latest attempt", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({ blocks: [step("a"), step("b")] });
  await started.idle();
  first.steps.succeed("b");
  await started.idle();
  first.engine.process.die();
  await tellOfProcess(machine, started.runId, "a", 11);
  await tellOfProcess(machine, started.runId, "b", 12);

  const ended: ProcessIdentity[][] = [];
  const second = createStepEngine({ machine });
  const taken = await takeOver(watchLeftovers(second.engine.engine, ended), started.runId, nobody);
  expect(ended.flat().map(({ pid }) => pid)).toEqual([11, 12]);
  expect(second.steps.begun).toEqual([]);
  if (!taken.ok) throw new Error(taken.error.message);
  void taken.value.settled();
  await started.idle();
  expect(second.steps.running).toEqual(["a"]);
  second.engine.process.die();
  await tellOfProcess(machine, started.runId, "a", 21);

  const third = createStepEngine({ machine });
  await takeOver(watchLeftovers(third.engine.engine, ended), started.runId, nobody);
  expect(ended[1]?.map(({ pid }) => pid)).toEqual([21, 12]);
});

test("a run that was given back has left nothing that must be ended", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({ blocks: [step("a")] });
  await started.idle();
  await tellOfProcess(machine, started.runId, "a", 11);
  first.steps.pause("a");
  await started.settled;
  const ended: ProcessIdentity[][] = [];
  const second = createStepEngine({ machine });
  const taken = await takeOver(watchLeftovers(second.engine.engine, ended), started.runId, nobody);
  expect(taken.ok).toBe(true);
  expect(ended).toEqual([]);
});

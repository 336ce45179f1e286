import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import { openTestEngine, type TestEngine, type TestRun } from "../rig/engine.ts";
import { TestMachine } from "../rig/machine.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { Steps } from "../rig/steps.ts";
import { checkBudgets } from "./check-budgets.ts";
import { foldAnew, snapshot } from "./snapshot.ts";

type Dice = (below: number) => number;

/** The same numbers for the same seed. */
function createDice(seed: number): Dice {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const cents = (count: number): number => count / 100;

function budget(dice: Dice): object {
  const limits = [
    { max_cost_usd: cents(dice(60)) },
    { max_tokens: dice(40) },
    { max_blocks: 1 + dice(9) },
    { max_cost_usd: cents(30 + dice(60)), max_blocks: 3 + dice(9) },
  ];
  return { budget: { ...limits[dice(limits.length)], on_exceeded: ["pause", "stop", "rollback"][dice(3)] } };
}

function maybe(dice: Dice, chance: number, make: () => object): object {
  return dice(100) < chance ? make() : {};
}

function leaf(dice: Dice, id: string): object {
  return {
    id,
    type: "Step",
    inputs: maybe(dice, 50, () => ({ spends: { usd: cents(dice(25)), tokens: dice(12) } })),
    ...maybe(dice, 80, () => ({ cost: { usd: cents(dice(20)), tokens: dice(10) } })),
    ...maybe(dice, 30, () => ({ retry: { attempts: 2 + dice(2), delay: 0 } })),
    ...maybe(dice, 30, () => ({
      for_each: Array.from({ length: 1 + dice(5) }, (_, index) => index),
      max_parallel: 1 + dice(4),
      ...maybe(dice, 40, () => budget(dice)),
    })),
  };
}

function block(dice: Dice, id: string, depth: number): object {
  const kind = depth >= 3 ? 0 : dice(4);
  if (kind === 2) {
    return { id, blocks: blocks(dice, `${id}_`, depth + 1), ...maybe(dice, 50, () => budget(dice)) };
  }
  if (kind === 3) {
    const calling = { id, type: "ExecuteWorkflow", inputs: { workflow: "child" } };
    return { ...calling, ...maybe(dice, 50, () => budget(dice)), ...maybe(dice, 30, () => ({ for_each: [1, 2] })) };
  }
  return leaf(dice, id);
}

function blocks(dice: Dice, prefix: string, depth: number): object[] {
  return Array.from({ length: 1 + dice(4) }, (_, index) => ({
    ...block(dice, `${prefix}${index}`, depth),
    ...maybe(dice, index === 0 ? 0 : 25, () => ({ depends_on: [{ block: `${prefix}${index - 1}`, required: false }] })),
  }));
}

const answers = ["+0.25", "stop", "rollback", "+5"];

/** Lets one thing happen; false when nothing is left to be done. */
async function step(run: TestRun, steps: Steps, dice: Dice): Promise<boolean> {
  await run.idle();
  const { running } = steps;
  if (running.length > 0) {
    const path = running[dice(running.length)] as string;
    const how = dice(10);
    if (how < 6) steps.succeed(path);
    else if (how < 9) steps.fail(path);
    else steps.crash(path);
    return true;
  }
  if (run.state.finished !== undefined) return false;
  const question = [...run.state.questions.values()].find(
    ({ stage }) => stage.kind === "asking" && stage.about === "budget",
  );
  if (question === undefined) return false;
  await run.settled;
  // One that is too small is refused, and another one tried then.
  await run.answer(question.path, answers[dice(answers.length)] as string);
  void run.goOn().catch(() => {});
  return true;
}

function spentBy(events: readonly RunEvent[]): { usd: bigint; tokens: number } {
  let usd = 0n;
  let tokens = 0;
  for (const event of events) {
    if (!("path" in event) || !("spend" in event) || event.spend === undefined) continue;
    usd += BigInt(Math.round(event.spend.usd * 1e9));
    tokens += event.spend.tokens;
  }
  return { usd, tokens };
}

async function play(seed: number): Promise<{ readonly starts: number; readonly isHeld: boolean }> {
  const dice = createDice(seed);
  const machine = new TestMachine();
  const workflows = { child: { blocks: blocks(dice, "c", 3), ...maybe(dice, 50, () => budget(dice)) } };
  const boot = (): { engine: TestEngine; steps: Steps } => {
    const steps = new Steps();
    return { steps, engine: openTestEngine({ machine, workflows, types: [steps.type] }) };
  };
  const engines = [boot()];
  let { engine, steps } = engines[0] as (typeof engines)[number];
  try {
    let run = await engine.start({
      ...budget(dice),
      blocks: blocks(dice, "b", 0),
      ...maybe(dice, 25, () => ({ finally: [leaf(dice, "last")] })),
    });
    for (let turn = 0; turn < 400; turn++) {
      if (dice(100) < 4 && steps.running.length > 0) {
        engine.process.die();
        const next = boot();
        engines.push(next);
        ({ engine, steps } = next);
        run = await engine.takeOver(run.runId);
      } else if (!(await step(run, steps, dice))) break;
    }
    await run.idle();
    const { events, state } = run;
    const { starts } = checkBudgets(events, state.plans);
    const { usd = 0, tokens = 0 } = (state.root.record.metadata.spend ?? {}) as { usd?: number; tokens?: number };
    expect({ usd: BigInt(Math.round(usd * 1e9)), tokens }).toEqual(spentBy(events));
    expect(state.finished).toBeDefined();
    expect(snapshot(foldAnew(events, state.plans))).toBe(snapshot(state));
    return { starts, isHeld: events.some(({ type }) => type === "budget-exceeded") };
  } finally {
    for (const { engine: one } of engines) await one.close();
    machine.close();
  }
}

test(
  "whatever runs in parallel, is nested, tried again or lost: at every start, what is spent and reserved is within every limit",
  async () => {
    let starts = 0;
    let held = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 0x7fffffff }), async (seed) => {
        const played = await play(seed);
        starts += played.starts;
        held += Number(played.isHeld);
      }),
      { numRuns: scaled({ slice: 40, long: 1000 }), seed: 20_261_116 },
    );
    // The test is about budgets that hold something back.
    expect(held).toBeGreaterThan(scaled({ slice: 10, long: 300 }));
    expect(starts).toBeGreaterThan(scaled({ slice: 100, long: 3000 }));
  },
  longTimeout,
);

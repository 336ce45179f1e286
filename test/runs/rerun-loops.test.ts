import { describe, expect, test } from "vitest";
import { describeReuse, type ReuseData } from "../../src/views/describe-reuse.ts";
import type { TestEngine, Written } from "../rig/engine.ts";
import { idle } from "../rig/idle.ts";
import { rerunHere } from "../rig/rerun-here.ts";
import { call, createStepEngine, giving, step } from "../rig/step-engine.ts";
import type { Steps } from "../rig/steps.ts";

const elements = Array.from({ length: 50 }, (_, index) => `file ${index}`);
const failing = [7, 23, 41];

/** A pass gets something, which is expensive, and then does something with it. */
const pass = (element: string): object[] => [
  giving("get", element),
  step("do", { inputs: { value: "${blocks.get.value}" }, depends_on: ["get"] }),
];

interface Shape {
  readonly kind: string;
  loop(more: object): object;
  /** Where in a pass the step is that the test ends. */
  readonly inside: string;
}

const shapes: readonly Shape[] = [
  { kind: "a leaf", loop: (more) => step("work", { inputs: { value: "${each.value}" }, ...more }), inside: "" },
  { kind: "a group", loop: (more) => ({ id: "work", blocks: pass("${each.value}"), ...more }), inside: "/do" },
  { kind: "a workflow", loop: (more) => call("work", "child", { item: "${each.value}" }, more), inside: "/do" },
];

function createLoopEngine(): ReturnType<typeof createStepEngine> {
  const inputs = { item: { type: "string", description: "What to work on" } };
  return createStepEngine({ workflows: { child: { inputs, blocks: pass("${inputs.item}") } } });
}

function looping({ loop }: Shape, mode: string, over: readonly string[]): { readonly blocks: readonly object[] } {
  const more = { for_each: over, for_each_mode: mode, on_error: "continue", depends_on: ["before"] };
  return { blocks: [giving("before", 0), loop(more), giving("after", 1, { depends_on: ["work"] })] };
}

/** Ends whatever runs until nothing does. */
async function endAll(steps: Steps, fails: (path: string) => boolean): Promise<void> {
  for (await idle(); steps.running.length > 0; await idle()) {
    for (const path of steps.running) fails(path) ? steps.fail(path) : steps.succeed(path);
  }
}

/** Everything runs, and three elements fail. */
async function runBadly({ engine, steps }: ReturnType<typeof createStepEngine>, written: Written): Promise<string> {
  const run = await engine.start(written, { maxParallel: 50 });
  const bad = failing.map((index) => new RegExp(`^work/${index}(/|$)`));
  await endAll(steps, (path) => bad.some((pattern) => pattern.test(path)));
  expect((await run.settled).response.status).toBe("failure");
  steps.begun.length = 0;
  return run.runId;
}

async function rerunWell(engine: TestEngine, steps: Steps, runId: string, written?: Written): Promise<ReuseData> {
  const workflow = written === undefined ? undefined : engine.check(written);
  const begun = await rerunHere(engine.engine, runId, { onEvents() {}, onOutput() {}, trust: "any-file", workflow });
  if (!begun.ok) throw new Error(begun.error.map(({ message }) => message).join("\n"));
  const ended = begun.value.run.settled();
  await endAll(steps, () => false);
  expect(await ended).toBe("finished");
  return begun.value.run.inspect((state) => {
    expect(state.finished).toMatchObject({ outcome: "success" });
    return describeReuse(state);
  });
}

describe.each(shapes)("a loop of 50 whose pass is $kind", (shape) => {
  const { inside } = shape;
  const failed = failing.map((index) => `work/${index}${inside}`);

  test.each(["parallel", "sequential"])("runs the three that failed, and nothing else, when %s", async (mode) => {
    const { engine, steps } = createLoopEngine();
    const runId = await runBadly({ engine, steps }, looping(shape, mode, elements));
    const told = await rerunWell(engine, steps, runId);
    expect(steps.begun).toEqual([...failed, "after"]);
    expect(told).toEqual({
      rerun_of: runId,
      reused: ["before", "work (47 of 50 elements)", ...(inside === "" ? [] : failing.map((at) => `work/${at}/get`))],
      not_reused: {
        ...Object.fromEntries(failed.map((path) => [path, "It failed before."])),
        after: "It was skipped before.",
      },
    });
  });

  test("runs those that are fixed in the list, wherever they stand now, and nothing else", async () => {
    const { engine, steps } = createLoopEngine();
    const runId = await runBadly({ engine, steps }, looping(shape, "parallel", elements));
    const fixed = elements.map((element, index) => (failing.includes(index) ? `${element}, fixed` : element));
    await rerunWell(engine, steps, runId, looping(shape, "parallel", [...fixed].reverse()));
    const expected = failing.flatMap((index) => {
      const path = `work/${49 - index}`;
      return inside === "" ? [path] : [`${path}/get`, `${path}${inside}`];
    });
    expect(steps.begun.toSorted()).toEqual([...expected, "after"].toSorted());
  });
});

test("where the block inside the passes is fixed, it runs in all of them, and what comes before it in none", async () => {
  const { engine, steps } = createLoopEngine();
  const [, group] = shapes as [Shape, Shape];
  const runId = await runBadly({ engine, steps }, looping(group, "parallel", elements));
  const blocks = [giving("get", "${each.value}"), giving("do", "${blocks.get.value}!", { depends_on: ["get"] })];
  const fixed = { ...group, loop: (more: object) => ({ id: "work", blocks, ...more }) };
  const told = await rerunWell(engine, steps, runId, looping(fixed, "parallel", elements));
  expect(steps.begun.toSorted()).toEqual([...elements.map((_, index) => `work/${index}/do`), "after"].toSorted());
  // What is the same in many passes is told once.
  expect(told).toEqual({
    rerun_of: runId,
    reused: ["before", "work/*/get (50 elements)"],
    not_reused: {
      "work/*/do (47 elements)": "Its definition has changed.",
      ...Object.fromEntries(failing.map((index) => [`work/${index}/do`, "It failed before."])),
      after: "It was skipped before.",
    },
  });
});

test("however many blocks are reused and run, what is told of them stays short", async () => {
  const { engine, steps } = createStepEngine();
  const ids = (name: string): string[] => Array.from({ length: 60 }, (_, index) => `${name}_${index}`);
  const old = ids("old").map((id) => giving(id, 1));
  const first = await engine.run({ blocks: old });
  steps.begun.length = 0;
  const told = await rerunWell(engine, steps, first.state.started.runId, {
    blocks: [...old, ...ids("new").map((id) => giving(id, 2))],
  });
  expect(steps.begun).toEqual(ids("new"));
  expect(told.reused).toEqual([...ids("old").slice(0, 20), "and 40 more"]);
  expect(Object.entries(told.not_reused ?? {})).toEqual([
    ...ids("new")
      .slice(0, 30)
      .map((id) => [id, "It is new."]),
    ["...", "and 30 more"],
  ]);
});

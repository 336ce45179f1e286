import { expect, test } from "vitest";
import { createFakeClock } from "../../../test/rig/fake-clock.ts";
import { call, createStepEngine, ending, step } from "../../../test/rig/step-engine.ts";
import type { RunState } from "../../engine/state.ts";
import { readBlock } from "../../views/read-block.ts";
import { ShownRun } from "../../views/shown-run.ts";
import { nextSteps } from "../next-steps.ts";
import { type DrawOptions, drawTree } from "./draw-tree.ts";

const start = Date.parse("2030-01-01T00:00:00Z");
const still = { now: () => new Date(start), monotonic: () => 0 };
const drawOptions: DrawOptions = {
  columns: 100,
  rows: 24,
  now: start,
  frame: 0,
  colour: false,
  unicode: true,
  lastLine: () => "",
};

/** Without the row of the run itself. */
function draw(state: RunState, options: Partial<DrawOptions> = {}): string[] {
  const all = { ...drawOptions, ...options };
  return drawTree(new ShownRun(state).tree(all.rows), all).slice(1);
}

test("a loop that has gone well is one line, with how many passes there were", async () => {
  const { engine } = createStepEngine({ clock: still });
  const { state } = await engine.run({ blocks: [ending("lint", "succeed", { for_each: "${range(12)}" })] });
  expect(draw(state)).toEqual(["  ✓ lint 0ms 12/12"]);
});

test("of a loop only what runs or has failed has a line of its own, while it runs and after it", async () => {
  const { engine, steps } = createStepEngine({ clock: still });
  const run = await engine.start({
    blocks: [step("lint", { for_each: ["a", "b", "c", "d", "e"], max_parallel: 3 })],
  });
  await run.idle();
  steps.succeed("lint/0");
  steps.fail("lint/1", "wrong");
  await run.idle();
  expect(draw(run.state)).toEqual([
    "  ⠋ lint 0.0s 1/5, 1 failed",
    "    ✗ [1] b 0ms  wrong",
    "    ⠋ [2] c 0.0s",
    "    ⠋ [3] d 0.0s",
    "    ⠋ [4] e 0.0s",
  ]);
  for (const key of [2, 3, 4]) steps.succeed(`lint/${key}`);
  const { state } = await run.settled;
  expect(draw(state)).toEqual(["  ✗ lint 0ms 4/5, 1 failed", "    ✗ [1] b 0ms"]);
});

test("what a loop did not come to any more is counted", async () => {
  const { engine, steps } = createStepEngine({ clock: still });
  const run = await engine.start({
    blocks: [step("lint", { for_each: ["a", "b", "c"], for_each_mode: "sequential", on_error: "stop" })],
  });
  await run.idle();
  steps.fail("lint/0", "wrong");
  const { state } = await run.settled;
  expect(draw(state)).toEqual(["  ✗ lint 0ms 0/3, 1 failed, 2 skipped", "    ✗ [0] a 0ms"]);
});

test("of a failed pass everything that is inside it is shown, and a loop in it that went well is one line again", async () => {
  const { engine } = createStepEngine({ clock: still });
  const { state } = await engine.run({
    blocks: [
      {
        id: "each",
        for_each: ["x", "y"],
        blocks: [
          ending("good", "succeed", { for_each: [1, 2] }),
          ending("bad", "fail", { condition: "${each.value} == 'y'" }),
        ],
      },
    ],
  });
  expect(draw(state)).toEqual([
    "  ✗ each 0ms 1/2, 1 failed",
    "    ✗ [1] y 0ms",
    "      ✓ good 0ms 2/2",
    "      ✗ bad 0ms",
  ]);
});

test("a repeated block says at which pass it is and how many there were; failed ones do not stay when it has succeeded", async () => {
  const { engine, steps } = createStepEngine({ clock: still });
  const run = await engine.start({ blocks: [step("watch", { repeat: { max: 9, until: "${this.succeeded}" } })] });
  await run.idle();
  steps.fail("watch/0", "not yet");
  await run.idle();
  expect(draw(run.state)).toEqual(["  ⠋ watch 0.0s pass 2, 1 failed", "    ✗ [0] 0ms  not yet", "    ⠋ [1] 0.0s"]);
  steps.succeed("watch/1");
  const { state } = await run.settled;
  expect(draw(state)).toEqual(["  ✓ watch 0ms 2 passes, 1 failed"]);
});

test("passes are named by their elements, whatever kind of value these are", async () => {
  const { engine, steps } = createStepEngine({ clock: still });
  const elements = ["packages/web", 7, true, { name: "api", port: 1 }, { os: "linux" }, 5, "x\u001b[31m\ny"];
  const run = await engine.start({ blocks: [step("lint", { for_each: elements, max_parallel: 9 })] });
  await run.idle();
  expect(draw(run.state).slice(1)).toEqual([
    "    ⠋ [0] packages/web 0.0s",
    "    ⠋ [1]=7 0.0s",
    "    ⠋ [2]=true 0.0s",
    "    ⠋ [3] api 0.0s",
    '    ⠋ [4] {"os":"linux"} 0.0s',
    "    ⠋ [5] 0.0s",
    "    ⠋ [6] x y 0.0s",
  ]);
  steps.fail("lint/3", "wrong");
  for (const key of [0, 1, 2, 4, 5, 6]) steps.succeed(`lint/${key}`);
  const { state } = await run.settled;
  expect(state.root.record.metadata.message).toBe("'lint' failed: '3' (api) failed: wrong");
});

test("a loop that is looked at itself shows all its passes", async () => {
  const { engine } = createStepEngine({ clock: still });
  const { runId, settled } = await engine.start({
    blocks: [ending("lint", "succeed", { for_each: ["a", "b"] })],
  });
  await settled;
  const { platform, workflows } = engine.engine;
  const lint = await readBlock(platform, workflows.catalog, runId, "lint");
  expect(lint.ok && drawTree(lint.value.tree, drawOptions)).toEqual([
    "✓ lint 0ms 2/2",
    "  ✓ [0] a 0ms",
    "  ✓ [1] b 0ms",
  ]);
});

test("where lines are short, what has gone well inside is folded, the first first, and no more than necessary", async () => {
  const { engine, steps } = createStepEngine({
    clock: still,
    workflows: { child: { blocks: [ending("one", "succeed"), ending("two", "succeed")] } },
  });
  const run = await engine.start({
    blocks: [
      call("first", "child"),
      { id: "second", blocks: [ending("in", "succeed"), ending("out", "succeed")], depends_on: ["first"] },
      { id: "third", blocks: [ending("bad", "fail"), ending("fine", "succeed")], allow_failure: true },
      step("last", { depends_on: ["second"] }),
    ],
  });
  await run.idle();
  const whole = [
    "  ✓ first 0ms",
    "    ✓ one 0ms",
    "    ✓ two 0ms",
    "  ✓ second 0ms",
    "    ✓ in 0ms",
    "    ✓ out 0ms",
    "  ✗ third 0ms",
    "    ✗ bad 0ms  it went wrong",
    "    ✓ fine 0ms",
    "  ⠋ last 0.0s",
  ];
  expect(draw(run.state, { rows: 11 })).toEqual(whole);
  expect(draw(run.state, { rows: 10 })).toEqual(["  ✓ first 0ms 2/2", ...whole.slice(3)]);
  expect(draw(run.state, { rows: 8 })).toEqual(["  ✓ first 0ms 2/2", "  ✓ second 0ms 2/2", ...whole.slice(6)]);
  expect(draw(run.state, { rows: 6 })).toEqual([
    "  ✓ second 0ms 2/2",
    "  ✗ third 0ms",
    "    ✗ bad 0ms  it went wrong",
    "  ⠋ last 0.0s",
    "  and 2 done",
  ]);
  steps.succeed("last");
});

test("what a row inside says of a failure is not said again by what holds it", async () => {
  const { engine, steps } = createStepEngine({ clock: still });
  const run = await engine.start({
    blocks: [{ id: "group", blocks: [ending("bad", "fail")] }, step("other")],
  });
  await run.idle();
  expect(draw(run.state)).toEqual(["  ✗ group 0ms", "    ✗ bad 0ms  it went wrong", "  ⠋ other 0.0s"]);
  expect(draw(run.state, { rows: 4 })).toEqual(["  ✗ group 0ms", "    ✗ bad 0ms  it went wrong", "  ⠋ other 0.0s"]);
  steps.succeed("other");
});

test("the time in which a block waits for an answer, a time or its next attempt is none in which it runs", async () => {
  const clock = createFakeClock();
  const { engine, steps } = createStepEngine({ clock });
  const run = await engine.start({
    blocks: [step("flaky", { retry: { attempts: 3, delay: "1m" } }), step("other")],
  });
  const drawNow = (): string[] => draw(run.state, { now: clock.now().getTime() });
  await run.idle();
  clock.advance(5_000);
  steps.fail("flaky");
  await run.idle();
  clock.advance(60_000);
  await run.idle();
  clock.advance(2_000);
  expect(drawNow()).toEqual(["  ⠋ flaky 2.0s (attempt 2)", "  ⠋ other 1m 07s"]);
  steps.succeed("flaky");
  await run.idle();
  expect(drawNow()).toEqual(["  ✓ flaky 2.0s (attempt 2)", "  ⠋ other 1m 07s"]);
  expect(run.state.root.record.blocks.flaky?.metadata.execution_time_ms).toBe(7_000);
  steps.succeed("other");
});

test("a block that goes on after an answer counts what it ran before it, and not how long it waited", async () => {
  const clock = createFakeClock();
  const { engine, steps } = createStepEngine({ clock });
  const run = await engine.start({ blocks: [step("asking"), step("other")] });
  await run.idle();
  clock.advance(3_000);
  steps.pause("asking");
  await run.idle();
  clock.advance(60_000);
  await run.answer("asking", "yes");
  await run.idle();
  clock.advance(1_000);
  const now = clock.now().getTime();
  expect(draw(run.state, { now })).toEqual(["  ⠋ asking 4.0s", "  ⠋ other 1m 04s"]);
  expect(new ShownRun(run.state).describe({ format: "minimal", nextSteps, now }).running).toEqual({
    other: 64,
    asking: 4,
  });
  steps.succeed("asking");
  await run.idle();
  expect(draw(run.state, { now })[0]).toBe("  ✓ asking 4.0s");
  steps.succeed("other");
});

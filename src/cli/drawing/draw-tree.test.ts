import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../test/rig/fake-clock.ts";
import { idle } from "../../../test/rig/idle.ts";
import { createMachine } from "../../../test/rig/machine.ts";
import { rerunHere } from "../../../test/rig/rerun-here.ts";
import { call, createStepEngine, ending, step } from "../../../test/rig/step-engine.ts";
import type { RunState } from "../../engine/state.ts";
import { readBlock } from "../../views/read-block.ts";
import { readShownRun, ShownRun } from "../../views/shown-run.ts";
import { formatTime } from "../text/format-time.ts";
import { widthOf } from "../text/visible-text.ts";
import { type DrawOptions, drawTree } from "./draw-tree.ts";

const start = Date.parse("2030-01-01T00:00:00Z");

/** Time stands still, so that no line depends on how fast the machine is. */
const clock = { now: () => new Date(start), monotonic: () => 0 };

const drawOptions: DrawOptions = {
  columns: 80,
  rows: 24,
  now: start + 2500,
  frame: 0,
  colour: false,
  unicode: true,
  lastLine: () => "",
};

function draw(state: RunState, options: Partial<DrawOptions> = {}): string[] {
  return drawRun(new ShownRun(state), options);
}

function drawRun(run: ShownRun, options: Partial<DrawOptions> = {}): string[] {
  const all = { ...drawOptions, ...options };
  return drawTree(run.tree(all.rows), all).map((line) => line.replace(/run_[0-9a-z]{16}/, "RUN"));
}

test("what is being rolled back says so, and that it is no longer when it has ended", async () => {
  const { engine, steps } = createStepEngine({ clock });
  const run = await engine.start({
    on_failure: "rollback",
    blocks: [ending("good", "succeed", { undo: { type: "Step" } }), ending("bad", "fail", { depends_on: ["good"] })],
  });
  await expect.poll(() => steps.running).toEqual(["undo_1"]);
  expect(draw(run.state)[0]).toBe("⠋ test RUN 2.5s 2/2  rolling back");
  steps.succeed("undo_1");
  await run.settled;
  expect(draw(run.state)[0]).toBe("✗ test 0ms");
});

test("every state has its mark, and failed and skipped blocks their reason", async () => {
  const { engine, steps } = createStepEngine({ clock });
  const run = await engine.start({
    blocks: [
      ending("good", "succeed"),
      ending("bad", "fail"),
      ending("broken", "crash"),
      ending("asking", "pause"),
      step("slow"),
      step("skipped", { depends_on: ["bad"] }),
      step("later", { depends_on: ["slow"] }),
    ],
  });
  await run.idle();
  expect(draw(run.state, { lastLine: (path) => (path === "slow" ? "half done" : "") })).toEqual([
    "⠋ test RUN 2.5s 4/7",
    "  ✓ good 0ms",
    "  ✗ bad 0ms  it went wrong",
    "  ! broken 0ms  it broke",
    "  ? asking  Go on?",
    "  ⠋ slow 2.5s  half done",
    "  - skipped  'bad' failed, and is required.",
    "  · later",
  ]);
  expect(draw(run.state, { unicode: false, frame: 1, rows: 7 })).toEqual([
    "/ test RUN 2.5s 4/7",
    "  x bad 0ms  it went wrong",
    "  ! broken 0ms  it broke",
    "  ? asking  Go on?",
    "  / slow 2.5s",
    "  - skipped  'bad' failed, and is required.",
    "  and 1 done, 1 waiting",
  ]);
  steps.succeed("slow");
});

test("nested workflows and passes of loops stand below what holds them", async () => {
  const { engine, steps } = createStepEngine({ clock, workflows: { child: { blocks: [step("inner")] } } });
  const run = await engine.start({
    blocks: [
      call("sub", "child"),
      step("files", { for_each: ["a.ts", "b.ts"] }),
      step("keys", { for_each: { x: 1 } }),
      step("numbers", { for_each: [7] }),
    ],
  });
  await run.idle();
  steps.succeed("files/0");
  await run.idle();
  expect(draw(run.state)).toEqual([
    "⠋ test RUN 2.5s 0/4",
    "  ⠋ sub 2.5s 0/1",
    "    ⠋ inner 2.5s",
    "  ⠋ files 2.5s 1/2",
    "    ⠋ [1] b.ts 2.5s",
    "  ⠋ keys 2.5s 0/1",
    "    ⠋ x 2.5s",
    "  ⠋ numbers 2.5s 0/1",
    "    ⠋ [0]=7 2.5s",
  ]);
});

test("what ran when the process died is no longer running, and a second attempt is told", async () => {
  const machine = createMachine();
  const dying = createStepEngine({ clock, machine, workflows: { child: { blocks: [step("inner")] } } });
  const { runId } = await dying.engine.start({
    blocks: [call("sub", "child"), step("later", { depends_on: ["sub"] })],
  });
  await new Promise((resolve) => setImmediate(resolve));
  dying.engine.process.die();
  const { engine, steps } = createStepEngine({ clock, machine });
  const { platform, workflows } = engine.engine;
  const lost = await readShownRun(platform, workflows.catalog, runId);
  expect(lost.ok && drawRun(lost.value.run)).toEqual([
    "~ test RUN 0/2",
    "  ~ sub 0/1",
    "    ~ inner  was running when its process ended",
    "  · later",
  ]);
  const run = await engine.takeOver(runId);
  await run.idle();
  steps.succeed("sub/inner");
  await run.idle();
  expect(draw(run.state)).toEqual([
    "⠋ test RUN 2.5s 1/2",
    "  ✓ sub 0ms",
    "    ✓ inner 0ms (attempt 2)",
    "  ⠋ later 2.5s",
  ]);
});

test("of one block only what is inside it is drawn", async () => {
  const { engine, steps } = createStepEngine({ clock });
  const run = await engine.start({ blocks: [step("one"), step("two", { for_each: ["a"] })] });
  await run.idle();
  const { platform, workflows } = engine.engine;
  const two = await readBlock(platform, workflows.catalog, run.runId, "two");
  expect(two.ok && drawTree(two.value.tree, drawOptions)).toEqual(["⠋ two 2.5s 0/1", "  ⠋ [0] a 2.5s"]);
  steps.succeed("one");
});

test("where room is short, what is done is hidden first, then what waits, and both are counted", async () => {
  const { engine, steps } = createStepEngine({ clock });
  const run = await engine.start(
    { blocks: Array.from({ length: 9 }, (_, index) => step(`s${index}`)) },
    { maxParallel: 2 },
  );
  await run.idle();
  for (const path of ["s0", "s1", "s2"]) {
    steps.succeed(path);
    await run.idle();
  }
  expect(draw(run.state, { rows: 9 })).toEqual([
    "⠋ test RUN 2.5s 3/9",
    "  ✓ s2 0ms",
    "  ⠋ s3 2.5s",
    "  ⠋ s4 2.5s",
    "  · s5",
    "  · s6",
    "  · s7",
    "  · s8",
    "  and 2 done",
  ]);
  expect(draw(run.state, { rows: 5 })).toEqual([
    "⠋ test RUN 2.5s 3/9",
    "  ⠋ s3 2.5s",
    "  ⠋ s4 2.5s",
    "  · s5",
    "  and 3 done, 3 waiting",
  ]);
  expect(draw(run.state, { rows: 3 })).toEqual([
    "⠋ test RUN 2.5s 3/9",
    "  ⠋ s3 2.5s",
    "  and 3 done, 4 waiting, 1 running",
  ]);
  expect(draw(run.state, { rows: 1 })).toEqual(["⠋ test RUN 2.5s 3/9"]);
});

test("a block is never shown without what holds it", async () => {
  const { engine, steps } = createStepEngine({ clock, workflows: { child: { blocks: [step("x"), step("y")] } } });
  const run = await engine.start({ blocks: [call("one", "child"), call("two", "child"), step("last")] });
  await run.idle();
  steps.fail("two/x");
  await run.idle();
  for (let rows = 1; rows <= 9; rows++) {
    const lines = draw(run.state, { rows });
    expect(lines.length).toBeLessThanOrEqual(rows);
    let depth = 0;
    for (const line of lines.filter((text) => !text.startsWith("  and "))) {
      const indent = line.search(/\S/) / 2;
      expect(indent).toBeLessThanOrEqual(depth + 1);
      depth = indent;
    }
  }
});

test("no line is wider and there are never more of them than the terminal has room for", async () => {
  const key = "ключ 日本語 🚀 \u001b[31m\u0007\n\t end";
  const { engine, steps } = createStepEngine({ clock });
  const run = await engine.start({
    blocks: [step("loop", { for_each: { [key]: "x", "": "y" } }), step("long".repeat(15))],
  });
  await run.idle();
  steps.fail("long".repeat(15), "много слов 日本語 ".repeat(20));
  await run.idle();
  const options = fc.record({ columns: fc.integer({ min: 1, max: 120 }), rows: fc.integer({ min: 1, max: 8 }) });
  fc.assert(
    fc.property(options, fc.boolean(), ({ columns, rows }, colour) => {
      const lines = draw(run.state, { columns, rows, colour, lastLine: () => "出力 ".repeat(50).trim() });
      expect(lines.length).toBeLessThanOrEqual(rows);
      for (const line of lines) {
        const shown = stripVTControlCharacters(line);
        expect(widthOf(shown)).toBeLessThanOrEqual(Math.max(1, columns - 1));
        expect(shown).not.toMatch(/\p{Cc}/u);
      }
    }),
    { seed: 20, numRuns: 200 },
  );
});

test("a run that waits for an answer shows nothing as running", async () => {
  const { engine } = createStepEngine({ clock, workflows: { child: { blocks: [ending("inner", "pause")] } } });
  const { state } = await engine.run({ blocks: [call("sub", "child")] });
  expect(draw(state)).toEqual(["? test RUN", "  ? sub", "    ? inner  Go on?"]);
});

test("a run that is being stopped says so", async () => {
  const { engine } = createStepEngine({ clock });
  const drawn: (string | undefined)[] = [];
  const run = await engine.start(
    { blocks: [step("slow")] },
    {
      onEvents(events) {
        if (events.some(({ type }) => type === "run-cancelling")) drawn.push(draw(run.state)[0]);
      },
    },
  );
  await run.idle();
  await run.cancel();
  await run.settled;
  expect(drawn).toEqual(["⠋ test RUN 2.5s 0/1  stopping: cancelled"]);
});

test("what sleeps says until when; between two attempts also what went wrong", async () => {
  const { engine } = createStepEngine({ clock });
  const run = await engine.start({
    blocks: [
      ending("flaky", "fail", { retry: { attempts: 3, delay: "1h" } }),
      { id: "rest", type: "Wait", inputs: { duration: "2h" } },
    ],
  });
  await run.idle();
  expect(draw(run.state, { columns: 120 })).toEqual([
    "z test RUN",
    `  z flaky  it went wrong; next attempt at ${formatTime("2030-01-01T01:00:00Z")}`,
    `  z rest  until ${formatTime("2030-01-01T02:00:00Z")}`,
  ]);
  expect(drawRun(new ShownRun(run.state, { status: "interrupted" }))[0]).toBe("~ test RUN 0/2");
});

test("a block that runs again counts from the beginning of its latest attempt, and a reused one has no time of its own", async () => {
  const clock = createFakeClock();
  const { engine, steps } = createStepEngine({ clock });
  const first = await engine.start({
    blocks: [step("a"), step("b", { depends_on: ["a"], retry: { attempts: 2, delay: 0 } })],
  });
  await first.idle();
  clock.advance(60_000);
  steps.succeed("a");
  await first.idle();
  clock.advance(30_000);
  steps.fail("b");
  await first.idle();
  clock.advance(0);
  await first.idle();
  clock.advance(2_000);
  const now = clock.now().getTime();
  expect(draw(first.state, { now })).toEqual(["⠋ test RUN 1m 32s 1/2", "  ✓ a 1m 00s", "  ⠋ b 2.0s (attempt 2)"]);
  steps.succeed("b");
  await first.settled;
  const again = await rerunHere(engine.engine, first.runId, {
    onEvents() {},
    onOutput() {},
    trust: "any-file" as const,
    from: "b",
  });
  if (!again.ok) throw new Error(again.error[0]?.message);
  const settled = again.value.run.settled();
  await first.idle();
  steps.succeed("b");
  await settled;
  const state = await again.value.run.inspect((ended) => ended);
  expect(draw(state, { now })).toEqual(["✓ test 0ms", "  ✓ a (reused)", "  ✓ b 0ms"]);
});

test("what is reused is calm: one row for what is reused whole, and the first to go where there is little room", async () => {
  const { engine, steps } = createStepEngine({
    clock,
    workflows: { child: { blocks: [ending("one", "succeed"), ending("two", "succeed")] } },
  });
  const first = await engine.start({
    blocks: [
      call("sub", "child"),
      ending("files", "succeed", { for_each: [1, 2, 3] }),
      { id: "group", blocks: [ending("in", "succeed"), step("deep", { depends_on: ["in"] })] },
    ],
  });
  await first.idle();
  steps.fail("group/deep");
  await first.settled;
  const again = await rerunHere(engine.engine, first.runId, {
    onEvents() {},
    onOutput() {},
    trust: "any-file" as const,
  });
  if (!again.ok) throw new Error(again.error[0]?.message);
  const settled = again.value.run.settled();
  await idle();
  const state = await again.value.run.inspect((now) => now);
  expect(draw(state)).toEqual([
    "⠋ test RUN 2.5s 2/3",
    "  ✓ sub (reused)",
    "  ✓ files (reused)",
    "  ⠋ group 2.5s 1/2",
    "    ✓ in (reused)",
    "    ⠋ deep 2.5s",
  ]);
  expect(draw(state, { rows: 5 })).toEqual([
    "⠋ test RUN 2.5s 2/3",
    "  ✓ files (reused)",
    "  ⠋ group 2.5s 1/2",
    "    ⠋ deep 2.5s",
    "  and 2 reused",
  ]);
  const [, row = ""] = draw(state, { colour: true });
  expect(row).not.toContain("\u001b[32m");
  steps.succeed("group/deep");
  await settled;
});

test("what holds blocks that timed out is told as that, and not as something that could not run", async () => {
  const clock = createFakeClock();
  const { engine } = createStepEngine({ clock });
  const run = await engine.start({
    blocks: [step("loop", { for_each: ["x"], timeout: "5s" }), step("after", { depends_on: ["loop"] })],
  });
  await run.idle();
  clock.advance(5_000);
  const { state } = await run.settled;
  expect(draw(state)).toEqual([
    "! test 5.0s",
    "  ! loop 5.0s 0/1, 1 timed out",
    "    ! [0] x 5.0s  timed out",
    "  - after  'loop' timed out, and is required.",
  ]);
});

import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../../../src/platform/files/create-log.ts";
import { applyChange } from "../../../src/ui/run/apply-change.ts";
import { describeLevel } from "../../../src/views/page/level.ts";
import { LevelFeeds } from "../../../src/views/page/level-feed.ts";
import type { Level, LevelChange } from "../../../src/views/page/page-records.ts";
import { RunPictures } from "../../../src/views/page/run-pictures.ts";
import type { TestEngine } from "../../rig/engine.ts";
import { createMachine } from "../../rig/machine.ts";
import { createStepEngine, ending, step } from "../../rig/step-engine.ts";

const log = createLog(process.stderr, "error");

function openFeeds({ engine }: TestEngine): LevelFeeds {
  return new LevelFeeds(engine.platform, new RunPictures(engine.platform, engine.workflows.catalog), log);
}

/** Somebody who looks at a level, as the page does. */
class Reader {
  readonly changes: LevelChange[] = [];
  levels = 0;
  shown: Level | undefined;
  sequence = 0;
  gone: string | undefined;
  readonly stop: () => void;

  constructor(feeds: LevelFeeds, runId: string, address = "", before?: Reader) {
    this.shown = before?.shown;
    this.stop = feeds.watch(runId, address, before?.sequence, {
      level: (level, sequence) => {
        this.levels++;
        this.#show(level, sequence);
      },
      change: (change, sequence) => {
        this.changes.push(change);
        if (this.shown === undefined) throw new Error("A change of nothing.");
        this.#show(applyChange(this.shown, change), sequence);
      },
      gone: ({ message }) => {
        this.gone = message;
      },
    });
    onTestFinished(this.stop);
  }

  #show(level: Level, sequence: number): void {
    this.shown = level;
    this.sequence = sequence;
  }

  standing(address: string): string | undefined {
    return this.shown?.blocks.find((card) => card.address === address)?.standing;
  }
}

test("A level that is watched follows a run that another process drives, with what changed alone", async () => {
  const machine = createMachine();
  const driver = createStepEngine({ machine });
  const run = await driver.engine.start({
    blocks: [step("one"), step("two", { depends_on: ["one"] }), step("other")],
  });
  await run.idle();
  const feeds = openFeeds(createStepEngine({ machine }).engine);
  const reader = new Reader(feeds, run.runId);
  await expect.poll(() => reader.standing("one")).toBe("running");
  driver.steps.succeed("one");
  await expect.poll(() => reader.standing("two")).toBe("running");
  expect(reader.levels).toBe(1);
  const told = new Set(reader.changes.flatMap(({ blocks }) => blocks.map(({ address }) => address)));
  expect(told).toEqual(new Set(["one", "two"]));
  expect(reader.shown?.edges).toEqual([
    { from: "one", to: "two", kind: "required", decided: "went", is_critical: true },
  ]);
  driver.steps.succeed("two");
  driver.steps.fail("other");
  await expect.poll(() => reader.shown?.head.standing).toBe("failed");
  const seen = await feeds.pictures.of(run.runId).find("");
  if (!seen.ok) throw new Error(seen.error.message);
  expect(reader.shown).toEqual(describeLevel(seen.value.picture, seen.value.place, ""));
});

test("Whoever comes back hears only what has changed since", async () => {
  const { steps, engine } = createStepEngine();
  const run = await engine.start({ blocks: [ending("done", "succeed"), step("one"), step("two"), step("three")] });
  await run.idle();
  const feeds = openFeeds(engine);
  const first = new Reader(feeds, run.runId);
  await expect.poll(() => first.standing("done")).toBe("done");
  steps.succeed("one");
  await expect.poll(() => first.standing("one")).toBe("done");
  first.stop();
  expect(feeds.watched).toBe(0);
  steps.succeed("two");
  await run.idle();
  const again = new Reader(feeds, run.runId, "", first);
  await expect.poll(() => again.standing("two")).toBe("done");
  expect(again.levels).toBe(0);
  // What still runs is told again: a process that dies leaves no event.
  expect(again.changes[0]?.blocks.map(({ address }) => address)).toEqual(["two", "three"]);
  const lost = new Reader(feeds, run.runId, "", Object.assign(Object.create(first) as Reader, { sequence: 10_000 }));
  await expect.poll(() => lost.levels).toBe(1);
  steps.succeed("three");
  await run.settled;
});

test("A process that dies is seen, although it says nothing", async () => {
  const machine = createMachine();
  const driver = createStepEngine({ machine });
  const run = await driver.engine.start({ blocks: [step("one")] });
  await run.idle();
  const reader = new Reader(openFeeds(createStepEngine({ machine }).engine), run.runId);
  await expect.poll(() => reader.shown?.head.standing).toBe("running");
  driver.engine.process.die();
  await expect.poll(() => reader.shown?.head.standing).toBe("interrupted");
  expect(reader.standing("one")).toBe("interrupted");
  expect(reader.shown?.head).toMatchObject({
    sentence: "The process that drove it has ended.",
    actions: { cancel: true, resume: true, rerun: true },
  });
});

test("Whoever watches a run that is removed is told so", async () => {
  const { engine } = createStepEngine();
  const { state } = await engine.run({ blocks: [ending("one", "succeed")] });
  const { runId } = state.started;
  const reader = new Reader(openFeeds(engine), runId);
  await expect.poll(() => reader.standing("one")).toBe("done");
  await (await engine.engine.platform.journal()).delete(runId);
  await expect.poll(() => reader.gone).toBe(`There is no run '${runId}'.`);
});

test("Messages are few, however much happens, and a loop tells its strip instead of all its passes", async () => {
  const { engine } = createStepEngine();
  const elements = Array.from({ length: 2000 }, (_, index) => index);
  const run = await engine.start({
    blocks: [{ id: "loop", type: "Step", for_each: elements, max_parallel: 20, inputs: { ends: "succeed" } }],
  });
  const feeds = openFeeds(engine);
  const [root, loop] = [new Reader(feeds, run.runId), new Reader(feeds, run.runId, "loop")];
  const began = performance.now();
  await run.settled;
  await expect.poll(() => loop.shown?.passes?.counts).toEqual({ done: 2000 });
  const seconds = (performance.now() - began) / 1000;
  expect(root.changes.length).toBeLessThanOrEqual(10 * seconds + 2);
  expect(loop.changes.length).toBeLessThanOrEqual(4 * seconds + 2);
  for (const change of root.changes) expect(JSON.stringify(change).length).toBeLessThan(4000);
  for (const change of loop.changes) expect(change.blocks.length).toBeLessThanOrEqual(200);
});

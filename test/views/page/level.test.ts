import { expect, test } from "vitest";
import { createLog } from "../../../src/platform/files/create-log.ts";
import { describeDetail } from "../../../src/views/page/block-detail.ts";
import type { BlockDetail } from "../../../src/views/page/detail-records.ts";
import { describeLevel } from "../../../src/views/page/level.ts";
import { LevelFeeds } from "../../../src/views/page/level-feed.ts";
import type { Level } from "../../../src/views/page/page-records.ts";
import { RunPictures } from "../../../src/views/page/run-pictures.ts";
import type { TestEngine } from "../../rig/engine.ts";
import { call, createStepEngine, ending, step } from "../../rig/step-engine.ts";

const log = createLog(process.stderr, "error");

function openFeeds({ engine }: TestEngine): LevelFeeds {
  return new LevelFeeds(engine.platform, new RunPictures(engine.platform, engine.workflows.catalog), log);
}

async function levelOf(feeds: LevelFeeds, runId: string, address = ""): Promise<Level> {
  const seen = await feeds.pictures.of(runId).find(address);
  if (!seen.ok) throw new Error(seen.error.message);
  return describeLevel(seen.value.picture, seen.value.place, address, seen.value.now);
}

const standings = ({ blocks }: Level): Record<string, string> =>
  Object.fromEntries(blocks.map(({ address, standing }) => [address, standing]));

test("A level is the same for a run, a nested workflow, a group, a loop and a pass", async () => {
  const { steps, engine } = createStepEngine({
    workflows: { child: { blocks: [step("one"), step("two", { depends_on: ["one"] })] } },
  });
  const run = await engine.start({
    blocks: [
      call("nested", "child"),
      { id: "group", blocks: [step("inner"), step("after", { depends_on: ["inner"] })] },
      { id: "loop", for_each: ["a", "b"], blocks: [step("check")] },
      call("later", "child", {}, { depends_on: ["nested"] }),
    ],
  });
  await run.idle();
  const feeds = openFeeds(engine);
  const root = await levelOf(feeds, run.runId);
  expect(standings(root)).toEqual({ nested: "running", group: "running", loop: "running", later: "to_come" });
  expect(root.blocks.map(({ holds }) => holds)).toEqual(["workflow", "group", "loop", "workflow"]);
  expect(root.edges).toEqual([{ from: "nested", to: "later", kind: "required", decided: "open" }]);
  expect(standings(await levelOf(feeds, run.runId, "nested"))).toEqual({
    "nested/one": "running",
    "nested/two": "to_come",
  });
  expect(standings(await levelOf(feeds, run.runId, "group"))).toEqual({
    "group/inner": "running",
    "group/after": "to_come",
  });
  const loop = await levelOf(feeds, run.runId, "loop");
  expect(standings(loop)).toEqual({ "loop/0": "running", "loop/1": "running" });
  expect(loop.blocks.map(({ element }) => element)).toEqual(["a", "b"]);
  expect(loop.passes).toEqual({ total: 2, counts: { running: 2 }, strip: "rr", reasons: [] });
  expect(standings(await levelOf(feeds, run.runId, "loop/1"))).toEqual({ "loop/1/check": "running" });
  const later = await levelOf(feeds, run.runId, "later");
  expect(standings(later)).toEqual({ "later/one": "to_come", "later/two": "to_come" });
  expect(later.edges).toEqual([{ from: "later/one", to: "later/two", kind: "required", decided: "open" }]);
  expect(root.head.sentence).toBe("4 blocks run.");
  for (const path of [...steps.running]) steps.succeed(path);
  await run.idle();
  expect((await levelOf(feeds, run.runId)).head.sentence).toBe("`nested/two` and `group/after` run.");
});

test("An attempt that is over is a level of its own", async () => {
  const { steps, engine } = createStepEngine({ workflows: { child: { blocks: [step("one")] } } });
  const run = await engine.start({
    blocks: [call("nested", "child", {}, { retry: { attempts: 2, delay: 0 } })],
  });
  await run.idle();
  steps.fail("nested/one", "the registry answered 503");
  await expect.poll(() => steps.running).toEqual(["nested/one"]);
  const feeds = openFeeds(engine);
  expect(standings(await levelOf(feeds, run.runId, "nested"))).toEqual({ "nested/one": "running" });
  const first = await levelOf(feeds, run.runId, "nested@1");
  expect(standings(first)).toEqual({ "nested@1/one": "failed" });
  expect(first.of).toMatchObject({ address: "nested@1", standing: "failed" });
  expect(first.crumbs).toEqual([
    { address: "", name: "test" },
    { address: "nested@1", name: "nested @1" },
  ]);
  const [nested] = (await levelOf(feeds, run.runId)).blocks;
  expect(nested).toMatchObject({ attempt: 2, most_attempts: 2, standing: "running" });
  expect(nested?.spans.map(({ kind, attempt }) => [kind, attempt])).toEqual([
    ["failed", undefined],
    ["backed_off", undefined],
    ["ran", 2],
  ]);
  expect((await feeds.pictures.of(run.runId).find("nested@3")).ok).toBe(false);
});

test("What failed counts, was handled, or led to another block", async () => {
  const { engine } = createStepEngine();
  const run = await engine.run({
    blocks: [
      ending("test", "fail"),
      ending("fallback", "succeed", { condition: "${blocks.test.failed}" }),
      ending("use", "succeed", { depends_on: ["fallback"] }),
      ending("allowed", "fail", { allow_failure: true }),
      ending("broken", "fail"),
      ending("after", "succeed", { depends_on: ["broken"] }),
    ],
  });
  const runId = run.state.started.runId;
  const level = await levelOf(openFeeds(engine), runId);
  expect(standings(level)).toEqual({
    test: "handled",
    fallback: "done",
    use: "done",
    allowed: "handled",
    broken: "failed",
    after: "skipped",
  });
  expect(level.edges.map(({ from, to, kind, decided }) => `${from} ${to} ${kind} ${decided}`)).toEqual([
    "test fallback condition failed",
    "fallback use required went",
    "broken after required not_taken",
  ]);
  expect(level.head).toMatchObject({
    standing: "failed",
    failures: [{ address: "broken", message: "it went wrong" }],
    sentence: "`broken` failed: it went wrong. 1 block was skipped for it.",
    actions: {
      cancel: "It has ended.",
      resume: "It has ended.",
      rerun: true,
      undo: "Nothing that it changed is on record.",
    },
  });
});

test("A block in full says why it ran, what it was tried with and what waits for it", async () => {
  const { steps, engine } = createStepEngine();
  const run = await engine.start({
    blocks: [
      step("first"),
      step("second", { depends_on: ["first"], inputs: { value: "x".repeat(3000) }, retry: { attempts: 3, delay: 0 } }),
      step("third", { depends_on: ["second"] }),
    ],
  });
  await run.idle();
  const feeds = openFeeds(engine);
  const detail = async (address: string): Promise<BlockDetail> => {
    const seen = await feeds.pictures.of(run.runId).find(address);
    const latest = await feeds.pictures.of(run.runId).find(address.replace(/@\d+$/, ""));
    if (!seen.ok || !latest.ok) throw new Error("not there");
    return describeDetail(seen.value, latest.value, address);
  };
  expect((await detail("third")).sentence).toBe("Waits for `second`.");
  steps.succeed("first");
  await run.idle();
  steps.fail("second", "the registry answered 503");
  await expect.poll(() => steps.running).toEqual(["second"]);
  const second = await detail("second");
  expect(second.sentence).toMatch(
    /^Running since <.*Z>, attempt 2 of 3\. Attempt 1 failed after \d+ms: the registry answered 503\.$/,
  );
  expect(second.ran_because).toEqual([{ address: "first", decided: "went" }]);
  expect(second.holds_up).toEqual(["third"]);
  expect(second.attempts.map(({ attempt, standing }) => [attempt, standing])).toEqual([
    [1, "failed"],
    [2, "running"],
  ]);
  expect(second.inputs).toEqual([{ name: "value", text: "x".repeat(2000), length: 3000 }]);
  expect(second.source).toEqual({ file: "test.yaml", line: 1 });
  const first = await detail("second@1");
  expect(first.sentence).toMatch(/^Failed after \d+ms, attempt 1 of 3: the registry answered 503\.$/);
  expect(first.card.address).toBe("second@1");
  expect(first.outputs).toContainEqual({ name: "code", text: "1" });
});

test("A failure that something ran instead of is handled as soon as that has succeeded", async () => {
  const { steps, engine } = createStepEngine();
  const run = await engine.start({
    blocks: [
      ending("lint", "fail"),
      step("fix", { condition: "${blocks.lint.failed}" }),
      step("publish", { depends_on: ["fix"] }),
    ],
  });
  await run.idle();
  const feeds = openFeeds(engine);
  expect(standings(await levelOf(feeds, run.runId))).toEqual({ lint: "failed", fix: "running", publish: "to_come" });
  steps.succeed("fix");
  await run.idle();
  const level = await levelOf(feeds, run.runId);
  expect(standings(level)).toEqual({ lint: "handled", fix: "done", publish: "running" });
  expect(level.head).toMatchObject({ failures: [], sentence: "`publish` runs." });
});

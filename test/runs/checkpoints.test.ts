import { expect, test } from "vitest";
import { checkpointId } from "../../src/engine/ids.ts";
import {
  type CheckpointList,
  type CheckpointQuery,
  deleteCheckpoint,
  getCheckpoint,
  listCheckpoints,
} from "../../src/views/checkpoints.ts";
import type { TestEngine } from "../rig/engine.ts";
import { createMachine } from "../rig/machine.ts";
import { createStepEngine, ending, step } from "../rig/step-engine.ts";
import { unwrap } from "../rig/unwrap.ts";

const unheard = { onEvents() {}, onOutput() {} };

function list({ engine }: TestEngine, query: CheckpointQuery = {}): Promise<CheckpointList> {
  return listCheckpoints(engine.platform, engine.workflows.catalog, query);
}

function idsIn({ checkpoints }: CheckpointList): string[] {
  return checkpoints.map(({ checkpoint_id: id }) => id);
}

/** Three waves: `a` and `b`, then `c`, which waits for `a` alone, then `d`. */
const waves = {
  blocks: [step("a"), step("b"), step("c", { depends_on: ["a"] }), step("d", { depends_on: ["b", "c"] })],
};

/** A run whose process died when these steps had ended, and another process of the same machine. */
async function interruptedAfter(...ended: readonly string[]): Promise<{ runId: string; engine: TestEngine }> {
  const machine = createMachine();
  const { engine: dying, steps } = createStepEngine({ machine });
  const run = await dying.start(waves);
  await run.idle();
  for (const path of ended) {
    steps.succeed(path);
    await run.idle();
  }
  dying.process.die();
  return { runId: run.runId, engine: createStepEngine({ machine }).engine };
}

test.each([
  [[], 0],
  [["a"], 0],
  [["a", "c"], 0],
  [["a", "b"], 1],
  [["a", "b", "c"], 2],
] as const)("when %j had ended, an interrupted run has a checkpoint after %i waves", async (ended, wave) => {
  const { runId, engine } = await interruptedAfter(...ended);
  expect(await list(engine)).toEqual({
    checkpoints: [
      {
        checkpoint_id: checkpointId(runId, wave),
        workflow: "test",
        run_id: runId,
        created_at: expect.any(String),
        type: "automatic",
        is_paused: false,
      },
    ],
    total: 1,
  });
  const { platform, workflows } = engine.engine;
  expect(unwrap(await getCheckpoint(platform, workflows.catalog, checkpointId(runId, wave)))).toEqual({
    found: true,
    checkpoint_id: checkpointId(runId, wave),
    workflow_name: "test",
    run_id: runId,
    run_status: "interrupted",
    created_at: expect.any(String),
    is_paused: false,
    completed_blocks: ended.toSorted(),
    current_wave: wave,
    total_waves: 3,
    progress_percentage: ended.length * 25,
  });
  expect(unwrap(await getCheckpoint(platform, workflows.catalog, checkpointId(runId, wave + 1)))).toMatchObject({
    found: false,
  });
});

test("questions are listed with what they ask; runs that go on or have ended have nothing in the list", async () => {
  const { engine } = createStepEngine();
  await engine.run({ blocks: [ending("x", "succeed")] });
  await engine.start({ blocks: [step("x")] });
  const asking = { id: "go", type: "Prompt", inputs: { prompt: "Go?", schema: { type: "boolean" } } };
  const { response, state } = await engine.run({ blocks: [ending("before", "succeed"), asking] });
  const [pending] = response.pending ?? [];
  const id = pending?.checkpoint_id ?? "";
  const common = { run_id: state.started.runId, created_at: expect.any(String), is_paused: true };
  expect(await list(engine)).toEqual({
    checkpoints: [
      {
        ...common,
        checkpoint_id: id,
        workflow: "test",
        type: "pause",
        paused_block_id: "go",
        pause_prompt: pending?.prompt,
        audience: "llm",
      },
    ],
    total: 1,
  });
  const { platform, workflows } = engine.engine;
  expect(unwrap(await getCheckpoint(platform, workflows.catalog, id))).toEqual({
    ...common,
    found: true,
    checkpoint_id: id,
    workflow_name: "test",
    run_status: "paused",
    paused_block_id: "go",
    pause_prompt: pending?.prompt,
    audience: "llm",
    schema: { type: "boolean" },
    completed_blocks: ["before"],
    current_wave: 0,
    total_waves: 1,
    progress_percentage: 50,
  });
});

test.each(["pause_0a1b_0123456789", "chk_0a1b_0", "run_0a1b", ""])("'%s' is found nowhere", async (id) => {
  const { engine } = createStepEngine().engine;
  const { platform, workflows } = engine;
  expect(unwrap(await getCheckpoint(platform, workflows.catalog, id))).toEqual({ found: false, checkpoint_id: id });
  expect(await deleteCheckpoint(engine, id, unheard)).toMatchObject({
    ok: false,
    error: { code: "unknown-checkpoint" },
  });
});

test("a deleted question is hidden while the run has others; with the last one the run is cancelled", async () => {
  const { engine } = createStepEngine();
  const { response, state } = await engine.run({ blocks: [ending("one", "pause"), ending("two", "pause")] });
  const { runId } = state.started;
  const [first = "", second = ""] = (response.pending ?? []).map(({ checkpoint_id: id }) => id);
  expect(await deleteCheckpoint(engine.engine, first, unheard)).toEqual({
    ok: true,
    value: { deleted: true, checkpoint_id: first, message: `${runId} itself stays as it is.` },
  });
  expect(idsIn(await list(engine))).toEqual([second]);
  const { platform, workflows } = engine.engine;
  expect(unwrap(await getCheckpoint(platform, workflows.catalog, first))).toMatchObject({ found: false });
  expect(await deleteCheckpoint(engine.engine, first, unheard)).toEqual({
    ok: true,
    value: { deleted: false, checkpoint_id: first, message: "It was deleted before." },
  });
  expect((await (await platform.journal()).find(runId))?.status).toBe("paused");

  const message = `It was the last question of ${runId}, which is cancelled.`;
  expect(await deleteCheckpoint(engine.engine, second, unheard)).toEqual({
    ok: true,
    value: { deleted: true, checkpoint_id: second, cancelled_run: runId, message },
  });
  expect(await (await platform.journal()).find(runId)).toMatchObject({ status: "failure", cancelled: true });
  expect((await list(engine)).total).toBe(0);
});

test("deleting a question that has been answered is no failure, and changes nothing", async () => {
  const { engine } = createStepEngine();
  const run = await engine.start({ blocks: [ending("one", "pause"), ending("two", "pause")] });
  const { response } = await run.settled;
  const [first = ""] = (response.pending ?? []).map(({ checkpoint_id: id }) => id);
  await run.answer("one", "yes");
  await run.goOn();
  const deleted = await deleteCheckpoint(engine.engine, first, unheard);
  expect(deleted).toMatchObject({ ok: true, value: { deleted: false, message: "It has been answered." } });
});

test("deleting the checkpoint of an interrupted run leaves the run as it is", async () => {
  const { runId, engine } = await interruptedAfter("a", "b");
  const before = await (await engine.engine.platform.journal()).read(runId);
  const deleted = await deleteCheckpoint(engine.engine, checkpointId(runId, 1), unheard);
  expect(deleted).toMatchObject({ ok: true, value: { deleted: true } });
  expect((await list(engine)).total).toBe(0);
  expect(await (await engine.engine.platform.journal()).read(runId)).toEqual(before);
});

test("the pages of a list together are the list", async () => {
  const { engine } = createStepEngine();
  for (const name of ["a", "b", "a"]) {
    await engine.run({ name, blocks: [ending("one", "pause"), ending("two", "pause")] });
  }
  const all = await list(engine);
  const pages: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await list(engine, { limit: 4, ...(after === undefined ? {} : { after }) });
    expect(page.total).toBe(6);
    pages.push(...idsIn(page));
    after = page.next;
    if (after === undefined) break;
  }
  expect(pages).toEqual(idsIn(all));
  expect(pages).toHaveLength(6);
  expect((await list(engine, { workflows: ["b"] })).total).toBe(2);
});

test("looking at checkpoints starts nothing and writes nothing", async () => {
  const { runId, engine } = await interruptedAfter("a");
  const journal = await engine.engine.platform.journal();
  const before = [await journal.find(runId), await journal.read(runId)];
  const { platform, workflows } = engine.engine;
  await list(engine);
  await getCheckpoint(platform, workflows.catalog, checkpointId(runId, 0));
  expect([await journal.find(runId), await journal.read(runId)]).toEqual(before);
});

test("a checkpoint tells who is to answer and what the answers are", async () => {
  const { engine } = createStepEngine();
  const inputs = { prompt: "Which way?", audience: "human", choices: ["left", "right"] };
  const { response } = await engine.run({ blocks: [{ id: "way", type: "Prompt", inputs }] });
  const { platform, workflows } = engine.engine;
  expect(
    unwrap(await getCheckpoint(platform, workflows.catalog, response.pending?.[0]?.checkpoint_id ?? "")),
  ).toMatchObject({
    audience: "human",
    choices: ["left", "right"],
  });
});

test("the page after a question that has been answered since goes on with the older runs", async () => {
  const { engine } = createStepEngine();
  const asking = { blocks: [{ id: "q", type: "Prompt", inputs: { prompt: "Go?" } }] };
  const runs = [await engine.start(asking), await engine.start(asking), await engine.start(asking)];
  await Promise.all(runs.map((run) => run.settled));
  const all = idsIn(await list(engine));
  const { next } = await list(engine, { limit: 2 });
  expect(next).toBe(all[1]);
  const [, second] = (await list(engine)).checkpoints;
  await runs.find(({ runId }) => runId === second?.run_id)?.answer("q", "yes");
  expect(idsIn(await list(engine, { limit: 2, after: next ?? "" }))).toEqual([all[2]]);
});

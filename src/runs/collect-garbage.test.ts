import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { creation, runFinished } from "../../test/journal/sample-events.ts";
import { createMachine } from "../../test/rig/machine.ts";
import { createStepEngine, ending, step } from "../../test/rig/step-engine.ts";
import { unwrap } from "../../test/rig/unwrap.ts";
import { idempotencyKey } from "../engine/ids.ts";
import { collectGarbage, collectWhenDue, sweepLeftovers } from "./collect-garbage.ts";
import type { Platform, Retention } from "./platform.ts";

const start = Date.parse("2030-01-01T00:00:00Z");
const dayMs = 24 * 60 * 60 * 1000;
const everything: Retention = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

function createPlatform(): Platform {
  const clock = { now: () => new Date(start), monotonic: () => 0 };
  return createStepEngine({ clock }).engine.engine.platform;
}

/** A run that ended so many days ago, with a log of so many bytes. */
async function addEnded(platform: Platform, runId: string, daysAgo: number, logBytes = 0): Promise<void> {
  const at = new Date(start - daysAgo * dayMs).toISOString();
  const journal = await platform.journal();
  await journal.create(creation(runId, { at }));
  await journal.append(runId, 1, [runFinished({ at })]);
  await journal.release(runId, 1);
  if (logBytes > 0) addLog(platform, runId, logBytes);
}

function addLog(platform: Platform, runId: string, bytes: number): void {
  const log = platform.logs.open(runId, { block: idempotencyKey(runId, "a"), attempt: 1 });
  log.write("stdout", Buffer.alloc(bytes, "x"));
  log.close();
}

async function idsIn(platform: Platform): Promise<string[]> {
  return (await (await platform.journal()).list({})).map(({ runId }) => runId);
}

test("what ended before the limit goes, with its log; what ended after it stays", async () => {
  const platform = createPlatform();
  await addEnded(platform, "run_old", 31, 5000);
  await addEnded(platform, "run_young", 29, 5000);
  const collected = await collectGarbage(platform, { ...everything, maxAgeMs: 30 * dayMs, isDryRun: false });
  expect(collected).toMatchObject({
    dry_run: false,
    runs: [{ run_id: "run_old", workflow: "deploy", status: "success", reason: "age" }],
    leftover_logs: [],
    problems: [],
  });
  expect(collected.freed_bytes).toBeGreaterThan(5000);
  expect(await idsIn(platform)).toEqual(["run_young"]);
  expect([...(await platform.logs.sizes()).keys()]).toEqual(["run_young"]);
});

test("above the size the oldest go, whenever they were made, until what is left fits", async () => {
  const platform = createPlatform();
  await addEnded(platform, "run_c", 1, 10_000);
  await addEnded(platform, "run_a", 3, 10_000);
  await addEnded(platform, "run_b", 2, 10_000);
  const collected = await collectGarbage(platform, { ...everything, maxBytes: 25_000, isDryRun: false });
  expect(collected.runs.map(({ run_id: id, reason }) => [id, reason])).toEqual([["run_a", "size"]]);
  expect(collected.used_bytes).toBeGreaterThan(30_000);
  expect(await idsIn(platform)).toEqual(["run_b", "run_c"]);
});

test("runs that are paused, sleeping, interrupted or running stay, whatever the limits say", async () => {
  const machine = createMachine();
  const dying = createStepEngine({ machine });
  await dying.engine.start({ blocks: [step("x")] });
  dying.engine.process.die();
  const { engine } = createStepEngine({ machine });
  await engine.start({ blocks: [step("x")] });
  await engine.run({ blocks: [ending("x", "pause")] });
  await engine.run({ blocks: [{ id: "x", type: "Wait", inputs: { duration: "2h" } }] });
  const { state } = await engine.run({ blocks: [ending("x", "succeed")] });
  const { platform } = engine.engine;
  const before = await idsIn(platform);
  for (const runId of before) addLog(platform, runId, 1000);
  const collected = await collectGarbage(platform, { maxAgeMs: -1, maxBytes: 0, isDryRun: false });
  expect(collected.runs.map(({ run_id: id }) => id)).toEqual([state.started.runId]);
  expect(await idsIn(platform)).toEqual(before.filter((id) => id !== state.started.runId));
  expect(await platform.logs.sizes()).toHaveProperty("size", 4);
});

test("a run that has ended but is not given back yet stays", async () => {
  const platform = createPlatform();
  const journal = await platform.journal();
  await journal.create({ ...creation("run_held"), owner: platform.owners.self });
  await journal.append("run_held", 1, [runFinished()]);
  await collectGarbage(platform, { maxAgeMs: -1, maxBytes: 0, isDryRun: false });
  expect(await idsIn(platform)).toEqual(["run_held"]);
});

test("logs whose run is gone are removed, and nothing else in their place", async () => {
  const platform = createPlatform();
  await addEnded(platform, "run_kept", 1, 1000);
  addLog(platform, "run_gone", 1000);
  addLog(platform, "others", 1000);
  const collected = await collectGarbage(platform, { ...everything, isDryRun: false });
  expect(collected).toMatchObject({ runs: [], leftover_logs: ["run_gone"] });
  expect(collected.freed_bytes).toBeGreaterThan(1000);
  expect([...(await platform.logs.sizes()).keys()]).toEqual(["run_kept"]);
  const others = await platform.logs.read("others", { block: idempotencyKey("others", "a"), attempt: 1 });
  expect(others.chunks).toHaveLength(1);
});

async function addKept(platform: Platform, runId: string, content: string, bytes = 10_000): Promise<string> {
  return unwrap(await platform.blobs.put(runId, Buffer.alloc(bytes, content)));
}

test("what a run kept for undo goes with it, unless another run uses it", async () => {
  const platform = createPlatform();
  await addEnded(platform, "run_old", 31);
  await addEnded(platform, "run_young", 29);
  const own = await addKept(platform, "run_old", "own");
  const shared = await addKept(platform, "run_old", "shared");
  await addKept(platform, "run_young", "shared");
  const collected = await collectGarbage(platform, { ...everything, maxAgeMs: 30 * dayMs, isDryRun: false });
  expect(collected).toMatchObject({ runs: [{ run_id: "run_old" }], undo_bytes: 20_000, unused_bytes: 0 });
  expect(collected.freed_bytes).toBeGreaterThanOrEqual(10_000);
  expect(platform.blobs.runs()).toEqual(["run_young"]);
  expect(await platform.blobs.get(own)).toBeUndefined();
  expect(await platform.blobs.get(shared)).toBeDefined();
});

test("what is kept for undo counts as space, once where runs share it, and what can go on keeps its own", async () => {
  const { engine } = createStepEngine({ clock: { now: () => new Date(start), monotonic: () => 0 } });
  const { platform } = engine.engine;
  const { response } = await engine.run({ blocks: [ending("x", "pause")] });
  const paused = response.run_id as string;
  await addKept(platform, paused, "paused");
  for (const [index, runId] of ["run_a", "run_b", "run_c", "run_d"].entries()) {
    await addEnded(platform, runId, 9 - index);
    await addKept(platform, runId, "shared");
    await addKept(platform, runId, `own of ${runId}`);
  }
  const { bytes } = await (await platform.journal()).usage();
  // Room for what they share and for what two of them have of their own, beside the paused one.
  const options = { ...everything, maxBytes: bytes + 40_000 };
  const collected = await collectGarbage(platform, { ...options, isDryRun: false });
  expect(collected.undo_bytes).toBe(60_000);
  expect(collected.runs.map(({ run_id: id }) => id)).toEqual(["run_a", "run_b"]);
  expect(platform.blobs.runs().toSorted()).toEqual(["run_c", "run_d", paused].toSorted());
  expect((await platform.blobs.usage()).bytes).toBe(40_000);
});

test("a run that another one takes back stays until that one has ended", async () => {
  const platform = createPlatform();
  const journal = await platform.journal();
  await addEnded(platform, "run_done", 31);
  await addKept(platform, "run_done", "needed");
  await journal.create(creation("run_undo", { undoOf: { runId: "run_done" } }));
  const collect = (): ReturnType<typeof collectGarbage> =>
    collectGarbage(platform, { maxAgeMs: -1, maxBytes: 0, isDryRun: false });
  expect((await collect()).runs).toEqual([]);
  expect(platform.blobs.runs()).toEqual(["run_done"]);
  await journal.append("run_undo", 1, [runFinished()]);
  await journal.release("run_undo", 1);
  expect((await collect()).runs.map(({ run_id: id }) => id).toSorted()).toEqual(["run_done", "run_undo"]);
  expect(platform.blobs.runs()).toEqual([]);
});

test("what was kept for runs that are gone goes, also where removing it was cut short", async () => {
  const platform = createPlatform();
  await addEnded(platform, "run_kept", 1);
  const kept = await addKept(platform, "run_kept", "kept");
  await addKept(platform, "run_gone", "gone");
  const cutShort = await addKept(platform, "run_cut", "cut short");
  rmSync(join(platform.stateDirectory, "blobs/runs/run_cut"), { recursive: true });
  const planned = await collectGarbage(platform, { ...everything, isDryRun: true });
  expect(planned).toMatchObject({ leftover_blobs: ["run_gone"], unused_bytes: 10_000, freed_bytes: 20_000 });
  expect(await platform.blobs.get(cutShort)).toBeDefined();
  const done = await collectGarbage(platform, { ...everything, isDryRun: false });
  expect(done).toMatchObject({ runs: [], leftover_blobs: ["run_gone"], freed_bytes: 20_000, problems: [] });
  expect(platform.blobs.runs()).toEqual(["run_kept"]);
  expect(await platform.blobs.get(kept)).toBeDefined();
  expect(await platform.blobs.get(cutShort)).toBeUndefined();
});

test("a dry run names what would go, and removes nothing", async () => {
  const platform = createPlatform();
  await addEnded(platform, "run_old", 31, 5000);
  addLog(platform, "run_gone", 1000);
  const options = { ...everything, maxAgeMs: 30 * dayMs };
  const planned = await collectGarbage(platform, { ...options, isDryRun: true });
  expect(await idsIn(platform)).toEqual(["run_old"]);
  expect([...(await platform.logs.sizes()).keys()].toSorted()).toEqual(["run_gone", "run_old"]);
  expect((await (await platform.journal()).usage()).housekeptAt).toBeUndefined();
  const done = await collectGarbage(platform, { ...options, isDryRun: false });
  expect(done).toMatchObject({
    runs: planned.runs,
    leftover_logs: planned.leftover_logs,
    used_bytes: planned.used_bytes,
  });
});

test("it happens by itself once a day, with the limits that are set", async () => {
  const platform = { ...createPlatform(), retention: { ...everything, maxAgeMs: 30 * dayMs } };
  await addEnded(platform, "run_a", 31);
  await collectWhenDue(platform);
  expect(await idsIn(platform)).toEqual([]);
  const { housekeptAt: done } = await (await platform.journal()).usage();
  expect(done).toBeDefined();

  await addEnded(platform, "run_b", 10_000);
  const at = (ms: number): Platform => {
    const clock = { now: () => new Date((done ?? 0) + ms), monotonic: () => 0 };
    return { ...platform, clock };
  };
  await collectWhenDue(at(dayMs - 1000));
  expect(await idsIn(platform)).toEqual(["run_b"]);
  await collectWhenDue(at(dayMs + 1000));
  expect(await idsIn(platform)).toEqual([]);
});

test("a journal that can't be used keeps nobody from what they do", async () => {
  const platform = createPlatform();
  const broken = { ...platform, journal: () => Promise.reject(new Error("broken")) };
  await expect(collectWhenDue(broken)).resolves.toBeUndefined();
});

test("what a machine has of runs that another one removed goes there too", async () => {
  const platform = createPlatform();
  await addEnded(platform, "run_gone", 3, 5000);
  await addEnded(platform, "run_kept", 3, 5000);
  const journal = await platform.journal();
  await journal.delete("run_gone");
  await sweepLeftovers(platform);
  expect([...(await platform.logs.sizes()).keys()]).toEqual(["run_kept"]);
  expect(await idsIn(platform)).toEqual(["run_kept"]);
});

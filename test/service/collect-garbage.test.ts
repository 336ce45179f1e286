import { expect, test } from "vitest";
import { idempotencyKey } from "../../src/run/ids.ts";
import { collectGarbage, collectWhenDue } from "../../src/service/collect-garbage.ts";
import type { Outside, Retention } from "../../src/service/outside.ts";
import { creation, runFinished } from "../journal/sample-events.ts";
import { createMachine } from "../rig/machine.ts";
import { createStepEngine, ending, step } from "../rig/step-engine.ts";

const start = Date.parse("2030-01-01T00:00:00Z");
const dayMs = 24 * 60 * 60 * 1000;
const everything: Retention = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

function createOutside(): Outside {
  const clock = { now: () => new Date(start), monotonic: () => 0 };
  return createStepEngine({ clock }).engine.engine.outside;
}

/** A run that ended so many days ago, with a log of so many bytes. */
async function addEnded(outside: Outside, runId: string, daysAgo: number, logBytes = 0): Promise<void> {
  const at = new Date(start - daysAgo * dayMs).toISOString();
  const journal = await outside.journal();
  await journal.create(creation(runId, { at }));
  await journal.append(runId, 1, [runFinished({ at })]);
  await journal.release(runId, 1);
  if (logBytes > 0) addLog(outside, runId, logBytes);
}

function addLog(outside: Outside, runId: string, bytes: number): void {
  const log = outside.logs.open(runId, { block: idempotencyKey(runId, "a"), attempt: 1 });
  log.write("stdout", Buffer.alloc(bytes, "x"));
  log.close();
}

async function idsIn(outside: Outside): Promise<string[]> {
  return (await (await outside.journal()).list({})).map(({ runId }) => runId);
}

test("what ended before the limit goes, with its log; what ended after it stays", async () => {
  const outside = createOutside();
  await addEnded(outside, "run_old", 31, 5000);
  await addEnded(outside, "run_young", 29, 5000);
  const collected = await collectGarbage(outside, { ...everything, maxAgeMs: 30 * dayMs, isDryRun: false });
  expect(collected).toMatchObject({
    dry_run: false,
    runs: [{ run_id: "run_old", workflow: "deploy", status: "success", reason: "age" }],
    leftover_logs: [],
    problems: [],
  });
  expect(collected.freed_bytes).toBeGreaterThan(5000);
  expect(await idsIn(outside)).toEqual(["run_young"]);
  expect(outside.logs.runs()).toEqual(["run_young"]);
});

test("above the size the oldest go, whenever they were made, until what is left fits", async () => {
  const outside = createOutside();
  await addEnded(outside, "run_c", 1, 10_000);
  await addEnded(outside, "run_a", 3, 10_000);
  await addEnded(outside, "run_b", 2, 10_000);
  const collected = await collectGarbage(outside, { ...everything, maxBytes: 25_000, isDryRun: false });
  expect(collected.runs.map(({ run_id: id, reason }) => [id, reason])).toEqual([["run_a", "size"]]);
  expect(collected.used_bytes).toBeGreaterThan(30_000);
  expect(await idsIn(outside)).toEqual(["run_b", "run_c"]);
});

test("runs that are paused, interrupted or running stay, whatever the limits say", async () => {
  const machine = createMachine();
  const dying = createStepEngine({ machine });
  await dying.engine.start({ blocks: [step("x")] });
  dying.engine.process.die();
  const { engine } = createStepEngine({ machine });
  await engine.start({ blocks: [step("x")] });
  await engine.run({ blocks: [ending("x", "pause")] });
  const { state } = await engine.run({ blocks: [ending("x", "succeed")] });
  const { outside } = engine.engine;
  const before = await idsIn(outside);
  for (const runId of before) addLog(outside, runId, 1000);
  const collected = await collectGarbage(outside, { maxAgeMs: -1, maxBytes: 0, isDryRun: false });
  expect(collected.runs.map(({ run_id: id }) => id)).toEqual([state.started.runId]);
  expect(await idsIn(outside)).toEqual(before.filter((id) => id !== state.started.runId));
  expect(outside.logs.runs()).toHaveLength(3);
});

test("a run that has ended but is not given back yet stays", async () => {
  const outside = createOutside();
  const journal = await outside.journal();
  await journal.create({ ...creation("run_held"), owner: outside.owners.self });
  await journal.append("run_held", 1, [runFinished()]);
  await collectGarbage(outside, { maxAgeMs: -1, maxBytes: 0, isDryRun: false });
  expect(await idsIn(outside)).toEqual(["run_held"]);
});

test("logs whose run is gone are removed, and nothing else in their place", async () => {
  const outside = createOutside();
  await addEnded(outside, "run_kept", 1, 1000);
  addLog(outside, "run_gone", 1000);
  addLog(outside, "others", 1000);
  const collected = await collectGarbage(outside, { ...everything, isDryRun: false });
  expect(collected).toMatchObject({ runs: [], leftover_logs: ["run_gone"] });
  expect(collected.freed_bytes).toBeGreaterThan(1000);
  expect(outside.logs.runs()).toEqual(["run_kept"]);
  expect(outside.logs.size("others")).toBeGreaterThan(1000);
});

test("a dry run names what would go, and removes nothing", async () => {
  const outside = createOutside();
  await addEnded(outside, "run_old", 31, 5000);
  addLog(outside, "run_gone", 1000);
  const options = { ...everything, maxAgeMs: 30 * dayMs };
  const planned = await collectGarbage(outside, { ...options, isDryRun: true });
  expect(await idsIn(outside)).toEqual(["run_old"]);
  expect(outside.logs.runs().toSorted()).toEqual(["run_gone", "run_old"]);
  expect(await (await outside.journal()).compactedAt()).toBeUndefined();
  const done = await collectGarbage(outside, { ...options, isDryRun: false });
  expect(done).toMatchObject({
    runs: planned.runs,
    leftover_logs: planned.leftover_logs,
    used_bytes: planned.used_bytes,
  });
});

test("it happens by itself once a day, with the limits that are set", async () => {
  const outside = { ...createOutside(), retention: { ...everything, maxAgeMs: 30 * dayMs } };
  await addEnded(outside, "run_a", 31);
  await collectWhenDue(outside);
  expect(await idsIn(outside)).toEqual([]);
  const done = await (await outside.journal()).compactedAt();
  expect(done).toBeDefined();

  await addEnded(outside, "run_b", 10_000);
  const at = (ms: number): Outside => {
    const clock = { now: () => new Date((done ?? 0) + ms), monotonic: () => 0 };
    return { ...outside, ports: { ...outside.ports, clock } };
  };
  await collectWhenDue(at(dayMs - 1000));
  expect(await idsIn(outside)).toEqual(["run_b"]);
  await collectWhenDue(at(dayMs + 1000));
  expect(await idsIn(outside)).toEqual([]);
});

test("a journal that can't be used keeps nobody from what they do", async () => {
  const outside = createOutside();
  const broken = { ...outside, journal: () => Promise.reject(new Error("broken")) };
  await expect(collectWhenDue(broken)).resolves.toBeUndefined();
});

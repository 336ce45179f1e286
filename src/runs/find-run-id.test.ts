import { expect, test } from "vitest";
import { creation } from "../../test/journal/sample-events.ts";
import { createTestEngine } from "../../test/rig/engine.ts";
import { problem } from "../diagnostic/problem.ts";
import { err } from "../util/result.ts";
import { findRunId } from "./find-run-id.ts";
import type { Platform } from "./platform.ts";

async function outsideWith(...runIds: readonly string[]): Promise<Platform> {
  const { platform } = createTestEngine().engine;
  for (const runId of runIds) await (await platform.journal()).create(creation(runId));
  return platform;
}

test.each([
  ["run_0a1b2c3d4e5f6g7h", "run_0a1b2c3d4e5f6g7h"],
  ["run_0a1", "run_0a1b2c3d4e5f6g7h"],
  ["0a1", "run_0a1b2c3d4e5f6g7h"],
  ["pause_0a1b2c3d4e5f6g7h_0123456789", "run_0a1b2c3d4e5f6g7h"],
  ["chk_0a1b2c3d4e5f6g7h_0", "run_0a1b2c3d4e5f6g7h"],
])("'%s' is the run %s", async (text, runId) => {
  const platform = await outsideWith("run_0a1b2c3d4e5f6g7h", "run_0a2b2c3d4e5f6g7h");
  expect(await findRunId(platform, text)).toEqual({ ok: true, value: runId });
});

test("`last` is the newest run of the directory, not of another one", async () => {
  const { engine, workspace } = createTestEngine();
  const journal = await engine.platform.journal();
  for (const id of ["run_0a1", "run_0a2"]) await journal.create(creation(id, { workspace }));
  await journal.create(creation("run_0a3", { workspace: "/elsewhere" }));
  expect(await findRunId(engine.platform, "last", workspace)).toEqual({ ok: true, value: "run_0a2" });
  expect(await findRunId(engine.platform, "last", "/")).toMatchObject({ error: { code: "unknown-run" } });
});

test("`last` is not a run that only takes another back, nor one that does that again", async () => {
  const { engine, workspace } = createTestEngine();
  const journal = await engine.platform.journal();
  await journal.create(creation("run_0a1", { workspace }));
  await journal.create(creation("run_0a2", { workspace, undoOf: { runId: "run_0a1" } }));
  await journal.create(creation("run_0a3", { workspace, undoOf: { runId: "run_0a2" } }));
  expect(await findRunId(engine.platform, "last", workspace)).toEqual({ ok: true, value: "run_0a1" });
});

test("an id that is also the beginning of another is the run it names", async () => {
  expect(await findRunId(await outsideWith("run_0a1", "run_0a1b"), "run_0a1")).toMatchObject({ value: "run_0a1" });
});

test("a beginning that several ids share is refused with those it can mean, the newest first", async () => {
  const ids = Array.from({ length: 7 }, (_, index) => `run_0a${index}b2c3d4e5f6g7h`);
  const refused = await findRunId(await outsideWith(...ids), "0a");
  expect(refused).toMatchObject({ ok: false, error: { code: "ambiguous-run", message: "'0a' can mean 7 runs." } });
  const runIds = ids.toReversed().slice(0, 5);
  expect(refused).toMatchObject({ error: { advice: { kind: "choose-run", runIds, count: 7 } } });
});

test.each([
  ["run_0a1b2c3d4e5f6g7g", { nearest: "run_0a1b2c3d4e5f6g7h" }],
  ["deploy", {}],
  ["", {}],
])("'%s' is no run, and the nearest is named: %j", async (text, nearest) => {
  const refused = await findRunId(await outsideWith("run_0a1b2c3d4e5f6g7h"), text);
  const advice = { kind: "list-runs", ...nearest } as const;
  expect(refused).toEqual(err(problem("unknown-run", `There is no run '${text}'.`, advice)));
});

test.each([
  ["last", "list-runs"],
  ["run_0a1", "start-run"],
])("before the first run, '%s' is advised: %s", async (text, kind) => {
  const refused = await findRunId(await outsideWith(), text);
  expect(refused).toMatchObject({ error: { code: "unknown-run", advice: { kind } } });
});

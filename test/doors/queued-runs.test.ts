import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cancelRun } from "../../src/mcp/tools/cancel-run.ts";
import { executeWorkflow } from "../../src/mcp/tools/execute-workflow.ts";
import { listRuns } from "../../src/mcp/tools/list-runs.ts";
import { rerunWorkflow } from "../../src/mcp/tools/rerun-workflow.ts";
import { resumeWorkflow } from "../../src/mcp/tools/resume-workflow.ts";
import { undoRun } from "../../src/mcp/tools/undo-run.ts";
import { textOf } from "../rig/engine.ts";
import { createFakeWorker, FakeDispatch, type FakeWorker } from "../rig/fake-dispatch.ts";
import { createMachine } from "../rig/machine.ts";
import { createTestServer, type TestServer } from "../rig/server-context.ts";
import { createStepEngine, ending, giving } from "../rig/step-engine.ts";

const workflows = {
  give: { blocks: [giving("a", 7)], outputs: { value: "${blocks.a.outputs.value}" } },
  ask: { blocks: [ending("ask", "pause"), ending("after", "succeed", { depends_on: ["ask"] })] },
  write: { blocks: [{ id: "file", type: "CreateFile", inputs: { path: "made.txt", content: "x" } }] },
};

/** A server that leaves its runs to workers, and one of those on another machine as well. */
function createSite(): { server: TestServer; worker: FakeWorker; elsewhere: FakeWorker; dispatch: FakeDispatch } {
  const machine = createMachine();
  const dispatch = new FakeDispatch();
  const common = { machine, dispatch, workflows };
  const server = createTestServer(createStepEngine(common).engine, { queuesRuns: true });
  return {
    server,
    dispatch,
    worker: createFakeWorker(common),
    elsewhere: createFakeWorker({ ...common, host: "there" }),
  };
}

test("a server that has workers drives nothing, and its clients wait for runs as ever", async () => {
  const { server, worker } = createSite();
  const { ask, call } = server;
  const queued = await call(executeWorkflow, { workflow: "give", wait_seconds: 0 });
  expect(queued).toMatchObject({
    status: "queued",
    message: expect.stringContaining("It waits for a worker on here."),
  });
  expect(server.context.host.driven).toEqual([]);
  expect(await call(listRuns, { status: "queued" })).toMatchObject({
    runs: [{ run_id: queued.run_id, status: "queued" }],
  });
  const { data: page } = await ask("GET", `/runs/${queued.run_id}`);
  expect(page.head).toMatchObject({ standing: "to_come", sentence: "It waits for a worker on here." });
  worker.serve();
  expect(await call(executeWorkflow, { workflow: "give" })).toMatchObject({ status: "success", outputs: { value: 7 } });
  const paused = await call(executeWorkflow, { workflow: "ask" });
  expect(paused.status).toBe("paused");
  expect(await call(resumeWorkflow, { checkpoint_id: paused.run_id, response: "yes" })).toMatchObject({
    status: "success",
  });
  const text = textOf(workflows.give, "give");
  const again = await call(rerunWorkflow, { run_id: queued.run_id, workflow_yaml: text, all: true });
  expect(again).toMatchObject({ status: "success", outputs: { value: 7 } });
  expect(server.context.host.driven).toEqual([]);
});

test("a run that waits for a worker is cancelled at once", async () => {
  const { server, worker } = createSite();
  const { run_id } = await server.call(executeWorkflow, { workflow: "give", wait_seconds: 0 });
  expect(await server.call(cancelRun, { run_id })).toMatchObject({ status: "failure", cancelled: true });
  expect(await worker.work()).toBeUndefined();
  expect(worker.steps.begun).toEqual([]);
});

test("what a run changed on another machine is taken back there, wherever that is asked for", async () => {
  const { server, worker, elsewhere } = createSite();
  worker.serve();
  const { run_id } = await server.call(executeWorkflow, { workflow: "write" });
  const there = createTestServer(elsewhere.engine, { queuesRuns: true });
  const undone = await there.call(undoRun, { run_id });
  expect(undone).toMatchObject({ status: "success", undo: { of: run_id } });
  expect(existsSync(join(worker.engine.workspace, "made.txt"))).toBe(false);
  expect(await server.call(undoRun, { run_id: String(undone.run_id) })).toMatchObject({ status: "success" });
  expect(existsSync(join(worker.engine.workspace, "made.txt"))).toBe(true);
  expect([...server.context.host.driven, ...there.context.host.driven]).toEqual([]);
});

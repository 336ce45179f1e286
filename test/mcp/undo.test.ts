import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { type Connected, connect } from "../rig/mcp.ts";
import { waitFor } from "../rig/wait-for.ts";

const making = workflow("making", [
  { id: "one", type: "CreateFile", inputs: { path: "notes", content: "new\n", overwrite: true } },
  { id: "two", type: "CreateFile", inputs: { path: "made/list", content: "a\n" }, depends_on: ["one"] },
  shell("three", "true", { depends_on: ["two"] }),
]);

interface Made {
  readonly frond: Frond;
  readonly server: Connected;
  readonly runId: string;
}

async function make(): Promise<Made> {
  const frond = createFrond({ notes: "old\n" });
  const server = await connect(frond);
  const { data } = await server.call("execute_inline_workflow", { workflow_yaml: making });
  return { frond, server, runId: data.run_id };
}

test("undo_run takes back what a run did, says what it could not, and names the redo", async () => {
  const { frond, server, runId } = await make();
  const { data } = await server.call("undo_run", { run_id: runId });
  expect(data).toMatchObject({ status: "success", workflow: "undo-making", undo: { of: runId, restored: 3 } });
  expect(data.message).toBe(
    `Can't be undone: three. To take that back again: undo_run(${JSON.stringify({ run_id: data.run_id })}).`,
  );
  expect(frond.read("notes")).toBe("old\n");
  expect(existsSync(join(frond.directory, "made"))).toBe(false);
  const { data: again } = await server.call("undo_run", { run_id: runId });
  expect(again.message).toContain("Nothing to undo: everything that it changed is as before already.");
  expect(again.message).toContain(data.run_id);
  expect((await server.call("list_runs", { limit: 1 })).data.runs).toMatchObject([{ undo_of: runId }]);
});

test("undo_run with plan changes nothing, and its text does the same when it is sent", async () => {
  const { frond, server, runId } = await make();
  const { data } = await server.call("undo_run", { run_id: runId, plan: true });
  expect(data).toMatchObject({
    status: "plan",
    files: [
      { path: "made", kind: "directory", undo: "removed", by: ["two"] },
      { path: "made/list", undo: "removed", by: ["two"] },
      { path: "notes", undo: "restored", by: ["one"] },
    ],
    irreversible: [{ block: "three" }],
  });
  expect(frond.read("notes")).toBe("new\n");
  const { data: sent } = await server.call("execute_inline_workflow", { workflow_yaml: data.workflow_yaml });
  expect(sent.status).toBe("success");
  expect(frond.read("notes")).toBe("old\n");
});

test("with on_conflict ask what was changed since is a question like any other", async () => {
  const { frond, server, runId } = await make();
  frond.write("notes", "mine\n");
  const { data } = await server.call("undo_run", { run_id: runId, on_conflict: "ask" });
  expect(data).toMatchObject({ status: "paused", choices: ["keep", "force"] });
  const { data: answered } = await server.call("resume_workflow", {
    checkpoint_id: data.checkpoint_id,
    response: "force",
  });
  expect(answered).toMatchObject({ status: "success", undo: { of: runId } });
  expect(frond.read("notes")).toBe("old\n");
});

test("a part of a run is undone by only and to; a run that goes on and a block that is not there are refused", async () => {
  const { frond, server, runId } = await make();
  const { data } = await server.call("undo_run", { run_id: runId, to: "one" });
  expect(data.status).toBe("success");
  expect([frond.read("notes"), existsSync(join(frond.directory, "made"))]).toEqual(["new\n", false]);
  expect((await server.call("undo_run", { run_id: runId, only: "on" })).data.errors).toMatchObject([
    { code: "unknown-block", fix: "Did you mean 'one'?" },
  ]);
  const going = workflow("going", [shell("a", "sleep 300")]);
  const { data: running } = await server.call("execute_inline_workflow", { workflow_yaml: going, wait_seconds: 0 });
  const { data: refused } = await server.call("undo_run", { run_id: running.run_id });
  expect(refused).toMatchObject({ status: "failure", errors: [{ code: "still-running" }] });
  expect(refused.errors[0].fix).toContain("cancel_run");
  await server.call("cancel_run", { run_id: running.run_id });
});

test.each([{ only: "one" }, { to: "one" }, {}])(
  "the call that replaces what stayed is about the same part: %j",
  async (part) => {
    const { frond, server, runId } = await make();
    frond.write("notes", "mine\n");
    frond.write("made/list", "mine\n");
    const { data } = await server.call("undo_run", { run_id: runId, ...part });
    const force = { run_id: runId, ...part, on_conflict: "force" };
    expect(data.message).toContain(`To replace it: undo_run(${JSON.stringify(force)}).`);
  },
);

test("force is not advised for a directory that holds somebody's files", async () => {
  const { frond, server, runId } = await make();
  frond.write("made/mine", "");
  const { data } = await server.call("undo_run", { run_id: runId });
  expect(data).toMatchObject({ status: "failure", undo: { conflicts: [{ path: "made" }] } });
  expect(data.message).toContain("Undo does not replace what stayed");
  expect(data.message).not.toContain("force");
});

test("a run that was rolled back says so in its reply", async () => {
  const frond = createFrond({ notes: "old\n" });
  const { call } = await connect(frond);
  const failing = workflow(
    "failing",
    [
      { id: "one", type: "CreateFile", inputs: { path: "notes", content: "new\n", overwrite: true } },
      shell("two", "exit 1", { depends_on: ["one"], effects: "none" }),
    ],
    { on_failure: "rollback" },
  );
  const { data } = await call("execute_inline_workflow", { workflow_yaml: failing });
  expect(data).toMatchObject({ status: "failure", rollback: { state: "complete" } });
  expect(data.message).not.toContain("undo_run");
  expect(frond.read("notes")).toBe("old\n");
});

test("a model that cancels an undo is told how to do the rest of it", async () => {
  const undo = { type: "Shell", inputs: { command: "touch begun; until [ -e go ]; do sleep 0.02; done" } };
  const one = { id: "one", type: "CreateFile", inputs: { path: "made", content: "" } };
  const blocks = [one, shell("send", "true", { undo, depends_on: ["one"] })];
  const frond = createFrond();
  const server = await connect(frond);
  const { data: ran } = await server.call("execute_inline_workflow", { workflow_yaml: workflow("send", blocks) });
  const undoing = server.call("undo_run", { run_id: ran.run_id });
  await waitFor("the undo to come so far", () => existsSync(join(frond.directory, "begun")));
  const { data: listed } = await server.call("list_runs", { limit: 1 });
  await server.call("cancel_run", { run_id: listed.runs[0].run_id });
  const { data } = await undoing;
  expect(data).toMatchObject({
    cancelled: true,
    undo: { of: ran.run_id, restored: 0, not_restored: 1, not_run: ["send"] },
  });
  const again = `undo_run(${JSON.stringify({ run_id: ran.run_id })})`;
  expect(data.message).toBe(`It was cancelled. To take back the rest: ${again}.`);
  frond.write("go", "");
  const { data: done } = await server.call("undo_run", { run_id: ran.run_id });
  expect(done).toMatchObject({ status: "success", undo: { restored: 1, ran: ["send"] } });
});

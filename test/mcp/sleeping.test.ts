import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { openHttpDoor } from "../rig/http-door.ts";
import { type LiteralCall, literalCalls } from "../rig/literal-calls.ts";
import { loseRun } from "../rig/lose-run.ts";
import { type Connected, connect, newEra } from "../rig/mcp.ts";
import { leaveAsleep, makeOverdue, nap } from "../rig/sleeping-run.ts";
import { waitFor } from "../rig/wait-for.ts";

/** The arguments of the call that a message names. */
function argumentsOf(message: string, tool: string): LiteralCall["args"] {
  return literalCalls(message).find((call) => call.tool === tool)?.args ?? {};
}

async function statusOf({ call }: Pick<Connected, "call">, runId: string): Promise<string> {
  return (await call("get_run", { run_id: runId })).data.status;
}

for (const era of newEra) {
  test(`${era}: a run that sleeps says until when, and the literal calls for then`, async () => {
    const { call } = await connect(createFrond(), { era });
    const { isError, data } = await call("execute_inline_workflow", { workflow_yaml: nap });
    const { run_id } = data;
    expect(isError).toBe(false);
    expect(data).toEqual({
      status: "sleeping",
      run_id,
      workflow: "nap",
      wake_at: expect.stringMatching(/^\d{4}-.*Z$/),
      message: expect.stringContaining(`It sleeps until ${data.wake_at}. `),
    });
    expect((await call("get_run", { ...argumentsOf(data.message, "get_run"), wait_seconds: 0 })).data).toEqual(data);
    expect((await call("resume_workflow", argumentsOf(data.message, "resume_workflow"))).data).toMatchObject({
      status: "sleeping",
      wake_at: data.wake_at,
    });
    expect((await call("get_run", { run_id, path: "rest" })).data).toMatchObject({
      status: "sleeping",
      metadata: { status: "running", wake_at: data.wake_at },
    });
    expect((await call("cancel_run", { run_id })).data).toMatchObject({ status: "failure", cancelled: true });
  });
}

test("sleeping runs are listed by their status, and among the checkpoints, with the time when they go on", async () => {
  const { call } = await connect(createFrond());
  const { data } = await call("execute_inline_workflow", { workflow_yaml: nap });
  const { run_id, wake_at } = data;
  expect((await call("list_runs", { status: "sleeping" })).data.runs).toEqual([
    { run_id, workflow: "nap", status: "sleeping", started_at: expect.any(String), wake_at },
  ]);
  expect((await call("list_runs", { status: "running" })).data.runs).toEqual([]);
  const { data: listed } = await call("list_checkpoints");
  const [{ checkpoint_id }] = listed.checkpoints;
  expect(listed.checkpoints).toMatchObject([{ run_id, type: "automatic", is_paused: false, wake_at }]);
  expect((await call("get_checkpoint_info", { checkpoint_id })).data).toMatchObject({ found: true, wake_at });
  expect((await call("resume_workflow", { checkpoint_id })).data).toMatchObject({ status: "sleeping", wake_at });
});

test("a run that nobody woke in time says so, and goes on by the call that it names", async () => {
  const frond = createFrond();
  const runId = await leaveAsleep(frond);
  makeOverdue(frond, runId);
  const { call } = await connect(frond);
  const { data } = await call("get_run", { run_id: runId });
  expect(data).toMatchObject({ status: "sleeping", message: expect.stringContaining("no process woke it") });
  expect((await call("resume_workflow", argumentsOf(data.message, "resume_workflow"))).data).toMatchObject({
    status: "success",
    outputs: { said: "after" },
  });
});

test("a server that lives on wakes its runs itself", async () => {
  const frond = createFrond();
  const server = await connect(frond);
  const { data } = await server.call("execute_inline_workflow", { workflow_yaml: nap });
  makeOverdue(frond, data.run_id);
  await waitFor("the run to be woken", async () => (await statusOf(server, data.run_id)) === "success");
});

test("a server over HTTP goes on with what others left only when it is told to recover", async () => {
  const frond = createFrond();
  const runId = await leaveAsleep(frond);
  makeOverdue(frond, runId);
  const plain = await openHttpDoor(frond);
  expect(await statusOf(await plain.connect(), runId)).toBe("sleeping");
  plain.running.child.kill("SIGTERM");
  await plain.running.ended;
  const recovering = await (await openHttpDoor(frond, ["--recover"])).connect();
  await waitFor("the run to be woken", async () => (await statusOf(recovering, runId)) === "success");
});

test("a server that recovers goes on with a run whose process is gone", async () => {
  const lost = `
name: lost
description: Loses its process
blocks:
  - { id: a, type: Shell, on_interrupted: rerun, inputs: { command: "echo begun; until [ -e go ]; do sleep 0.05; done" } }
`;
  const frond = createFrond({ "lost.yaml": lost });
  const runId = await loseRun(frond, "lost.yaml", 1);
  frond.write("go", "");
  const server = await (await openHttpDoor(frond, ["--recover"])).connect();
  await waitFor("the run to end", async () => (await statusOf(server, runId)) === "success");
});

test("--recover is refused for a server that goes with its client", async () => {
  const { code, stderr } = await createFrond().run(["serve", "--recover"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Add --http; or run `frond recover`");
});

import { expect, test } from "vitest";
import { createFrond, workflow } from "../rig/frond.ts";
import { initialize, type Message, type RawServer, startRaw } from "../rig/raw-mcp.ts";

/** Loops whose elements are all skipped: nothing but planning, scheduling and recording. */
function skippedLoops(loops: number, elements: number): object[] {
  return Array.from({ length: loops }, (_, index) => ({
    id: `b${index}`,
    type: "Shell",
    for_each: `\${range(${elements})}`,
    condition: "${each.index} < 0",
    inputs: { command: "true" },
  }));
}

function call(server: RawServer, id: string, name: string, args: object): void {
  server.request(id, "tools/call", { name, arguments: args });
}

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
function replyOf(message: Message): any {
  return JSON.parse(message.result.content[0].text);
}

/** Pings one after the other until the request is answered; how many were answered before that. */
async function pingsUntil(server: RawServer, id: string): Promise<number> {
  const answer = server.answer(id).then(() => true);
  for (let count = 0; ; count++) {
    server.request(`ping-${id}-${count}`, "ping");
    const isDone = await Promise.race([answer, server.answer(`ping-${id}-${count}`).then(() => false)]);
    if (isDone) return count;
  }
}

test("pings are answered while a run of 8,000 nodes is planned, recorded, read back and shown", async () => {
  const server = startRaw(createFrond());
  await initialize(server);
  const yaml = workflow("wide", skippedLoops(4, 2_000));
  call(server, "run", "execute_inline_workflow", { workflow_yaml: yaml, wait_seconds: 300 });
  // Before, the whole of it held the event loop three or four times.
  expect(await pingsUntil(server, "run")).toBeGreaterThan(5);
  const { run_id: runId, status } = replyOf(await server.answer("run"));
  expect(status).toBe("success");
  call(server, "look", "get_run", { run_id: runId, include: ["blocks"] });
  expect(await pingsUntil(server, "look")).toBeGreaterThan(1);
  expect(replyOf(await server.answer("look")).status).toBe("success");
});

test("a run is cancelled in the middle of a loop, not after it", async () => {
  const server = startRaw(createFrond());
  await initialize(server);
  const yaml = workflow("wide", skippedLoops(9, 9_000));
  call(server, "run", "execute_inline_workflow", { workflow_yaml: yaml, wait_seconds: 0 });
  const { run_id: runId } = replyOf(await server.answer("run"));
  call(server, "cancel", "cancel_run", { run_id: runId });
  await server.answer("cancel");
  call(server, "end", "get_run", { run_id: runId, wait_seconds: 300 });
  expect(replyOf(await server.answer("end"))).toMatchObject({ status: "failure", cancelled: true });
});

test("a server that is asked to end does so in the middle of a large run", async () => {
  const server = startRaw(createFrond());
  await initialize(server);
  const yaml = workflow("wide", skippedLoops(9, 9_000));
  call(server, "run", "execute_inline_workflow", { workflow_yaml: yaml, wait_seconds: 0 });
  const { run_id: runId } = replyOf(await server.answer("run"));
  server.child.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  expect(server.log()).not.toContain("can't be released");
  expect(runId).toMatch(/^run_/);
});

test("the command line is cancelled in the middle of a large run", async () => {
  const frond = createFrond({ "wide.yaml": workflow("wide", skippedLoops(9, 9_000)) });
  const running = frond.start(["run", "wide.yaml"]);
  await running.until("b0");
  running.child.kill("SIGTERM");
  const { code } = await running.ended;
  expect(code).toBe(130);
});

test("more than a string can hold in the outputs of a loop ends as a failure, not as an exception", async () => {
  const frond = createFrond({ "text.txt": "x".repeat(1_000_000) });
  const server = startRaw(frond, [], { FROND_MAX_RECORDED_MB: "20" });
  await initialize(server);
  const read = { id: "read", type: "ReadFile", for_each: "${range(600)}", inputs: { path: "text.txt" } };
  call(server, "run", "execute_inline_workflow", { workflow_yaml: workflow("large", [read]), wait_seconds: 300 });
  const reply = replyOf(await server.answer("run"));
  expect(reply.status).toBe("failure");
  expect(JSON.stringify(reply)).toContain("raise FROND_MAX_RECORDED_MB");
  expect(server.log()).not.toContain("RangeError");
});

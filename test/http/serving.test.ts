import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { type HttpDoor, modernRequest, openHttpDoor } from "../rig/http-door.ts";
import { isAlive } from "../rig/is-alive.ts";
import { eras } from "../rig/mcp.ts";
import { waitFor } from "../rig/wait-for.ts";

const prompt = (id: string, more: object = {}): object => ({
  id,
  type: "Prompt",
  inputs: { prompt: `${id}?`, choices: ["left", "right"], ...more },
});
const asking = workflow("asking", [prompt("way")], { outputs: { way: "${blocks.way.outputs.response}" } });
const approving = workflow("approving", [prompt("way", { audience: "human" })], {
  outputs: { way: "${blocks.way.outputs.response}" },
});
const askingTwice = workflow(
  "asking-twice",
  ["first", "second"].map((id) => prompt(id, { audience: "human" })),
  { outputs: { ways: "${blocks.first.outputs.response} ${blocks.second.outputs.response}" } },
);
/** Says that it has begun, and lasts until it is stopped. */
const lasting = workflow("lasting", [shell("last", "echo $$ > begun; exec sleep 600")]);

const inline = (text: string, more: object = {}): { name: string; arguments: object } => ({
  name: "execute_inline_workflow",
  arguments: { workflow_yaml: text, ...more },
});
const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const forms = { elicitation: { form: {} } };

async function statusOf(door: HttpDoor, runId: string): Promise<string> {
  const { result } = await door.ask("tools/call", { name: "get_run", arguments: { run_id: runId } });
  return result.structuredContent.status;
}

async function onlyRun(door: HttpDoor): Promise<string> {
  const { result } = await door.ask("tools/call", { name: "list_runs", arguments: {} });
  return result.structuredContent.runs[0].run_id;
}

for (const era of eras) {
  test(`${era}: a workflow of the library is run over HTTP`, async () => {
    const door = await openHttpDoor(createFrond());
    const { client, call } = await door.connect({ era });
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    expect(await call("execute_workflow", { workflow: "hello-world", inputs: { name: "Ada" } })).toMatchObject({
      isError: false,
      data: { status: "success", outputs: { greeting: "Hello, Ada!" } },
    });
  });

  test(`${era}: a paused run goes on after the server was started anew`, async () => {
    const frond = createFrond();
    const first = await openHttpDoor(frond);
    const { data: paused } = await (await first.connect({ era })).call("execute_inline_workflow", {
      workflow_yaml: asking,
    });
    expect(paused).toMatchObject({ status: "paused", prompt: "way?" });
    first.running.child.kill("SIGTERM");
    expect((await first.running.ended).code).toBe(0);
    const { call } = await (await openHttpDoor(frond)).connect({ era });
    const { data } = await call("resume_workflow", { checkpoint_id: paused.checkpoint_id, response: "left" });
    expect(data).toMatchObject({ status: "success", run_id: paused.run_id, outputs: { way: "left" } });
  });

  test(`${era}: a question to a person is put to the person at the client, and the run goes on in the same call`, async () => {
    const door = await openHttpDoor(createFrond());
    const asked: string[] = [];
    const { call } = await door.connect({
      era,
      answer({ message }) {
        asked.push(message);
        return { action: "accept", content: { answer: "right" } };
      },
    });
    const { data } = await call("execute_inline_workflow", { workflow_yaml: approving });
    expect(asked).toEqual([expect.stringMatching(/^The workflow approving in .* asks:\n\nway\?$/)]);
    expect(data).toMatchObject({ status: "success", outputs: { way: "right" } });
  });

  test(`${era}: a client that asks for it hears how far the run has come`, async () => {
    const door = await openHttpDoor(createFrond());
    const { client } = await door.connect({ era });
    const heard: (string | undefined)[] = [];
    const frame = { onprogress: ({ message }: { message?: string | undefined }) => heard.push(message) };
    const slow = workflow("slow", [shell("one", "sleep 0.6"), shell("two", "sleep 0.6", { depends_on: ["one"] })]);
    await client.callTool({ name: "execute_inline_workflow", arguments: { workflow_yaml: slow } }, frame);
    expect(heard).toContain("two started");
  });

  test(`${era}: a client that hangs up while it waits leaves its run going`, async () => {
    const frond = createFrond();
    const door = await openHttpDoor(frond);
    const { client } = await door.connect({ era });
    const call = client.callTool({ name: "execute_inline_workflow", arguments: { workflow_yaml: lasting } });
    call.catch(() => {});
    await waitFor("the run to begin", () => existsSync(join(frond.directory, "begun")));
    await client.close();
    const runId = await onlyRun(door);
    expect(await statusOf(door, runId)).toBe("running");
    // Two more round trips: what the end of the connection would have done, is done.
    await door.ask("tools/list");
    expect(await statusOf(door, runId)).toBe("running");
  });
}

test("2025-11-25: a client that cancels its call ends the run", async () => {
  const frond = createFrond();
  const door = await openHttpDoor(frond);
  const { client } = await door.connect({ era: "2025-11-25" });
  const cancelled = new AbortController();
  const call = client.callTool(
    { name: "execute_inline_workflow", arguments: { workflow_yaml: lasting } },
    { signal: cancelled.signal },
  );
  call.catch(() => {});
  await waitFor("the run to begin", () => existsSync(join(frond.directory, "begun")));
  cancelled.abort("no longer wanted");
  const runId = await onlyRun(door);
  await waitFor("the run to end", async () => (await statusOf(door, runId)) === "failure");
});

test("2025-11-25: a session that is ended is gone, and what runs for it goes on", async () => {
  const frond = createFrond();
  const door = await openHttpDoor(frond);
  const { client, transport } = await door.connect({ era: "2025-11-25" });
  const { sessionId = "" } = transport;
  client.callTool({ name: "execute_inline_workflow", arguments: { workflow_yaml: lasting } }).catch(() => {});
  await waitFor("the run to begin", () => existsSync(join(frond.directory, "begun")));
  await transport.terminateSession();
  const gone = await door.send({ headers: { accept: "text/event-stream", "mcp-session-id": sessionId } });
  expect(gone.status).toBe(404);
  expect(await statusOf(door, await onlyRun(door))).toBe("running");
});

test("2025-11-25: the hundred and first session takes the place of the one that was idle longest", async () => {
  const door = await openHttpDoor(createFrond());
  const open = async (): Promise<string> => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const response = await door.send({
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    });
    await response.text();
    return response.headers.get("mcp-session-id") ?? "";
  };
  const ping = async (id: string): Promise<number> => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });
    const response = await door.send({ method: "POST", headers: { ...headers, "mcp-session-id": id }, body });
    await response.text();
    return response.status;
  };
  const ids: string[] = [];
  for (let count = 0; count < 100; count += 1) ids.push(await open());
  const [first = "", second = "", third = ""] = ids;
  expect(await ping(first)).toBe(200);
  await open();
  expect(await Promise.all([first, second, third].map(ping))).toEqual([200, 404, 200]);
});

test("2026-07-28: a task asks two questions at once, and ends when both are answered", async () => {
  const door = await openHttpDoor(createFrond());
  const started = await door.ask("tools/call", inline(askingTwice), { ...tasks, ...forms });
  expect(started.result).toMatchObject({ resultType: "task" });
  const { taskId } = started.result;
  const { result: asked } = await door.ask("tasks/get", { taskId }, tasks);
  expect(asked.status).toBe("input_required");
  const keys = Object.keys(asked.inputRequests);
  expect(keys).toHaveLength(2);
  const accept = (answer: string): object => ({ action: "accept", content: { answer } });
  for (const [index, key] of keys.entries()) {
    const inputResponses = { [key]: accept(index === 0 ? "left" : "right") };
    expect(await door.ask("tasks/update", { taskId, inputResponses }, tasks)).toMatchObject({ status: 200 });
  }
  await waitFor("the task to end", async () => {
    const { result } = await door.ask("tasks/get", { taskId }, tasks);
    return result.status === "completed";
  });
  const { result } = await door.ask("tasks/get", { taskId }, tasks);
  expect(result.result.structuredContent.outputs.ways.split(" ").sort()).toEqual(["left", "right"]);
});

test("2026-07-28: an answer to a question from before a restart is taken by the server after it", async () => {
  const frond = createFrond();
  const first = await openHttpDoor(frond);
  const { result: round } = await first.ask("tools/call", inline(approving), forms);
  expect(round.resultType).toBe("input_required");
  first.running.child.kill("SIGKILL");
  await first.running.ended;
  const [key = ""] = Object.keys(round.inputRequests);
  const answer = {
    requestState: round.requestState,
    inputResponses: { [key]: { action: "accept", content: { answer: "left" } } },
  };
  const second = await openHttpDoor(frond);
  const { result } = await second.ask("tools/call", { ...inline(approving), ...answer }, forms);
  expect(result.structuredContent).toMatchObject({ status: "success", outputs: { way: "left" } });
});

test("2026-07-28: what a person said in one round answers no question of the next", async () => {
  const door = await openHttpDoor(createFrond());
  const inTurn = workflow("in-turn", [
    prompt("first", { audience: "human" }),
    { ...prompt("second", { audience: "human" }), depends_on: ["first"] },
  ]);
  const accept = { action: "accept", content: { answer: "left" } };
  const { result: first } = await door.ask("tools/call", inline(inTurn), forms);
  const answer = (round: typeof first, keys: readonly string[]) => ({
    requestState: round.requestState,
    inputResponses: Object.fromEntries(keys.map((key) => [key, accept])),
  });
  const firstKeys = Object.keys(first.inputRequests);
  const { result: second } = await door.ask("tools/call", { ...inline(inTurn), ...answer(first, firstKeys) }, forms);
  const secondKeys = Object.keys(second.inputRequests);
  expect(secondKeys).not.toEqual(firstKeys);
  const replayed = await door.ask("tools/call", { ...inline(inTurn), ...answer(first, secondKeys) }, forms);
  expect(replayed.result).toMatchObject({ resultType: "input_required" });
  const { result } = await door.ask("tools/call", { ...inline(inTurn), ...answer(second, secondKeys) }, forms);
  expect(result.structuredContent.status).toBe("success");
  const forged = { ...answer(second, secondKeys), requestState: `${second.requestState}x` };
  expect((await door.ask("tools/call", { ...inline(inTurn), ...forged }, forms)).error).toMatchObject({ code: -32602 });
});

test("2026-07-28: what a person said goes to the tool that asked: no other takes it, on a server that only reads either", async () => {
  const frond = createFrond();
  const door = await openHttpDoor(frond);
  const { result: round } = await door.ask("tools/call", inline(approving), forms);
  const [key = ""] = Object.keys(round.inputRequests);
  const answer = {
    requestState: round.requestState,
    inputResponses: { [key]: { action: "accept", content: { answer: "left" } } },
  };
  const reader = await openHttpDoor(frond, ["--read-only"]);
  for (const asked of [door, reader]) {
    const { error } = await asked.ask("tools/call", { name: "list_runs", arguments: {}, ...answer }, forms);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("execute_inline_workflow") });
  }
  const { result } = await reader.ask("tools/call", { name: "list_runs", arguments: {} });
  expect(result.structuredContent.runs).toMatchObject([{ status: "paused" }]);
});

test("twenty calls at once, of both eras, each get their own answer", async () => {
  const door = await openHttpDoor(createFrond());
  const clients = await Promise.all(eras.map((era) => door.connect({ era })));
  const calls = Array.from({ length: 20 }, async (_, index) => {
    const name = `caller ${index}`;
    const reply = await clients[index % 2]?.call("execute_workflow", { workflow: "hello-world", inputs: { name } });
    return [reply?.data.outputs.greeting, `Hello, ${name}!`];
  });
  for (const [greeting, expected] of await Promise.all(calls)) expect(greeting).toBe(expected);
});

test("the end of standard input does not end the server", async () => {
  const door = await openHttpDoor(createFrond());
  // The rig closes it at the start.
  expect(door.running.child.stdin.writableEnded).toBe(true);
  expect((await door.ask("tools/list")).status).toBe(200);
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  test(`${signal}: the server is gone within five seconds, leaves no process, and its run can be gone on with`, async () => {
    const frond = createFrond();
    const door = await openHttpDoor(frond);
    const { client } = await door.connect({ era: "2025-11-25" });
    const waiting = client.callTool({ name: "execute_inline_workflow", arguments: { workflow_yaml: lasting } });
    const listening = await door.send(
      modernRequest("subscriptions/listen", { notifications: { toolsListChanged: true } }),
    );
    await waitFor("the run to begin", () => existsSync(join(frond.directory, "begun")));
    const pid = Number(readFileSync(join(frond.directory, "begun"), "utf8"));
    const since = performance.now();
    door.running.child.kill(signal);
    expect((await door.running.ended).code).toBe(0);
    // On an idle machine five seconds are plenty; on a busy one whatever it does takes longer.
    expect(performance.now() - since).toBeLessThan(50_000);
    expect(isAlive(pid)).toBe(false);
    // Whoever waited is told how the run stands, and what to do.
    expect((await waiting).structuredContent).toMatchObject({
      status: "interrupted",
      message: expect.stringContaining("resume_workflow("),
    });
    await listening.text();
    const { reply } = await frond.json(["runs"]);
    expect(JSON.stringify(reply)).toContain('"interrupted"');
  });
}

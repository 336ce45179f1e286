import { expect, test } from "vitest";
import { createFrond, type Frond } from "../rig/frond.ts";
import { envelope, initialize, type Message, type RawServer, startRaw, tasks } from "../rig/raw-mcp.ts";
import { makeOverdue, nap } from "../rig/sleeping-run.ts";
import { waitFor } from "../rig/wait-for.ts";

const withTasks = envelope({ extensions: { [tasks]: {} }, elicitation: { form: {} } });

const held = `
name: held
description: Waits for a file
blocks:
  - { id: wait, type: Shell, on_interrupted: rerun, inputs: { command: "while [ ! -e go ]; do sleep 0.02; done; echo through" } }
`;

const twoQuestions = `
name: two-questions
description: Asks twice
blocks:
  - { id: name, type: Prompt, inputs: { prompt: "Which name?" } }
  - { id: size, type: Prompt, inputs: { prompt: "Which size?", choices: [small, large] } }
outputs:
  order: \${blocks.name.outputs.response} \${blocks.size.outputs.response}
`;

let number = 0;

async function ask(server: RawServer, method: string, params: object): Promise<Message> {
  const id = ++number;
  server.request(id, method, { ...withTasks, ...params });
  return server.answer(id);
}

async function start(server: RawServer, workflow_yaml: string): Promise<Message["result"]> {
  const args = { name: "execute_inline_workflow", arguments: { workflow_yaml } };
  return (await ask(server, "tools/call", args)).result;
}

async function get(server: RawServer, taskId: string): Promise<Message["result"]> {
  return (await ask(server, "tasks/get", { taskId })).result;
}

async function untilStatus(server: RawServer, taskId: string, status: string): Promise<Message["result"]> {
  await waitFor(`the task to be ${status}`, async () => (await get(server, taskId)).status === status);
  return get(server, taskId);
}

function served(frond: Frond = createFrond()): RawServer {
  return startRaw(frond);
}

test("a client that takes tasks gets the result of a run that ends soon, and a task for one that does not", async () => {
  const frond = createFrond();
  const server = served(frond);
  const quick = await start(server, held.replace("while [ ! -e go ]; do sleep 0.02; done; ", ""));
  expect(quick).toMatchObject({ resultType: "complete", structuredContent: { status: "success" } });
  const task = await start(server, held);
  expect(task).toMatchObject({ resultType: "task", status: "working", ttlMs: expect.any(Number) });
  expect(task.taskId).toMatch(/^run_/);
  frond.write("go", "");
  const ended = await untilStatus(server, task.taskId, "completed");
  expect(ended.result.structuredContent).toMatchObject({ status: "success", run_id: task.taskId });
});

test("a task with two questions has one input request for each, answered one by one, and no key is used again", async () => {
  const server = served();
  const { taskId } = await start(server, twoQuestions);
  const { inputRequests } = await untilStatus(server, taskId, "input_required");
  const keys = Object.keys(inputRequests);
  expect(Object.values(inputRequests)).toMatchObject([
    {
      method: "elicitation/create",
      params: { message: expect.stringMatching(/^The workflow two-questions in .* asks:\n\nWhich name\?$/) },
    },
    {
      params: {
        message: expect.stringContaining("Which size?"),
        requestedSchema: { properties: { answer: { enum: ["small", "large"] } } },
      },
    },
  ]);
  const update = (key: string | undefined, answer: string): Promise<Message> =>
    ask(server, "tasks/update", { taskId, inputResponses: { [key ?? ""]: { action: "accept", content: { answer } } } });
  expect((await update(keys[1], "large")).result).toMatchObject({ resultType: "complete" });
  await waitFor("one question to be left", async () => {
    const { inputRequests: left } = await get(server, taskId);
    return JSON.stringify(Object.keys(left ?? {})) === JSON.stringify([keys[0]]);
  });
  await update(keys[0], "fern");
  const ended = await untilStatus(server, taskId, "completed");
  expect(ended.result.structuredContent.outputs).toEqual({ order: "fern large" });
});

test("an answer that does not fit is refused with the reason, those beside it count, and a better one is taken", async () => {
  const server = served();
  const { taskId } = await start(server, twoQuestions);
  const keys = Object.keys((await untilStatus(server, taskId, "input_required")).inputRequests);
  const update = (...answers: readonly string[]): Promise<Message> => {
    const responses = answers.map((answer, index) => [keys[index], { action: "accept", content: { answer } }]);
    return ask(server, "tasks/update", { taskId, inputResponses: Object.fromEntries(responses) });
  };
  expect((await update("fern", "huge")).error).toMatchObject({
    code: -32602,
    message: expect.stringMatching(new RegExp(`^The answer to '${keys[1]}' is not taken: .*small.*large`)),
  });
  expect((await update("moss", "small")).result).toMatchObject({ resultType: "complete" });
  const { result } = await untilStatus(server, taskId, "completed");
  expect(result.structuredContent.outputs).toEqual({ order: "fern small" });
});

test("a person who declines, or closes the form, leaves the task asking, and it says so until somebody answers", async () => {
  const server = served();
  const { taskId } = await start(server, twoQuestions);
  const asking = await untilStatus(server, taskId, "input_required");
  const [name = "", size = ""] = Object.keys(asking.inputRequests);
  await ask(server, "tasks/update", { taskId, inputResponses: { [name]: { action: "decline" } } });
  const declined = await get(server, taskId);
  expect(declined).toMatchObject({ status: "input_required", inputRequests: asking.inputRequests });
  expect(declined.statusMessage).toMatch(/^The person declined to answer 'name'; the run is still paused\. /);
  await ask(server, "tasks/update", { taskId, inputResponses: { [name]: { action: "cancel" } } });
  expect((await get(server, taskId)).statusMessage).toMatch(/^The person closed the form of 'name' without an answer/);
  const answers = { [name]: { action: "accept", content: { answer: "fern" } } };
  await ask(server, "tasks/update", { taskId, inputResponses: answers });
  expect((await get(server, taskId)).statusMessage).not.toContain("The person");
  await ask(server, "tasks/update", {
    taskId,
    inputResponses: { [size]: { action: "accept", content: { answer: "small" } } },
  });
  expect((await untilStatus(server, taskId, "completed")).result.structuredContent).toMatchObject({
    outputs: { order: "fern small" },
  });
});

test("a task is cancelled, and says so; a task that has ended takes the request as well", async () => {
  const server = served();
  const { taskId } = await start(server, held);
  expect((await ask(server, "tasks/cancel", { taskId })).result).toMatchObject({ resultType: "complete" });
  await untilStatus(server, taskId, "cancelled");
  expect((await ask(server, "tasks/cancel", { taskId })).result).toMatchObject({ resultType: "complete" });
});

test("a task outlives its server: another one is asked about it, asks whether to go on, and goes on", async () => {
  const frond = createFrond();
  const first = served(frond);
  const { taskId } = await start(first, held);
  first.child.kill("SIGKILL");
  await first.ended;
  const second = served(frond);
  const { inputRequests, statusMessage } = await untilStatus(second, taskId, "input_required");
  expect(statusMessage).toContain("gone");
  const [key = ""] = Object.keys(inputRequests);
  const inputResponses = { [key]: { action: "accept", content: { decision: "go on" } } };
  await ask(second, "tasks/update", { taskId, inputResponses });
  frond.write("go", "");
  await untilStatus(second, taskId, "completed");
});

test("an unknown task is a protocol error, and so is a task for a client that takes none", async () => {
  const server = served();
  expect((await ask(server, "tasks/get", { taskId: "run_0000000000000000" })).error).toMatchObject({ code: -32602 });
  server.request("bare", "tasks/get", { ...envelope(), taskId: "run_0000000000000000" });
  expect((await server.answer("bare")).error).toMatchObject({ code: -32021 });
});

test("a client of the old era never gets a task", async () => {
  const frond = createFrond();
  const server = served(frond);
  await initialize(server, { extensions: { [tasks]: {} } });
  const args = { workflow_yaml: held, wait_seconds: 2.5 };
  server.request(1, "tools/call", { name: "execute_inline_workflow", arguments: args });
  const { result } = await server.answer(1);
  expect(result.structuredContent).toMatchObject({ status: "running" });
  expect(result.taskId).toBeUndefined();
});

for (const args of [["--read-only"], ["--toolsets", "authoring,runs"]]) {
  test(`a server with ${args.join(" ")} has no tasks, so that no run is answered or cancelled through one`, async () => {
    const frond = createFrond();
    const { taskId } = await start(served(frond), twoQuestions);
    const server = startRaw(frond, args);
    const { result } = await ask(server, "server/discover", {});
    expect(result.capabilities.extensions).toBeUndefined();
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      expect((await ask(server, method, { taskId })).error).toMatchObject({ code: -32601 });
    }
  });
}

test("a task whose run sleeps goes on working and says until when; one that nobody woke asks whether to go on", async () => {
  const frond = createFrond();
  const first = served(frond);
  const { taskId } = await start(first, nap);
  const working = await untilStatus(first, taskId, "working");
  await waitFor("the run to sleep", async () => (await get(first, taskId)).statusMessage?.includes("It sleeps until"));
  expect(working.result).toBeUndefined();
  first.child.kill("SIGKILL");
  await first.ended;
  makeOverdue(frond, taskId);
  const second = served(frond);
  const asked = await untilStatus(second, taskId, "input_required");
  const [key = ""] = Object.keys(asked.inputRequests);
  expect(asked.inputRequests[key].params.message).toContain("no process woke it. Shall it go on");
  const inputResponses = { [key]: { action: "accept", content: { decision: "go on" } } };
  await ask(second, "tasks/update", { taskId, inputResponses });
  expect((await untilStatus(second, taskId, "completed")).result.structuredContent.outputs).toEqual({ said: "after" });
});

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Progress } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { createFrond, type Frond } from "../rig/frond.ts";
import { connect, eras } from "../rig/mcp.ts";
import { waitFor } from "../rig/wait-for.ts";

/** Goes on when the test says so. */
const held = `
name: held
description: Waits for a file
blocks:
  - { id: first, type: Shell, inputs: { command: "touch begun" } }
  - { id: second, type: Shell, depends_on: [first], inputs: { command: "while [ ! -e go ]; do sleep 0.02; done; echo through" } }
outputs:
  said: \${blocks.second.outputs.stdout}
`;

const steps = `
name: steps
description: Waits for two files
blocks:
  - { id: first, type: Shell, inputs: { command: "touch begun" } }
  - { id: second, type: Shell, depends_on: [first], inputs: { command: "while [ ! -e between ]; do sleep 0.02; done" } }
  - { id: third, type: Shell, depends_on: [second], inputs: { command: "while [ ! -e go ]; do sleep 0.02; done" } }
`;

function begun(frond: Frond): Promise<void> {
  return waitFor("the run to begin", () => existsSync(join(frond.directory, "begun")));
}

for (const era of eras) {
  test(`${era}: a run that takes longer than the client waits is running, and get_run waits for its result`, async () => {
    const frond = createFrond();
    const { call } = await connect(frond, { era });
    const { data: running } = await call("execute_inline_workflow", { workflow_yaml: held, wait_seconds: 0.2 });
    expect(running).toMatchObject({ status: "running", run_id: expect.any(String) });
    const [, next = ""] = /get_run\((.*?)\)/.exec(running.message) ?? [];
    const result = call("get_run", JSON.parse(next));
    frond.write("go", "");
    expect(await result).toMatchObject({
      data: { status: "success", outputs: { said: expect.stringMatching(/through/) } },
    });
  });

  test(`${era}: a client that cancels its call cancels the run`, async () => {
    const frond = createFrond();
    const { client, call } = await connect(frond, { era });
    const given = new AbortController();
    const cancelled = client.callTool(
      { name: "execute_inline_workflow", arguments: { workflow_yaml: held } },
      { signal: given.signal },
    );
    const refused = expect(cancelled).rejects.toThrow();
    await begun(frond);
    given.abort("the user changed their mind");
    await refused;
    await waitFor("the run to end", async () => (await call("list_runs")).data.runs[0].status === "cancelled");
  });

  test(`${era}: a client that no longer looks at a run does not end it`, async () => {
    const frond = createFrond();
    const { client, call } = await connect(frond, { era });
    const { data } = await call("execute_inline_workflow", { workflow_yaml: held, wait_seconds: 0 });
    await begun(frond);
    const given = new AbortController();
    const asked = { name: "get_run", arguments: { run_id: data.run_id, wait_seconds: 60 } };
    const looking = expect(client.callTool(asked, { signal: given.signal })).rejects.toThrow();
    // Answered after the one that waits has been heard.
    await call("list_runs");
    given.abort("seen enough");
    await looking;
    frond.write("go", "");
    expect((await call("get_run", { run_id: data.run_id, wait_seconds: 20 })).data).toMatchObject({
      status: "success",
    });
  });

  test(`${era}: a client whose request times out does not end its run`, async () => {
    const frond = createFrond();
    const { client, call } = await connect(frond, { era });
    const late = client.callTool(
      { name: "execute_inline_workflow", arguments: { workflow_yaml: held } },
      { timeout: 300 },
    );
    await expect(late).rejects.toThrow(/timed out/i);
    await begun(frond);
    const [{ run_id }] = (await call("list_runs")).data.runs;
    frond.write("go", "");
    expect((await call("get_run", { run_id, wait_seconds: 20 })).data).toMatchObject({ status: "success" });
  });

  test(`${era}: progress is told for each block to a client that asked, with a number that grows`, async () => {
    const frond = createFrond({ go: "" });
    const { client } = await connect(frond, { era });
    const told: Progress[] = [];
    await client.callTool(
      { name: "execute_inline_workflow", arguments: { workflow_yaml: held.replace("echo through", "sleep 0.4") } },
      { onprogress: (progress) => told.push(progress) },
    );
    const numbers = told.map(({ progress }) => progress);
    expect(numbers.length).toBeGreaterThan(1);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(told.map(({ message }) => message)).toContain("second started");
    expect(told.every(({ total, progress }) => (total ?? 0) >= progress)).toBe(true);
  });

  test(`${era}: progress is told to a client that waits with get_run, too`, async () => {
    const frond = createFrond();
    const { client, call } = await connect(frond, { era });
    const { data } = await call("execute_inline_workflow", { workflow_yaml: held, wait_seconds: 0 });
    await begun(frond);
    const told: Progress[] = [];
    const waiting = client.callTool(
      { name: "get_run", arguments: { run_id: data.run_id, wait_seconds: 20 } },
      { onprogress: (progress) => told.push(progress) },
    );
    await waitFor("progress", () => told.some(({ message }) => message === "second started"));
    frond.write("go", "");
    expect((await waiting).structuredContent).toMatchObject({ status: "success" });
  });

  test(`${era}: progress is told of a run that another process drives, too, with a number that grows`, async () => {
    const frond = createFrond({ "steps.yaml": steps });
    const { client, call } = await connect(frond, { era });
    const running = frond.start(["run", "steps.yaml"]);
    await begun(frond);
    const [{ run_id }] = (await call("list_runs")).data.runs;
    const told: Progress[] = [];
    const waiting = client.callTool(
      { name: "get_run", arguments: { run_id, wait_seconds: 20 } },
      { onprogress: (progress) => told.push(progress) },
    );
    await waitFor("the first word", () => told.length > 0);
    frond.write("between", "");
    await waitFor("progress", () => told.some(({ message }) => message === "third started"));
    frond.write("go", "");
    expect((await waiting).structuredContent).toMatchObject({ status: "success" });
    expect((await running.ended).code).toBe(0);
    const numbers = told.map(({ progress }) => progress);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(told.every(({ total }) => total === 3)).toBe(true);
  });

  test(`${era}: twenty calls at once each get their own result`, async () => {
    const { call } = await connect(createFrond(), { era });
    const names = Array.from({ length: 20 }, (_, index) => `guest ${index}`);
    const replies = await Promise.all(
      names.map((name) => call("execute_workflow", { workflow: "hello-world", inputs: { name } })),
    );
    expect(replies.map(({ data }) => data.outputs.greeting)).toEqual(names.map((name) => `Hello, ${name}!`));
    expect(new Set(replies.map(({ data }) => data.run_id)).size).toBe(20);
  });
}

test("two servers on one state directory: each sees, waits for, answers and cancels the other's runs", async () => {
  const frond = createFrond();
  const [one, other] = [await connect(frond), await connect(frond, { era: "2026-07-28" })];
  const { data: running } = await one.call("execute_inline_workflow", { workflow_yaml: held, wait_seconds: 0 });
  await begun(frond);
  expect((await other.call("get_run", { run_id: running.run_id })).data).toMatchObject({ status: "running" });
  const waiting = other.call("get_run", { run_id: running.run_id, wait_seconds: 30 });
  frond.write("go", "");
  expect((await waiting).data).toMatchObject({ status: "success", run_id: running.run_id });
  const asking = "name: a\ndescription: d\nblocks: [{ id: q, type: Prompt, inputs: { prompt: Why? } }]";
  const { data: paused } = await one.call("execute_inline_workflow", { workflow_yaml: asking });
  const answer = { checkpoint_id: paused.checkpoint_id, response: "because" };
  expect((await other.call("resume_workflow", answer)).data).toMatchObject({ status: "success" });
  const again = held.replace("-e go", "-e never");
  const { data: endless } = await one.call("execute_inline_workflow", { workflow_yaml: again, wait_seconds: 0 });
  expect((await other.call("cancel_run", { run_id: endless.run_id })).data).toMatchObject({ cancelled: true });
  expect((await one.call("get_run", { run_id: endless.run_id })).data).toMatchObject({
    status: "failure",
    cancelled: true,
  });
});

test("the same idempotency key is the same run, also for a client that calls again while it runs", async () => {
  const frond = createFrond({ go: "" });
  const { call } = await connect(frond);
  const given = { workflow_yaml: held, idempotency_key: "order 66" };
  const [first, second] = await Promise.all([
    call("execute_inline_workflow", given),
    call("execute_inline_workflow", given),
  ]);
  expect(second.data).toEqual(first.data);
  expect((await call("list_runs")).data.runs).toHaveLength(1);
});

test("a run with a question answers when nothing else in it runs, or when the wait ends, with what is pending in either case", async () => {
  const frond = createFrond();
  const workflow_yaml = `${held.replace("outputs:", "  - { id: ask, type: Prompt, inputs: { prompt: Why? } }\noutputs:")}`;
  const { call } = await connect(frond);
  const { data: early } = await call("execute_inline_workflow", { workflow_yaml, wait_seconds: 0.5 });
  expect(early).toMatchObject({ status: "running", paused_block_id: "ask", prompt: "Why?" });
  frond.write("go", "");
  const { data: paused } = await call("get_run", { run_id: early.run_id, wait_seconds: 20 });
  expect(paused).toMatchObject({ status: "paused", paused_block_id: "ask" });
});

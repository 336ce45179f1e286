import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { connect, eras } from "../rig/mcp.ts";

const asking = `
name: asking
description: Asks which way
blocks:
  - id: way
    type: Prompt
    inputs: { prompt: "Left or right?", choices: [left, right] }
outputs:
  way: \${blocks.way.outputs.response}
`;

const approving = asking.replace("choices:", "audience: human, choices:");

for (const era of eras) {
  test(`${era}: a workflow of the library is found, described and run`, async () => {
    const { call, client } = await connect(createFrond(), { era });
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    expect((await call("list_workflows", { query: "greet" })).data.workflows["built-in"]).toHaveProperty("hello-world");
    expect(Object.keys((await call("get_workflow_info", { workflow: "hello-world" })).data.inputs)).toContain("name");
    expect(await call("execute_workflow", { workflow: "hello-world", inputs: { name: "Ada" } })).toMatchObject({
      isError: false,
      data: { status: "success", outputs: { greeting: "Hello, Ada!" } },
    });
  });

  test(`${era}: a run that asks the model is paused, says the literal next call, and goes on in another server`, async () => {
    const frond = createFrond();
    const first = await connect(frond, { era });
    const { data: paused } = await first.call("execute_inline_workflow", { workflow_yaml: asking });
    expect(paused).toMatchObject({ status: "paused", prompt: "Left or right?" });
    const [, next = ""] = /resume_workflow\((.*)\)\./.exec(paused.message) ?? [];
    await first.client.close();
    const second = await connect(frond, { era });
    const { data } = await second.call("resume_workflow", JSON.parse(next));
    expect(data).toMatchObject({ status: "success", run_id: paused.run_id, outputs: { way: "left" } });
  });

  test(`${era}: a question to a person is put to the person at the client with its workflow and project, and the run goes on in the same call`, async () => {
    const asked: string[] = [];
    const frond = createFrond();
    const { call } = await connect(frond, {
      era,
      answer({ message }) {
        asked.push(message);
        return { action: "accept", content: { answer: "right" } };
      },
    });
    const { data } = await call("execute_inline_workflow", { workflow_yaml: approving });
    expect(asked).toEqual([`The workflow asking in ${frond.directory} asks:\n\nLeft or right?`]);
    expect(data).toMatchObject({ status: "success", outputs: { way: "right" } });
  });

  test(`${era}: a person at the client who answers second is told which answer was kept`, async () => {
    const frond = createFrond();
    const { call } = await connect(frond, {
      era,
      async answer() {
        const other = frond.startInTerminal(["resume", "last"]);
        await other.until(" asks");
        other.type("left\r");
        await other.ended;
        return { action: "accept", content: { answer: "right" } };
      },
    });
    const { data } = await call("execute_inline_workflow", { workflow_yaml: approving });
    expect(data).toMatchObject({ status: "success", outputs: { way: "left" } });
    expect(data.message).toContain("Already answered; the earlier answer was kept: 'left' (given by terminal).");
  });

  test(`${era}: a person who declines leaves the run paused, the reply says so and how to ask again, and a model can't answer for them`, async () => {
    const frond = createFrond();
    const { call } = await connect(frond, { era, answer: () => ({ action: "decline" }) });
    const { data: paused } = await call("execute_inline_workflow", { workflow_yaml: approving });
    expect(paused).toMatchObject({ status: "paused" });
    expect(paused.message).toContain("The person declined to answer 'way'; the run is still paused.");
    expect(paused.message).toContain(`resume_workflow({"checkpoint_id":"${paused.checkpoint_id}"}) asks them again.`);
    expect(paused.message).toContain(
      `\`cd ${frond.directory} && FROND_STATE_DIR=${frond.state} frond resume ${paused.checkpoint_id}\``,
    );
    const answer = { checkpoint_id: paused.checkpoint_id, response: "left" };
    expect(await call("resume_workflow", answer)).toMatchObject({
      isError: true,
      data: {
        status: "paused",
        errors: [{ code: "needs-a-person" }],
        message: expect.stringContaining("frond resume"),
      },
    });
  });

  test(`${era}: a person whose answers never fit is told why, asked a few times, and the reply still tells which run waits`, async () => {
    const asked: string[] = [];
    const { call } = await connect(createFrond(), {
      era,
      answer({ message }) {
        asked.push(message);
        return { action: "accept", content: { answer: "straight on" } };
      },
    });
    const { data: paused } = await call("execute_inline_workflow", { workflow_yaml: approving });
    expect(paused).toMatchObject({ status: "paused", run_id: expect.any(String) });
    expect(asked).toHaveLength(8);
    expect(asked[1]).toMatch(/exactly one of: left, right.*straight on.*Left or right\?$/s);
  });

  test(`${era}: a failed run's reply alone tells which block failed, why, and what it wrote`, async () => {
    const failing = asking.replace(
      /type: Prompt\n.*\n/,
      "type: Shell\n    inputs: { command: 'echo resolving >&2; echo no such host >&2; exit 3' }\n",
    );
    const { call } = await connect(createFrond(), { era });
    const { isError, data } = await call("execute_inline_workflow", {
      workflow_yaml: failing.replace("outputs.response", "outputs.stdout"),
    });
    expect(isError).toBe(true);
    expect(data).toMatchObject({
      status: "failure",
      failed_blocks: [{ block: "way", message: expect.stringContaining("3"), stderr_tail: "resolving\nno such host" }],
    });
  });
}

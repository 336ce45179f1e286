import { expect, test } from "vitest";
import { canary, canaryEnv, createCanaryFrond } from "../rig/canary.ts";
import { filesWithSecret, findSecret } from "../rig/find-secret.ts";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { serve } from "../rig/http-server.ts";
import { connect } from "../rig/mcp.ts";
import { envelope, type Message, startRaw, tasks } from "../rig/raw-mcp.ts";
import { waitFor } from "../rig/wait-for.ts";

const redacted = "[secret CANARY]";

test("a secret that goes through every kind of block is in no reply, resource, notification or line of the log", async () => {
  const http = await serve((request, response) => response.end(`${request.headers["x-key"]} ${canary}`));
  const frond = createCanaryFrond(http.url);
  frond.write("../home/.frond/workflows/flow.yaml", frond.read("flow.yaml"));
  const server = startRaw(frond, [], { ...canaryEnv, FROND_LOG_LEVEL: "debug" });
  let number = 0;
  const ask = async (method: string, params: object, capabilities: object = {}): Promise<Message> => {
    const id = ++number;
    const { _meta } = envelope(capabilities) as { _meta: object };
    server.request(id, method, { ...params, _meta: { ..._meta, progressToken: id } });
    return server.answer(id);
  };
  const call = async (name: string, args: object): Promise<Message["result"]> =>
    (await ask("tools/call", { name, arguments: args })).result.structuredContent;

  const paused = await call("execute_workflow", { workflow: "flow", response_format: "detailed" });
  expect(paused).toMatchObject({ status: "paused", prompt: `Is it ${redacted}\n?` });
  const { run_id, checkpoint_id } = paused;
  await call("list_checkpoints", {});
  await call("get_checkpoint_info", { checkpoint_id });
  const ended = await call("resume_workflow", { checkpoint_id, response: "yes", response_format: "detailed" });
  expect(ended.blocks.raw.outputs.stdout).toBe(`${redacted}\n`);
  const read = async (args: object): Promise<string> => {
    const { result } = await ask("tools/call", { name: "get_run", arguments: { run_id, ...args } });
    return result.content.map(({ text }: { text: string }) => text).join("\n");
  };
  expect(await read({ include: ["blocks", "outputs", "log", "events"] })).toContain(redacted);
  expect(await read({ include: ["record"] })).toContain(redacted);
  expect(await read({ include: ["log"], grep: redacted })).toContain(redacted);
  expect(await read({ path: "raw", field: "stdout" })).toContain(redacted);
  for (const path of ["raw", "request", "nested/say", "exit"]) {
    await call("get_run", { run_id, path, include: ["log", "events", "record"] });
  }
  await call("list_runs", {});
  await call("get_workflow_info", { workflow: "flow" });
  const { taskId } = (
    await ask(
      "tools/call",
      { name: "execute_workflow", arguments: { workflow: "flow" } },
      { extensions: { [tasks]: {} } },
    )
  ).result;
  await waitFor("the task to ask", async () => {
    const { result } = await ask("tasks/get", { taskId }, { extensions: { [tasks]: {} } });
    return result.status === "input_required";
  });
  for (const uri of [`run://${run_id}`, `run://${run_id}/log`, "workflow://flow"]) {
    expect((await ask("resources/read", { uri })).result.contents).toHaveLength(1);
  }
  await ask("resources/list", {});
  server.child.stdin.end();
  expect(await server.ended).toBe(0);
  expect(server.messages.some(({ method }) => method === "notifications/progress")).toBe(true);
  expect(server.spoken()).toContain(redacted);
  expect(findSecret(server.spoken(), canary)).toEqual([]);
  expect(findSecret(server.log(), canary)).toEqual([]);
  expect(filesWithSecret(frond.state, canary)).toEqual([]);
});

test("a secret that does not reach the server is named, with what may keep it from it", async () => {
  const frond = createFrond();
  const { call } = await connect(frond);
  const reply = await call("execute_inline_workflow", {
    workflow_yaml: workflow("w", [shell("a", "true ${secrets.KEY}")]),
  });
  expect(reply).toMatchObject({
    isError: true,
    data: {
      errors: [
        {
          code: "missing-secret",
          message: expect.stringContaining("FROND_SECRET_KEY"),
          fix: expect.stringContaining("name it there"),
        },
      ],
    },
  });
});

import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { connect, shareServer } from "../rig/mcp.ts";

const server = shareServer();

function asking(...prompts: readonly string[]): string {
  const blocks = prompts.map((prompt, index) => `  - { id: q${index}, type: Prompt, inputs: { ${prompt} } }`);
  return ["name: asking", "description: Asks", "blocks:", ...blocks].join("\n");
}

function nextCall(message: string): Record<string, unknown> {
  const [, next = ""] = /resume_workflow\((.*?)\)\./.exec(message) ?? [];
  return JSON.parse(next) as Record<string, unknown>;
}

const person = "type: object, properties: { name: { type: string }, tags: { type: array } }, required: [name, tags]";

test.each([
  ["type: integer, minimum: 3", 3],
  ["type: boolean", true],
  ["enum: [1, 2]", 1],
  ["type: array, items: { type: integer }, minItems: 1", [1]],
  [person, { name: "...", tags: [] }],
] as const)(
  "the next call that a paused run names can be made as it is: an answer that fits { %s }",
  async (schema, shown) => {
    const { call } = server();
    const workflow_yaml = asking(`prompt: Which?, schema: { ${schema} }`);
    const { data: paused } = await call("execute_inline_workflow", { workflow_yaml });
    const next = nextCall(paused.message);
    expect(next.response).toEqual(shown);
    expect((await call("resume_workflow", next)).data).toMatchObject({ status: "success" });
  },
);

test.each([
  [2, "staging"],
  ["2", "staging"],
  [1, "dev"],
])("the founding multiple choice, answered with %j, takes the branch that was meant", async (response, environment) => {
  const frond = createFrond({ "deploy.sh": '#!/bin/sh\necho "to $1"\n' });
  chmodSync(join(frond.directory, "deploy.sh"), 0o755);
  const { call } = await connect(frond);
  const workflow_yaml = readFileSync("test/founding/select-environment.yaml", "utf8");
  const { data: paused } = await call("execute_inline_workflow", { workflow_yaml });
  const answer = { checkpoint_id: paused.checkpoint_id, response, response_format: "detailed" };
  const { data } = await call("resume_workflow", answer);
  expect(data.status).toBe("success");
  expect(data.blocks.select_env.outputs.response).toBe(String(response));
  expect(data.blocks[`deploy_${environment}`].outputs.stdout).toBe(`to ${environment}\n`);
});

test("a run that asks a person and the model names the call for the model, too", async () => {
  const { call } = server();
  const workflow_yaml = asking("prompt: Deploy?, audience: human", "prompt: Which way?");
  const { data: paused } = await call("execute_inline_workflow", { workflow_yaml });
  expect(paused.message).toContain(`frond resume ${paused.pending[0].checkpoint_id}`);
  const { data: asked } = await call("resume_workflow", nextCall(paused.message));
  expect(asked).toMatchObject({ status: "paused", paused_block_id: "q0" });
  expect(asked.message).not.toContain("resume_workflow");
});

test("whoever answers a question again is told that their answer was not taken", async () => {
  const { call } = server();
  const workflow_yaml = asking("prompt: Which way?", "prompt: How fast?");
  const { data: paused } = await call("execute_inline_workflow", { workflow_yaml });
  const [way, speed] = paused.pending.map(({ checkpoint_id }: { checkpoint_id: string }) => checkpoint_id);
  await call("resume_workflow", { checkpoint_id: way, response: "left" });
  const { data: again } = await call("resume_workflow", { checkpoint_id: way, response: "right" });
  expect(again.message).toMatch(/the earlier answer was kept: 'left' \(given by model\).*resume_workflow/);
  await call("resume_workflow", { checkpoint_id: speed, response: "slow" });
  const { data: ended } = await call("resume_workflow", { checkpoint_id: speed, response: "fast" });
  expect(ended).toMatchObject({ status: "success", message: expect.stringContaining("the earlier answer was kept") });
});

test("an answer to what is not there names the call that finds what is", async () => {
  const { call } = server();
  const { data: ended } = await call("execute_workflow", { workflow: "hello-world" });
  const refusal = async (checkpoint_id: string): Promise<object> =>
    (await call("resume_workflow", { checkpoint_id, response: "yes" })).data.errors[0];
  expect(await refusal("pause_1m7f2c7sr74rpx02_31f28fe7f2")).toMatchObject({
    code: "unknown-checkpoint",
    fix: expect.stringContaining("list_checkpoints"),
  });
  expect(await refusal(ended.run_id)).toMatchObject({ code: "run-ended", fix: expect.stringContaining("get_run") });
});

test("a checkpoint tells all that its answer needs: the choices, who may answer, and the call", async () => {
  const { call } = server();
  const workflow_yaml = asking("prompt: Which way?, choices: [left, right], default: right");
  const { data: paused } = await call("execute_inline_workflow", { workflow_yaml });
  const { data: info } = await call("get_checkpoint_info", { checkpoint_id: paused.checkpoint_id });
  expect(info).toMatchObject({ audience: "llm", choices: ["left", "right"], default: "right" });
  expect((await call("resume_workflow", nextCall(info.message))).data).toMatchObject({ status: "success" });
  const { data: gone } = await call("get_checkpoint_info", { checkpoint_id: paused.checkpoint_id });
  expect(gone).toMatchObject({ found: false, message: expect.stringContaining("list_checkpoints") });
});

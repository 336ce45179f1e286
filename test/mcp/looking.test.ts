import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { connect, oldEra, shareServer } from "../rig/mcp.ts";

const talking = `
name: talking
description: Says two things one after the other
blocks:
  - { id: one, type: Shell, inputs: { command: "echo from one; echo aside >&2" } }
  - { id: two, type: Shell, depends_on: [one], inputs: { command: "echo from two" } }
outputs:
  said: \${blocks.two.outputs.stdout}
`;

const asking = `
name: asking
description: Asks twice
blocks:
  - { id: name, type: Prompt, inputs: { prompt: Which name? } }
  - { id: size, type: Prompt, inputs: { prompt: Which size?, choices: [small, large] } }
outputs:
  order: \${blocks.name.outputs.response} \${blocks.size.outputs.response}
`;

const withoutHeader = (text: string): string => text.slice(text.indexOf("\n") + 1);

for (const era of oldEra) {
  const shared = shareServer({ era });

  test(`${era}: a detailed reply has the record of every block, and get_run gives it later, or one block of it`, async () => {
    const { call } = shared();
    const { data } = await call("execute_inline_workflow", { workflow_yaml: talking, response_format: "detailed" });
    expect(Object.keys(data.blocks)).toEqual(["one", "two"]);
    const { run_id } = data;
    const { data: brief } = await call("get_run", { run_id });
    expect(brief).toEqual({ status: "success", run_id, workflow: "talking", outputs: { said: "from two\n" } });
    expect((await call("get_run", { run_id, include: ["blocks"] })).data.blocks).toEqual(data.blocks);
    const { data: block } = await call("get_run", { run_id, path: "/two/" });
    expect(block).toMatchObject({ status: "success", block: "two", outputs: { stdout: "from two\n" } });
  });

  test(`${era}: get_run gives what was written and what happened, from an offset on`, async () => {
    const { call } = shared();
    const { data } = await call("execute_inline_workflow", { workflow_yaml: talking });
    const { run_id } = data;
    const { text: whole } = await call("get_run", { run_id, include: ["log"] });
    for (const text of ["from one", "aside", "from two"]) expect(whole).toContain(text);
    const { text: rest } = await call("get_run", { run_id, include: ["log"], offset: 5 });
    expect(withoutHeader(rest)).toBe(withoutHeader(whole).slice(5));
    const { text: own } = await call("get_run", { run_id, path: "two", include: ["log"] });
    expect(own).toBe(`[log of two in ${run_id} (success): 1 line, 9 bytes.]\nfrom two\n`);
    const { data: happened } = await call("get_run", { run_id, include: ["events"] });
    const types = happened.events.map(({ type }: { readonly type: string }) => type);
    expect(types[0]).toBe("run-started");
    expect(types.at(-1)).toBe("run-finished");
    const { data: later } = await call("get_run", { run_id, include: ["events"], offset: 2 });
    expect(later.events).toEqual(happened.events.slice(2));
  });

  test(`${era}: questions are listed and described, and a run is answered by its own id where it is clear what is meant`, async () => {
    const { call } = shared();
    const { data: paused } = await call("execute_inline_workflow", { workflow_yaml: asking });
    const { run_id, pending } = paused;
    const { data: listed } = await call("list_checkpoints", { workflow_name: "asking" });
    expect(listed).toMatchObject({ total: 2, checkpoints: [{ run_id }, { run_id }] });
    const [{ checkpoint_id: name }, { checkpoint_id: size }] = pending;
    expect((await call("get_checkpoint_info", { checkpoint_id: size })).data).toMatchObject({
      found: true,
      pause_prompt: "Which size?",
      choices: ["small", "large"],
    });
    const { data: unclear } = await call("resume_workflow", { checkpoint_id: run_id, response: "small" });
    expect(unclear).toMatchObject({ status: "paused", errors: [{ code: "which-question" }], pending });
    await call("resume_workflow", { checkpoint_id: name, response: "Ada" });
    const { data: wrong } = await call("resume_workflow", { checkpoint_id: run_id, response: "huge" });
    expect(wrong).toMatchObject({ status: "paused", errors: [{ code: "answer-refused" }], checkpoint_id: size });
    const { data } = await call("resume_workflow", { checkpoint_id: run_id, response: "large" });
    expect(data).toMatchObject({ status: "success", outputs: { order: "Ada large" } });
    const { data: late } = await call("resume_workflow", { checkpoint_id: run_id, response: "small" });
    expect(late.errors[0]).toMatchObject({ code: "run-ended", fix: expect.stringContaining("get_run") });
  });

  test(`${era}: a deleted question is in no list, and with the last one its run is cancelled`, async () => {
    const { call } = await connect(createFrond(), { era });
    const { data: paused } = await call("execute_inline_workflow", { workflow_yaml: asking });
    const [{ checkpoint_id: first }, { checkpoint_id: last }] = paused.pending;
    const { data: one } = await call("delete_checkpoint", { checkpoint_id: first });
    expect(one).toMatchObject({ deleted: true });
    expect(one.cancelled_run).toBeUndefined();
    const { data: listed } = await call("list_checkpoints");
    expect(listed.checkpoints).toMatchObject([{ checkpoint_id: last }]);
    expect((await call("delete_checkpoint", { checkpoint_id: last })).data).toMatchObject({
      deleted: true,
      cancelled_run: paused.run_id,
    });
    expect((await call("get_run", { run_id: paused.run_id })).data).toMatchObject({ cancelled: true });
    expect(await call("delete_checkpoint", { checkpoint_id: last })).toMatchObject({
      isError: false,
      data: { deleted: false, checkpoint_id: last, message: "It was deleted before." },
    });
    const unknown = { checkpoint_id: "pause_1m7f2c7sr74rpx02_31f28fe7f2" };
    expect((await call("delete_checkpoint", unknown)).data.errors[0]).toMatchObject({
      code: "unknown-checkpoint",
      fix: expect.stringContaining("list_checkpoints"),
    });
  });
}

test("list_runs tells cancelled runs apart, finds them, and finds every status there is", async () => {
  const { call, client } = await connect(createFrond());
  const { data: paused } = await call("execute_inline_workflow", { workflow_yaml: asking });
  const { data: ended } = await call("execute_inline_workflow", { workflow_yaml: asking });
  await call("cancel_run", { run_id: ended.run_id });
  const { tools } = await client.listTools();
  const { inputSchema } = tools.find(({ name }) => name === "list_runs") ?? tools[0] ?? expect.fail();
  const { status } = inputSchema.properties as unknown as { readonly status: { readonly enum: readonly string[] } };
  const found = await Promise.all(
    status.enum.map(async (word) => {
      const { runs } = (await call("list_runs", { status: word })).data;
      for (const run of runs) expect(run.status).toBe(word);
      return [word, runs.map(({ run_id }: { run_id: string }) => run_id)];
    }),
  );
  expect(Object.fromEntries(found)).toEqual({
    success: [],
    failure: [],
    cancelled: [ended.run_id],
    paused: [paused.run_id],
    sleeping: [],
    running: [],
    queued: [],
    interrupted: [],
  });
});

test("list_checkpoints says who may answer", async () => {
  const { call } = await connect(createFrond());
  const forPerson = asking.replace("prompt: Which name?", "prompt: Which name?, audience: human");
  await call("execute_inline_workflow", { workflow_yaml: forPerson });
  const { checkpoints } = (await call("list_checkpoints")).data;
  const audiences = checkpoints.map(({ paused_block_id: block, audience }: Record<string, string>) => [
    block,
    audience,
  ]);
  expect(Object.fromEntries(audiences)).toEqual({ name: "human", size: "llm" });
});

test("the built-in library is listed in fewer than 4,000 characters, the project's own first, and the rest by the call that is named", async () => {
  const own = talking.replace("name: talking", "name: zzz-own");
  const frond = createFrond({ ".frond/workflows/own.yaml": own });
  await frond.run(["trust"]);
  const { call } = await connect(frond);
  const { data, text } = await call("list_workflows");
  expect(text.length).toBeLessThan(4_000);
  expect(data).toMatchObject({ total: expect.any(Number), workflows: { project: { "zzz-own": expect.any(String) } } });
  expect(Object.keys(data.workflows["built-in"])).toHaveLength(data.total - 1);
  for (const line of Object.values(data.workflows["built-in"])) expect((line as string).length).toBeLessThan(85);
  const { data: first } = await call("list_workflows", { limit: 1, tags: ["git"] });
  const [, args = ""] = /^Read on with list_workflows\((.*)\)\.$/.exec(first.message) ?? [];
  const { data: second } = await call("list_workflows", JSON.parse(args));
  expect(Object.keys(second.workflows["built-in"])).toHaveLength(1);
  expect(second.workflows).not.toEqual(first.workflows);
  const { text: info } = await call("get_workflow_info", { workflow: "python-ci-pipeline" });
  expect(info.length).toBeLessThan(2_700);
});

import type { ElicitResult } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { openHttpDoor } from "../rig/http-door.ts";
import { isAlive } from "../rig/is-alive.ts";
import { literalCalls } from "../rig/literal-calls.ts";
import { type Connected, type ConnectOptions, connect, eras, type Reply } from "../rig/mcp.ts";
import { waitFor } from "../rig/wait-for.ts";

const ask = (id: string, inputs: object, more: object = {}): object => ({ id, type: "Prompt", inputs, ...more });

function runText({ call }: Pick<Connected, "call">, blocks: readonly object[], more: object = {}): Promise<Reply> {
  return call("execute_inline_workflow", { workflow_yaml: workflow("inline", blocks), ...more });
}

/** The calls that a message names, as they are made. */
function callsIn(message: string): readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[] {
  return literalCalls(message).map(({ tool, args }) => [tool, args]);
}

for (const era of eras) {
  test(`${era}: a failure names the log call of the failed block, the rerun call, and the blocks that were skipped for it`, async () => {
    const server = await connect(createFrond(), { era });
    const { isError, data } = await runText(server, [
      shell("build", "echo compiling; echo 'no such file: main.c' >&2; exit 2"),
      shell("test", "true", { depends_on: ["build"] }),
      shell("deploy", "true", { depends_on: ["test"] }),
      shell("lint", "true"),
    ]);
    expect(isError).toBe(true);
    expect(data).not.toHaveProperty("error");
    expect(data.failed_blocks).toEqual([
      { block: "build", message: "exit code 2: no such file: main.c", stdout_tail: "compiling" },
    ]);
    expect(data.message).toMatch(/Skipped for it: test, deploy\.$/);
    const [log, rerun] = callsIn(data.message);
    expect(rerun).toEqual(["rerun_workflow", { run_id: data.run_id }]);
    const { content } = await server.client.callTool({ name: log?.[0] ?? "", arguments: log?.[1] ?? {} });
    expect(JSON.stringify(content)).toContain("compiling");
    expect((await server.call("get_run", { run_id: data.run_id })).data).toEqual(data);
    const again = await server.call("rerun_workflow", { ...rerun?.[1] });
    expect(again.data).toMatchObject({ status: "failure", reused: ["lint"] });
  });

  test(`${era}: a refused answer says that the run is still paused, what is asked for, and the call that answers`, async () => {
    const server = await connect(createFrond(), { era });
    const schema = { type: "integer", minimum: 3 };
    const { data: paused } = await runText(server, [ask("size", { prompt: "How many?", schema })]);
    const answer = { checkpoint_id: paused.checkpoint_id, response: "many" };
    const { isError, data } = await server.call("resume_workflow", answer);
    expect(isError).toBe(true);
    expect(data).toMatchObject({ status: "paused", schema, errors: [{ code: "answer-refused" }] });
    expect(data.message).toMatch(/^Not taken; the run is still paused\. Answer with /);
    const [[tool, args] = ["", {}]] = callsIn(data.message);
    expect((await server.call(tool, args)).data).toMatchObject({ status: "success" });
  });

  test(`${era}: a question to a person never holds back one to the model`, async () => {
    const asked: string[] = [];
    const server = await connect(createFrond(), {
      era,
      answer({ message }) {
        asked.push(message);
        return { action: "accept", content: { answer: "yes" } };
      },
    });
    const blocks = [ask("ok", { prompt: "Deploy?", audience: "human" }), ask("way", { prompt: "Which?" })];
    const { data: paused } = await runText(server, blocks);
    expect(paused).toMatchObject({ status: "paused", pending: [{ block: "ok" }, { block: "way", prompt: "Which?" }] });
    expect(paused.message).toContain("they get a form when yours is answered");
    expect(asked).toEqual([]);
    const [[tool, args] = ["", {}]] = callsIn(paused.message);
    expect((await server.call(tool, args)).data).toMatchObject({ status: "success" });
    expect(asked).toHaveLength(1);
  });
}

const transports = {
  stdio: connect,
  http: async (frond: Frond, options: ConnectOptions) => (await openHttpDoor(frond)).connect(options),
};

test.each(["stdio", "http"] as const)(
  "%s: no elicitation outlives wait_seconds, and an answer that comes later counts",
  async (transport) => {
    const forms: ((answer: string) => void)[] = [];
    const answer = (): Promise<ElicitResult> =>
      new Promise((resolve) => {
        forms.push((given) => resolve({ action: "accept", content: { answer: given } }));
      });
    const server = await transports[transport](createFrond(), { answer });
    const blocks = [ask("ok", { prompt: "Deploy?", audience: "human" })];
    const { data: paused } = await runText(server, blocks, { wait_seconds: 1 });
    expect(paused).toMatchObject({ status: "paused", message: expect.stringContaining("has not answered yet") });
    const [[tool, args] = ["", {}]] = callsIn(paused.message);
    const waiting = server.call(tool, args);
    forms[0]?.("yes");
    expect((await waiting).data).toMatchObject({ status: "success" });
    // The form was open still, so it was not shown again.
    expect(forms).toHaveLength(1);

    const { data: other } = await runText(server, blocks, { wait_seconds: 0.5 });
    forms[1]?.("no");
    await waitFor("the late answer to count", async () => {
      const { data } = await server.call("get_run", { run_id: other.run_id });
      return data.status === "success";
    });
  },
);

test("a form that is open keeps no server alive whose client is gone", async () => {
  const server = await connect(createFrond(), { answer: () => new Promise(() => {}), alone: true });
  const blocks = [ask("ok", { prompt: "Deploy?", audience: "human" })];
  expect((await runText(server, blocks, { wait_seconds: 0.2 })).data.status).toBe("paused");
  await server.client.close();
  await waitFor("the server to end", () => !isAlive(server.pid));
});

test("a run without declared outputs returns the end of the stdout of its last blocks", async () => {
  const server = await connect(createFrond());
  expect((await runText(server, [shell("say", "echo hello")])).data.stdout_tail).toEqual({ say: "hello" });
  const { data } = await runText(server, [
    shell("first", "echo not this"),
    shell("long", "seq 1 5000", { depends_on: ["first"] }),
    shell("each", "echo ${each.value}", { for_each: ["a", "b"] }),
    shell("quiet", "true"),
  ]);
  expect(Object.keys(data.stdout_tail)).toEqual(["long", "each/0", "each/1"]);
  expect(data.stdout_tail["each/1"]).toBe("b");
  expect(data.stdout_tail.long).toMatch(/^\.\.\.[\d\n]*4999\n5000$/);
  expect(Object.values(data.stdout_tail).join("").length).toBeLessThanOrEqual(2_000);
});

test("nothing is said twice: not a question, not an error, no defaults, no flags beside status and outcome", async () => {
  const server = await connect(createFrond());
  const diff = Array.from({ length: 40 }, (_, index) => `+ line ${index}`).join("\n");
  const blocks = [
    shell("diff", 'for i in $(seq 0 39); do echo "+ line $i"; done'),
    ask("ok", { prompt: "Is this right?\n${blocks.diff.stdout}" }),
  ];
  const { data } = await runText(server, blocks, { response_format: "detailed" });
  expect(data).toMatchObject({ paused_block_id: "ok", prompt: `Is this right?\n${diff}\n`, audience: "llm" });
  expect(data).not.toHaveProperty("pending");
  expect(JSON.stringify(data).split("+ line 39")).toHaveLength(2);
  expect(data.blocks.diff.inputs).toEqual({ command: expect.any(String) });
  expect(Object.keys(data.blocks.diff.metadata).sort()).toEqual(
    [
      "attempts",
      "completed_at",
      "execution_order",
      "execution_time_ms",
      "outcome",
      "started_at",
      "status",
      "wave",
    ].sort(),
  );
  const { data: block } = await server.call("get_run", { run_id: data.run_id, path: "ok" });
  expect(JSON.stringify(block).split("+ line 39")).toHaveLength(2);
  const { data: refused } = await server.call("execute_inline_workflow", { workflow_yaml: "name: x\nblocks: 1" });
  expect(refused.error).toMatch(/^Not done: \d+ errors?\.$/);
  expect(JSON.stringify(refused)).not.toContain("inline.yaml");
});

test("a running reply says done/total, the blocks that run with their seconds, and the last log line", async () => {
  const frond = createFrond();
  const server = await connect(frond);
  const blocks = [
    shell("first", "true"),
    shell("slow", "echo 'step 1 of 9'; while [ ! -e go ]; do sleep 0.02; done", { depends_on: ["first"] }),
    shell("last", "true", { depends_on: ["slow"] }),
  ];
  const { data: begun } = await runText(server, blocks, { wait_seconds: 0 });
  let data = begun;
  await waitFor("the line to be logged", async () => {
    ({ data } = await server.call("get_run", { run_id: begun.run_id }));
    return data.last_line !== undefined;
  });
  expect(data).toMatchObject({ status: "running", done: 1, total: 3, last_line: "step 1 of 9" });
  expect(data.running).toEqual({ slow: expect.any(Number) });

  const { data: cancelled } = await server.call("cancel_run", { run_id: begun.run_id });
  expect(cancelled).toEqual({
    status: "failure",
    run_id: begun.run_id,
    cancelled: true,
    was_running: ["slow"],
    message: expect.stringMatching(/^get_run\(.*\) tells what it had done; rerun_workflow\(.*\) runs the rest\.$/),
  });
});

test("isError says that a call was refused, or that the run or block that it tells about has failed", async () => {
  const server = await connect(createFrond());
  const { data } = await runText(server, [shell("good", "true"), shell("bad", "exit 3")]);
  const look = async (args: object): Promise<boolean> =>
    (await server.call("get_run", { run_id: data.run_id, ...args })).isError;
  expect(await look({})).toBe(true);
  expect(await look({ path: "bad" })).toBe(true);
  expect(await look({ path: "good" })).toBe(false);
  expect(await look({ path: "none" })).toBe(true);
});

test("a handled failure is no plain success: the reply names the call that shows it", async () => {
  const server = await connect(createFrond());
  const { data } = await runText(server, [shell("bad", "exit 3", { allow_failure: true })]);
  expect(data).toMatchObject({ status: "success", handled_failures: [{ block: "bad" }] });
  expect(callsIn(data.message)).toEqual([
    ["get_run", { run_id: data.run_id, path: "bad", include: ["log"], tail: expect.any(Number) }],
  ]);
});

test("every refusal names a call, in what to fix or in its message", async () => {
  const { call } = await connect(createFrond());
  for (const [tool, args] of [
    ["execute_inline_workflow", { workflow_yaml: "name: x" }],
    ["execute_workflow", { workflow: "nothing" }],
    ["execute_workflow", {}],
    ["resume_workflow", { checkpoint_id: "pause_1m7f2c7sr74rpx02_31f28fe7f2", response: 1 }],
    ["get_run", { run_id: "run_nothing" }],
    ["cancel_run", { run_id: "run_nothing" }],
    ["rerun_workflow", { run_id: "run_nothing" }],
  ] as const) {
    const { isError, data } = await call(tool, args);
    expect(isError).toBe(true);
    const said = [data.message, ...data.errors.map(({ fix }: { fix?: string }) => fix)].join(" ");
    expect(said, tool).toMatch(/\b(get|list|execute|resume|cancel|rerun)_[a-z]+/);
  }
});

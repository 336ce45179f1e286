import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { connect, shareServer } from "../rig/mcp.ts";

const server = shareServer();

test("an argument of the wrong kind is told as that, with what to give, and never as one that is missing", async () => {
  const { call } = server();
  const tell = async (given: object): Promise<readonly object[]> =>
    (await call("execute_workflow", { workflow: "hello-world", ...given })).data.errors;
  expect(await tell({ inputs: '{"name":"Ada"}', wait_seconds: "5" })).toEqual([
    {
      code: "wrong-argument",
      message: "The argument 'inputs' of execute_workflow must be a map, not a text.",
      fix: "Give the value itself, not its JSON as a text.",
    },
    expect.objectContaining({
      message: "The argument 'wait_seconds' of execute_workflow must be a number, not a text.",
    }),
  ]);
  expect(await tell({ inputs: [] })).toMatchObject([
    { message: "The argument 'inputs' of execute_workflow must be a map." },
  ]);
  expect(await tell({ wait_seconds: null })).toMatchObject([{ code: "wrong-argument" }]);
});

test("a missing argument is told with all that there are, and which of them can be left out", async () => {
  const { call } = server();
  expect((await call("execute_workflow")).data.errors).toMatchObject([
    {
      code: "missing-argument",
      fix: "It takes: workflow, inputs?, response_format?, wait_seconds?, idempotency_key?, workspace?, dry_run?.",
    },
  ]);
});

test("what a client adds to every tool for its own use is none of Frond's, unless the tool has it itself", async () => {
  const echo = workflow("echo-own", [shell("say", "echo ${inputs.wait_for_previous}")], {
    inputs: { wait_for_previous: { type: "boolean", description: "Said back" } },
    outputs: { said: "${blocks.say.stdout}" },
  });
  const frond = createFrond({ ".frond/workflows/echo-own.yaml": echo });
  await frond.run(["trust"]);
  const { call } = await connect(frond, { args: ["--expose", "hello-world,echo-own"] });
  const added = { wait_for_previous: true };
  expect((await call("execute_workflow", { workflow: "hello-world", ...added })).data.status).toBe("success");
  expect((await call("run_hello_world", added)).data.status).toBe("success");
  expect((await call("run_echo_own", added)).data).toMatchObject({ outputs: { said: "true\n" } });
});

test("a cursor of what is no longer there is refused, and not taken for the end of the list", async () => {
  const { call } = server();
  await call("execute_workflow", { workflow: "hello-world" });
  expect((await call("list_runs", { cursor: "run_0000000000000000" })).data.errors).toMatchObject([
    { code: "stale-cursor", fix: expect.stringContaining("list_runs({})") },
  ]);
});

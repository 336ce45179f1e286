import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { type Connected, connect } from "../rig/mcp.ts";

const child = workflow("child", [
  shell("x", "echo in x; if [ -e mark ]; then rm mark; else touch mark; echo broken >&2; exit 3; fi"),
]);

const nested = workflow("nested", [
  { id: "sub", type: "ExecuteWorkflow", inputs: { workflow: "child" }, retry: { attempts: 2, delay: 0 } },
]);

const flaky = workflow("flaky", [
  shell("flaky", "echo try ${metadata.attempt}; test ${metadata.attempt} -ge 2", { retry: { attempts: 2, delay: 0 } }),
]);

async function ran(text: string): Promise<{ readonly runId: string; readonly call: Connected["call"] }> {
  const frond = createFrond({ ".frond/workflows/child.yaml": child });
  await frond.run(["trust"]);
  const { call } = await connect(frond);
  const { data } = await call("execute_inline_workflow", { workflow_yaml: text });
  expect(data.status).toBe("success");
  return { runId: data.run_id, call };
}

test("get_run gives a block as it was in an earlier attempt, with its log and what happened to it", async () => {
  const { runId: run_id, call } = await ran(nested);
  expect((await call("get_run", { run_id, path: "sub" })).data.metadata).toMatchObject({
    attempts: 2,
    attempt_history: [
      { status: "completed", outcome: "failure", message: "'x' failed: exit code 3: broken" },
      { status: "completed", outcome: "success", message: null },
    ],
  });
  expect((await call("get_run", { run_id, path: "sub/x" })).data.outputs.exit_code).toBe(0);
  const { data } = await call("get_run", { run_id, path: "sub@1/x", include: ["outputs", "events"] });
  expect(data).toMatchObject({ block: "sub@1/x", outputs: { exit_code: 3 } });
  expect(data.events.map(({ type }: { type: string }) => type)).toContain("block-finished");
  const { text } = await call("get_run", { run_id, path: "sub@1/x", include: ["log"] });
  expect(text).toMatch(/\]\nin x\nbroken\n$/);
});

test("get_run says which attempt there was not, and how many there were", async () => {
  const { runId: run_id, call } = await ran(nested);
  expect(await call("get_run", { run_id, path: "sub@3/x" })).toMatchObject({
    isError: true,
    data: {
      errors: [
        {
          code: "unknown-attempt",
          message: "There is no 'sub@3': 'sub' has had 2 attempts.",
          fix: "Write 'sub@2' for its latest.",
        },
      ],
    },
  });
});

test("a log names each attempt after the first", async () => {
  const one = await ran(flaky);
  expect((await one.call("get_run", { run_id: one.runId, include: ["log"] })).text).toMatch(
    /\]\ntry 1\n== flaky@2\ntry 2\n$/,
  );
  const other = await ran(nested);
  expect((await other.call("get_run", { run_id: other.runId, path: "sub/x", include: ["log"] })).text).toMatch(
    /\]\nin x\nbroken\n== sub@2\/x\nin x\n$/,
  );
});

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { loseRun, waitForGo } from "../rig/lose-run.ts";
import { connect } from "../rig/mcp.ts";

const user = "../home/.frond/workflows";

test("a workflow that does not exist is refused with the names that are like it and the literal next call", async () => {
  const frond = createFrond({ [`${user}/ship.yaml`]: workflow("ship-to-production", [shell("a", "true")]) });
  const { call } = await connect(frond);
  const { data } = await call("execute_workflow", { workflow: "production" });
  expect(data.errors).toMatchObject([
    {
      code: "unknown-workflow",
      message: "No workflow is named 'production'.",
      fix: "Did you mean 'ship-to-production'? Call list_workflows({}) for those there are.",
    },
  ]);
  expect((await call("get_workflow_info", { workflow: "zzzz" })).data.errors).toMatchObject([
    { fix: "Call list_workflows({}) for those there are." },
  ]);
  expect((await call("execute_workflow", { workflow: ".frond/workflows/ship.yaml" })).data.errors).toMatchObject([
    { fix: expect.stringContaining("Its name is 'ship-to-production'.") },
  ]);
});

test("everything wrong with the inputs is told at once, with the call that shows them", async () => {
  const inputs = {
    count: { type: "integer", required: true, description: "How many" },
    stage: { type: "string", enum: ["dev", "prod"], required: true, description: "Where" },
    token: { type: "string", secret: true, required: true, description: "Which" },
    who: { type: "string", required: true, description: "Who" },
  };
  const text = workflow("take", [shell("a", "true")], { inputs });
  const { call } = await connect(createFrond({ [`${user}/take.yaml`]: text }));
  const given = { count: "many", stage: "staging", nope: 1 };
  const { data, isError } = await call("execute_workflow", { workflow: "take", inputs: given });
  expect(isError).toBe(true);
  expect(data.errors.map(({ code }: { code: string }) => code).sort()).toEqual([
    "missing-input",
    "not-in-enum",
    "secret-input",
    "unknown-input",
    "wrong-type",
  ]);
  expect(data.message).toBe('Call get_workflow_info({"workflow":"take"}) for its inputs.');
  const inline = await call("execute_inline_workflow", { workflow_yaml: text, inputs: {} });
  expect(inline.data.message).toBe("Once that is fixed, call execute_inline_workflow again.");
});

test("directories that are not looked into are named where a workflow is looked for", async () => {
  const frond = createFrond({ "a-file": "x" });
  const paths = ["relative", join(frond.directory, "missing"), join(frond.directory, "a-file")];
  const { call } = await connect(frond, { env: { WORKFLOWS_TEMPLATE_PATHS: paths.join(",") } });
  const warnings = [
    "The workflow directory relative is ignored: it must be an absolute path or start with ~ (WORKFLOWS_TEMPLATE_PATHS).",
    `The workflow directory ${paths[1]} does not exist (WORKFLOWS_TEMPLATE_PATHS).`,
    `The workflow directory ${paths[2]} is a file (WORKFLOWS_TEMPLATE_PATHS).`,
  ];
  expect((await call("list_workflows", { limit: 1 })).data.warnings).toEqual(warnings);
  expect((await call("execute_workflow", { workflow: "mine" })).data.errors[0].why).toBe(warnings.join(" "));
  mkdirSync(join(frond.directory, "missing"));
});

test("a broken workflow is refused with its problems, and never is a built-in one of its name run instead", async () => {
  const frond = createFrond({
    [`${user}/mine.yaml`]: workflow("hello-world", [{ id: "a", type: "Shel" }]),
    [`${user}/tdd-cycle.yaml`]: "{",
    "calls.yaml": workflow("calls", [{ id: "go", type: "ExecuteWorkflow", inputs: { workflow: "hello-world" } }]),
  });
  const { call } = await connect(frond);
  for (const tool of ["execute_workflow", "get_workflow_info"]) {
    expect((await call(tool, { workflow: "hello-world" })).data).toMatchObject({
      status: "failure",
      errors: [{ code: "unknown-block-type", block: "a" }],
    });
    expect((await call(tool, { workflow: "tdd-cycle" })).data.errors).toMatchObject([{ code: "yaml-syntax" }]);
  }
  const { code, stderr } = await frond.run(["run", "hello-world"]);
  expect(code).toBe(2);
  expect(stderr).toContain("There is no block type 'Shel'.");
  const called = await frond.run(["run", "calls.yaml"]);
  expect(called.code).toBe(2);
  expect(called.stderr).toContain("The workflow 'hello-world' can't be run: There is no block type 'Shel'.");
});

test("that a project's own workflow is not trusted, so that another of its name runs, is said with the result", async () => {
  const frond = createFrond({ ".frond/workflows/hello.yaml": workflow("hello-world", [shell("a", "echo mine")]) });
  const { call } = await connect(frond);
  const said = expect.stringMatching(/^'hello-world' is the one in .*: the project's own, .* is not trusted\./);
  const ran = await call("execute_workflow", { workflow: "hello-world" });
  expect(ran.data).toMatchObject({ status: "success", warnings: [said] });
  expect((await call("get_workflow_info", { workflow: "hello-world" })).data.warnings).toEqual([said]);
  const { stderr } = await frond.run(["run", "hello-world"]);
  expect(stderr).toContain("the project's own");
  expect(stderr).toContain("frond trust");
  await frond.run(["trust"]);
  const own = await call("execute_workflow", { workflow: "hello-world" });
  expect(own.data.warnings).toBeUndefined();
  expect((await call("list_workflows", { query: "hello-world" })).data).toMatchObject({
    workflows: { project: { "hello-world": expect.any(String) } },
    replace_built_in: ["hello-world"],
  });
});

test("a tool that does not exist is told apart by its verb", async () => {
  const { call } = await connect(createFrond());
  await expect(call("run_workflow", {})).rejects.toThrow("There is no tool 'run_workflow'. Use execute_workflow.");
  await expect(call("schedule_workflow", {})).rejects.toThrow("There are no schedules");
});

test("the checkpoint of an interrupted run names the call that goes on with it", async () => {
  const frond = createFrond({ "lost.yaml": workflow("lost", [shell("a", waitForGo("a"))]) });
  const runId = await loseRun(frond, "lost.yaml", 1);
  const { call } = await connect(frond);
  const [checkpoint] = (await call("list_checkpoints", {})).data.checkpoints;
  expect(checkpoint).toMatchObject({ run_id: runId, type: "automatic" });
  const { checkpoint_id } = checkpoint;
  const { data } = await call("get_checkpoint_info", { checkpoint_id });
  expect(data.run_status).toBe("interrupted");
  expect(data.message).toContain(`resume_workflow(${JSON.stringify({ checkpoint_id })})`);
});

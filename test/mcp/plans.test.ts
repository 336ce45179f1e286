import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTree } from "../rig/file-tree.ts";
import { createFrond, type Frond } from "../rig/frond.ts";
import { type Connected, connect } from "../rig/mcp.ts";

const everything = "core,authoring,checkpoints,runs,undo,plans";

async function start(...more: readonly string[]): Promise<{ readonly frond: Frond; readonly server: Connected }> {
  const frond = createFrond({ "a.txt": "one\n" });
  return { frond, server: await connect(frond, { args: ["--toolsets", everything, ...more] }) };
}

function stepsEnding(command: string): readonly object[] {
  return [
    { step_id: "write", action_type: "create_file", path: "src/new.txt", content: "new\n" },
    { step_id: "edit-it", action_type: "modify_file", path: "a.txt", old_text: "one", new_text: "two" },
    { step_id: "check", action_type: "run_command", command, max_retries: 0 },
  ];
}

test("execute_plan is offered only where its toolset is named, and never where no text or no run is allowed", async () => {
  const names = async (...args: readonly string[]): Promise<readonly string[]> => {
    const server = await connect(createFrond(), { args });
    return (await server.client.listTools()).tools.map(({ name }) => name);
  };
  expect(await names()).not.toContain("execute_plan");
  expect(await names("--toolsets", "plans")).toEqual(["execute_plan"]);
  for (const option of ["--no-inline", "--read-only"]) {
    expect(await names("--toolsets", everything, option)).not.toContain("execute_plan");
  }
});

test("a plan gives what became of its steps, and the call that takes it back", async () => {
  const { frond, server } = await start();
  const { data } = await server.call("execute_plan", {
    plan: { overview: "Change it", steps: stepsEnding("cat a.txt") },
  });
  const steps = { total: 3, completed: 3, failed: 0, skipped: 0, rolled_back: 0 };
  expect(data).toMatchObject({
    status: "success",
    workflow: "change-it",
    steps,
    block_ids: { "edit-it": "edit_it" },
    duration_ms: expect.any(Number),
    message: `To take back what it changed: undo_run(${JSON.stringify({ run_id: data.run_id })}).`,
  });
  expect((await server.call("get_run", { run_id: data.run_id })).data).toMatchObject({ steps });
  await server.call("undo_run", { run_id: data.run_id });
  expect([frond.read("a.txt"), existsSync(join(frond.directory, "src"))]).toEqual(["one\n", false]);
});

test("a plan that fails is rolled back, and says which run did that", async () => {
  const { frond, server } = await start();
  const before = readTree(frond.directory);
  const { data, isError } = await server.call("execute_plan", { plan: stepsEnding("echo > left; exit 3") });
  expect([isError, data]).toMatchObject([
    true,
    {
      status: "failure",
      steps: { total: 3, completed: 2, failed: 1, skipped: 0, rolled_back: 3 },
      rollback: { state: "complete", undo_run: expect.stringMatching(/^run_/) },
    },
  ]);
  expect(data.message).not.toContain("undo_run");
  expect(readTree(frond.directory)).toEqual(before);
});

test("all problems of a plan come in one reply, and nothing is run", async () => {
  const { server } = await start();
  const plan =
    'Plan:\n```json\n[{"tool": "run_comand"}, {"tool": "bash", "cmd": "ls", "depends_on": [5], "retries": "many"}]\n```';
  const { data, isError } = await server.call("execute_plan", { plan });
  expect([isError, data]).toEqual([
    true,
    {
      status: "failure",
      error: "Not done: 3 errors.",
      message: "Once that is fixed, call execute_plan again.",
      errors: [
        {
          code: "unknown-action",
          message: "Step 1 has the unknown action 'run_comand'.",
          fix: "Did you mean 'run_command'?",
        },
        {
          code: "bad-field",
          message: "Step 2 has a 'max_retries' that must be a whole number from 0 to 99, not the text 'many'.",
        },
        {
          code: "unknown-dependency",
          message: "Step 2 depends on '5', which is no step of the plan.",
          fix: "No step has a step_id, so steps are counted from 0: 0 to 1.",
        },
      ],
    },
  ]);
  expect((await server.call("list_runs")).data.runs).toEqual([]);
});

test("compile only shows the workflow, which can be sent and saved", async () => {
  const { frond, server } = await start();
  const { data } = await server.call("execute_plan", { plan: stepsEnding("true"), compile: true, on_failure: "stop" });
  expect(data).toMatchObject({ status: "compiled", workflow: "plan", block_ids: { "edit-it": "edit_it" } });
  expect(data.workflow_yaml).toContain("on_failure: stop");
  expect(frond.read("a.txt")).toBe("one\n");
  const { data: valid } = await server.call("validate_workflow_yaml", { workflow_yaml: data.workflow_yaml });
  expect(valid).toMatchObject({ valid: true });
  expect((await server.call("save_workflow", { workflow_yaml: data.workflow_yaml })).data.trusted).toBe(true);
  expect((await server.call("execute_workflow", { workflow: "plan" })).data.steps).toMatchObject({ completed: 3 });
  expect(frond.read("a.txt")).toBe("two\n");
});

test("dry_run tells the changes of files and makes none", async () => {
  const { frond, server } = await start();
  const before = readTree(frond.directory);
  const { data } = await server.call("execute_plan", { plan: stepsEnding("true"), dry_run: true });
  expect(data).toMatchObject({ status: "dry_run", counts: { "would run": 3 } });
  expect(JSON.stringify(data.files)).toContain("-one\\n+two\\n");
  expect(readTree(frond.directory)).toEqual(before);
});

test("a step that asks the user asks a person, and the plan goes on when they have answered", async () => {
  const { frond, server } = await start();
  const plan = [
    { action_type: "get_user_input", prompt: "Go on?" },
    { action_type: "run_command", command: "touch done" },
  ];
  const { data } = await server.call("execute_plan", { plan });
  expect(data).toMatchObject({
    status: "paused",
    audience: "human",
    prompt: "Go on?",
    steps: { completed: 0, total: 2 },
  });
  const refused = await server.call("resume_workflow", { checkpoint_id: data.checkpoint_id, response: "yes" });
  expect(refused.isError).toBe(true);
  expect(existsSync(join(frond.directory, "done"))).toBe(false);
});

test("a budget of the call is that of the workflow", async () => {
  const { server } = await start();
  const plan = { budget: 5, steps: [{ tool: "bash", cmd: "true", cost: { usd: 0.2 }, max_retries: 0 }] };
  const { data: own } = await server.call("execute_plan", { plan, compile: true });
  expect(own.workflow_yaml).toContain("budget: { max_cost_usd: 5 }");
  expect(own.workflow_yaml).toContain("cost: { usd: 0.2 }");
  const budget = { max_cost_usd: 0.1, on_exceeded: "stop" };
  const { data } = await server.call("execute_plan", { plan, budget });
  expect(data).toMatchObject({ status: "failure", steps: { completed: 0 } });
  const { data: wrong } = await server.call("execute_plan", { plan, budget: { max_cost: 1 } });
  expect(wrong).toMatchObject({ status: "failure", errors: [{ fix: expect.stringContaining("max_cost_usd") }] });
});

test("a plan gets no secret, whatever it says", async () => {
  const frond = createFrond();
  const server = await connect(frond, { args: ["--toolsets", everything], env: { FROND_SECRET_KEY: "hush-hush" } });
  const plan = [
    { action_type: "create_file", path: "a", content: "${secrets.KEY}" },
    { action_type: "run_command", command: 'echo "${secrets.KEY}" > b', rollback_on_fail: false, max_retries: 0 },
    { action_type: "run_command", command: ["echo", "${secrets.KEY}"] },
  ];
  const { data } = await server.call("execute_plan", { plan });
  expect(frond.read("a")).toBe("${secrets.KEY}");
  expect(JSON.stringify(data)).not.toContain("hush");
});

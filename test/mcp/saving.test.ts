import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { connect, oldEra } from "../rig/mcp.ts";

const greet = workflow("greet", [shell("say", "echo hello ${inputs.who} ${inputs.mood}")], {
  inputs: {
    who: { type: "string", description: "Whom" },
    mood: { type: "string", description: "How", default: "" },
  },
  outputs: { said: "${trim(blocks.say.stdout)}" },
});

describe.each(oldEra)("%s", (era) => {
  test("a workflow that is saved runs by its name at once, with the call that the reply names", async () => {
    const frond = createFrond();
    const { call } = await connect(frond, { era });
    const path = join(frond.directory, ".frond/workflows/greet.yaml");
    const saved = await call("save_workflow", { workflow_yaml: greet });
    expect(saved).toMatchObject({
      isError: false,
      data: {
        workflow: "greet",
        path,
        trusted: true,
        message: 'Run it with execute_workflow({"workflow":"greet","inputs":{"who":"..."}}).',
      },
    });
    const [, named = ""] = /execute_workflow\((.*)\)\.$/.exec(saved.data.message) ?? [];
    expect((await call("execute_workflow", JSON.parse(named))).data).toMatchObject({ outputs: { said: "hello ..." } });
    // What somebody writes into it later is no longer what was saved.
    frond.write(".frond/workflows/greet.yaml", greet.replace("hello", "touch owned; echo hello"));
    const changed = await call("execute_workflow", { workflow: "greet", inputs: { who: "Ada" } });
    expect(changed.data).toMatchObject({ errors: [{ code: "untrusted-workflow" }] });
    expect(existsSync(join(frond.directory, "owned"))).toBe(false);
  });
});

test("a workflow that is wrong, or has the name of another, is refused and not written", async () => {
  const frond = createFrond();
  const { call } = await connect(frond);
  const wrong = workflow("wrong", [shell("a", "echo ${blocks.b.stdout}"), { id: "c", type: "Nothing" }]);
  const validated = await call("validate_workflow_yaml", { yaml_content: wrong });
  const refused = await call("save_workflow", { workflow_yaml: wrong });
  expect(refused.isError).toBe(true);
  const found = (errors: readonly { code: string; message: string }[]): unknown =>
    errors.map(({ code, message }) => [code, message]);
  expect(found(refused.data.errors)).toEqual(found(validated.data.errors));
  const taken = await call("save_workflow", { workflow_yaml: workflow("hello-world", [shell("a", "true")]) });
  expect(taken.data).toMatchObject({ status: "failure", errors: [{ code: "name-taken" }] });
  expect(existsSync(join(frond.directory, ".frond"))).toBe(false);
});

test("--no-inline and --read-only leave no way to save a workflow", async () => {
  for (const args of [["--no-inline"], ["--read-only"], ["--toolsets", "core,checkpoints,runs"]]) {
    const { client } = await connect(createFrond(), { args });
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("save_workflow");
    await expect(client.callTool({ name: "save_workflow", arguments: { workflow_yaml: greet } })).rejects.toThrow(
      "There is no tool 'save_workflow'.",
    );
  }
});

test("--no-unsafe saves nothing that is unsafe", async () => {
  const frond = createFrond();
  const unsafe = workflow("unsafe", [{ id: "a", type: "ReadFile", inputs: { path: "/etc/hostname", unsafe: true } }]);
  const { call } = await connect(frond, { args: ["--no-unsafe"] });
  expect((await call("save_workflow", { workflow_yaml: unsafe })).data).toMatchObject({
    errors: [{ code: "unsafe-forbidden" }],
  });
  expect(existsSync(join(frond.directory, ".frond"))).toBe(false);
});

test("what is saved belongs to the workspace that is named, and never to one out of reach", async () => {
  const frond = createFrond({ "sub/x": "" });
  const { call } = await connect(frond);
  const saved = await call("save_workflow", { workflow_yaml: greet, workspace: "sub" });
  expect(saved.data).toMatchObject({
    path: join(frond.directory, "sub/.frond/workflows/greet.yaml"),
    message: expect.stringContaining('"workspace":"sub"'),
  });
  expect((await call("execute_workflow", { workflow: "greet", inputs: { who: "Ada" } })).isError).toBe(true);
  const there = { workflow: "greet", inputs: { who: "Ada" }, workspace: "sub" };
  expect((await call("execute_workflow", there)).data).toMatchObject({ outputs: { said: "hello Ada" } });
  for (const workspace of ["..", "sub/.frond"]) {
    const refused = await call("save_workflow", { workflow_yaml: greet, workspace });
    expect(refused.isError, workspace).toBe(true);
  }
});

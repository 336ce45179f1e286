import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";

const good = workflow("good", [shell("a", "echo hi")], { outputs: { said: "${trim(blocks.a.stdout)}" } });
const wrong = workflow("wrong", [shell("a", "echo ${inputs.x} ${blocks.b.stdout}"), { id: "c", type: "Shel" }], {
  outputs: { x: "${filter(inputs.y)}" },
});

test("execute_workflow takes the path of a file in the workspace, if it is trusted", async () => {
  const frond = createFrond({ ".frond/workflows/sub/x.yaml": good });
  await frond.run(["trust"]);
  const { call } = await connect(frond);
  for (const path of [
    ".frond/workflows/sub/x.yaml",
    "./.frond/workflows/sub/x.yaml",
    join(frond.directory, ".frond/workflows/sub/x.yaml"),
  ]) {
    expect((await call("execute_workflow", { workflow: path })).data).toMatchObject({
      status: "success",
      workflow: "good",
      outputs: { said: "hi" },
    });
    expect((await call("get_workflow_info", { workflow: path })).data).toMatchObject({
      name: "good",
      source: "project",
    });
  }
});

test("a path that can't be run is refused with exactly what to do, and never as a name that there is not", async () => {
  const frond = createFrond({ ".frond/workflows/x.yaml": good, "flows/y.yaml": good, "../z.yaml": good });
  symlinkSync(join(frond.directory, "../z.yaml"), join(frond.directory, "flows/link.yaml"));
  const { call } = await connect(frond);
  const refusal = async (path: string): Promise<{ code: string; fix: string; message: string }> => {
    const { data, isError } = await call("execute_workflow", { workflow: path });
    expect(isError).toBe(true);
    expect(data.error).not.toMatch(/No workflow is named|There is no workflow/);
    return data.errors[0];
  };
  expect(await refusal(".frond/workflows/x.yaml")).toMatchObject({
    code: "untrusted-workflow",
    fix: expect.stringContaining("frond trust"),
  });
  expect(await refusal("flows/y.yaml")).toMatchObject({
    code: "untrusted-workflow",
    fix: expect.stringMatching(/^Call save_workflow with its text.*execute_inline_workflow.* frond trust \/.*\/work`/),
  });
  for (const path of ["../z.yaml", "flows/link.yaml"]) expect((await refusal(path)).code).toBe("path-not-allowed");
  expect(await refusal("flows/none.yaml")).toMatchObject({
    code: "no-such-file",
    fix: expect.stringContaining("list_workflows"),
  });
});

test("validate_workflow_yaml takes a text, a name or a path in the workspace, trusted or not, and runs nothing", async () => {
  const frond = createFrond({ ".frond/workflows/good.yaml": good, "flows/wrong.yaml": wrong, "../z.yaml": good });
  const { call } = await connect(frond);
  const codes = async (args: object): Promise<string[]> => {
    const { data } = await call("validate_workflow_yaml", { ...args });
    return [String(data.valid), ...(data.errors ?? []).map(({ code }: { code: string }) => code)];
  };
  expect(await codes({ workflow_yaml: good })).toEqual(["true"]);
  expect(await codes({ yaml_content: good })).toEqual(["true"]);
  expect(await codes({ workflow: "hello-world" })).toEqual(["true"]);
  expect(await codes({ workflow: ".frond/workflows/good.yaml" })).toEqual(["true"]);
  expect(await codes({ workflow: "flows/wrong.yaml" })).toEqual(await codes({ workflow_yaml: wrong }));
  expect(await codes({ workflow: "../z.yaml" })).toEqual(["undefined", "path-not-allowed"]);
  expect(await codes({ workflow: "no-such" })).toEqual(["undefined", "unknown-workflow"]);
  expect(await codes({})).toEqual(["undefined", "which-workflow"]);
  expect(await codes({ workflow: "a", workflow_yaml: good })).toEqual(["undefined", "which-workflow"]);
});

test("each error names its block, several of one expression are told, and nothing that the reader knows", async () => {
  const { call } = await connect(createFrond());
  const { data, text } = await call("validate_workflow_yaml", { workflow_yaml: wrong });
  const told = data.errors.map(({ code, block }: { code: string; block?: string }) => [code, block]);
  expect(told).toEqual([
    ["unknown-function", undefined],
    ["unknown-input", undefined],
    ["unknown-input", "a"],
    ["unknown-block", "a"],
    ["unknown-block-type", "c"],
  ]);
  expect(data.errors[0].fix).toContain("where");
  const edges = workflow(
    "edges",
    [
      { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } },
      shell("reads", 'echo "${blocks.ask.response}"'),
      { id: "file", type: "ReadFile", inputs: { path: "a", required: false } },
      shell("found", "true", { condition: "${blocks.file.succeeded}", depends_on: ["file"] }),
      shell("circle", 'echo "${blocks.again.stdout}"'),
      shell("again", 'echo "${blocks.circle.stdout}"'),
    ],
    { finally: [{ id: "late", type: "Prompt", inputs: { prompt: "Really?" }, depends_on: ["found"] }] },
  );
  const found = (await call("validate_workflow_yaml", { workflow_yaml: edges })).data;
  const all = [...found.errors, ...found.warnings, ...found.hints];
  expect(all.map(({ code }) => code)).toEqual(expect.arrayContaining(["cycle", "finally-dependency"]));
  for (const { code, block } of all) expect(block, code).toBeTypeOf("string");
  for (const noise of ["inline.yaml", '"level"', '"undo"', "end_line"]) expect(text).not.toContain(noise);
});

test("parameters of the same meaning have the same name in every tool, and those of the founding tools are accepted", async () => {
  const { client, call } = await connect(createFrond());
  const others =
    /^(workflow_name|workflow_id|name|yaml|yaml_content|text|run|id|checkpoint|count|max|page|next_cursor)$/;
  for (const { name, inputSchema } of (await client.listTools()).tools) {
    expect(
      Object.keys(inputSchema.properties ?? {}).filter((parameter) => others.test(parameter)),
      name,
    ).toEqual([]);
  }
  for (const [tool, args] of [
    ["execute_workflow", { workflow_name: "hello-world" }],
    ["get_workflow_info", { workflow_name: "hello-world" }],
    ["list_checkpoints", { workflow_name: "hello-world" }],
    ["list_runs", { workflow_name: "hello-world" }],
    ["validate_workflow_yaml", { yaml_content: good }],
    ["execute_inline_workflow", { yaml_content: good }],
  ] as const) {
    expect((await call(tool, args)).isError, tool).toBe(false);
  }
  const { data } = await call("execute_workflow", { workflow_name: "a", workflow: "hello-world" });
  expect(data.errors[0]).toMatchObject({ code: "unknown-argument" });
});

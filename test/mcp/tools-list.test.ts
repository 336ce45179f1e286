import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { type Connected, connect, shareServer } from "../rig/mcp.ts";

const names = [
  "cancel_run",
  "delete_checkpoint",
  "execute_inline_workflow",
  "execute_workflow",
  "get_checkpoint_info",
  "get_run",
  "get_workflow_info",
  "get_workflow_schema",
  "list_checkpoints",
  "list_runs",
  "list_workflows",
  "rerun_workflow",
  "resume_workflow",
  "save_workflow",
  "test_workflow",
  "undo_run",
  "validate_workflow_yaml",
];

type Listed = Awaited<ReturnType<Connected["client"]["listTools"]>>["tools"];

const shared = shareServer();

async function listTools({ client }: Connected = shared()): Promise<Listed> {
  return (await client.listTools()).tools;
}

test("the tools are sorted and the same for every client, server and era", async () => {
  const newer = await connect(createFrond(), { era: "2026-07-28" });
  const [first, second] = [await listTools(), await listTools(newer)];
  expect(first.map(({ name }) => name)).toEqual(names);
  expect(JSON.stringify(second)).toBe(JSON.stringify(first));
});

test("the list of tools costs a model 12,000 bytes at most", async () => {
  const bytes = Buffer.byteLength(JSON.stringify({ tools: await listTools() }));
  expect(bytes).toBeLessThanOrEqual(12_000);
});

/** A schema and all those in it, each with the way to it. */
function schemasIn(schema: unknown, path: string): readonly (readonly [path: string, schema: object])[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inside = Object.entries(schema).flatMap(([key, value]) => schemasIn(value, `${path}.${key}`));
  return [[path, schema], ...inside];
}

const saysType = (keys: readonly string[]): boolean => keys.includes("type") || keys.includes("anyOf");

const manyKinds = workflow("many-kinds", [shell("a", "true")], {
  expose: "tool",
  inputs: {
    list: { type: "array", description: "Some" },
    map: { type: "object", description: "By name" },
    anything: { type: "json", description: "Whatever there is", default: null },
  },
});

test("no client has to guess what a list holds, or what a value without a type may be", async () => {
  const frond = createFrond({ ".frond/workflows/many-kinds.yaml": manyKinds });
  await frond.run(["trust"]);
  const listed = await listTools(
    await connect(frond, { args: ["--toolsets", "core,authoring,checkpoints,runs,undo,plans"] }),
  );
  expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(["execute_plan", "run_many_kinds"]));
  for (const { name, inputSchema } of listed) {
    for (const [path, schema] of schemasIn(inputSchema, name)) {
      if ("type" in schema && schema.type === "array") expect(schema, path).toHaveProperty("items");
      if (path.endsWith(".items")) expect(Object.keys(schema), path).toSatisfy(saysType);
    }
    for (const [key, schema] of Object.entries(inputSchema.properties ?? {})) {
      expect(Object.keys(schema as object), `${name} says what ${key} is`).toSatisfy(saysType);
    }
  }
});

test("every tool has a title and says what it changes", async () => {
  for (const { name, title, annotations } of await listTools()) {
    expect(title, name).toMatch(/^[A-Z]/);
    expect(annotations?.openWorldHint, name).toBeTypeOf("boolean");
    expect(annotations?.readOnlyHint, name).toBe(/^(get|list|validate)_/.test(name));
    if (annotations?.readOnlyHint === false) expect(annotations.destructiveHint, name).toBeTypeOf("boolean");
  }
});

test("every tool says what it does and what to call next", async () => {
  for (const { name, description = "" } of await listTools()) {
    const [what = ""] = description.split(/[.:;]/);
    expect(what.length, `${name} says what it does`).toBeGreaterThan(10);
    const named = names.filter((other) => other !== name && description.includes(other));
    expect(named, `${name} names another tool`).not.toEqual([]);
  }
});

const asking = workflow("choose-way", [
  { id: "way", type: "Prompt", inputs: { prompt: "Left or right?", choices: ["left", "right"] } },
]);
const failing = workflow("fails", [shell("build", "echo 'no such file: main.c' >&2; exit 2")]);

/** In characters, which is what a model pays for: about a fifth above what they were measured to be. */
const replies: readonly (readonly [what: string, most: number, tool: string, args: object])[] = [
  ["a list of one workflow", 180, "list_workflows", { query: "greets" }],
  ["a workflow of two blocks", 1_000, "get_workflow_info", { workflow: "hello-world" }],
  ["a run that succeeded", 170, "execute_workflow", { workflow: "hello-world" }],
  ["a run that failed", 420, "execute_inline_workflow", { workflow_yaml: failing }],
  ["a run that asks", 400, "execute_inline_workflow", { workflow_yaml: asking }],
];

test.each(replies)("%s takes %i characters at most", async (_, most, tool, args) => {
  const { call } = shared();
  const { data } = await call(tool, { ...args });
  expect(JSON.stringify(data).length).toBeLessThanOrEqual(most);
});

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { type Connected, type ConnectOptions, connect, eras, newEra } from "../rig/mcp.ts";
import { waitFor } from "../rig/wait-for.ts";

const inputs = {
  name: { type: "string", description: "Whom to greet" },
  times: { type: "integer", description: "How often", default: 1 },
  tone: { type: "string", description: "How", enum: ["warm", "cold"], default: "warm" },
  stamp: { type: "string", description: "When", default: "${metadata.start_time}" },
};

function greeting(name: string, more: object = {}): string {
  return workflow(name, [shell("say", 'echo "Hello, ${inputs.name}!"')], {
    expose: "tool",
    inputs,
    outputs: { text: "${blocks.say.stdout}" },
    ...more,
  });
}

/** A workflow of the user's own, which needs nobody's trust. */
function fileIn(frond: Frond, name: string): string {
  return join(frond.home, ".frond", "workflows", name);
}

function save(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function toolNames({ client }: Connected): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

async function ownTools(connected: Connected): Promise<string[]> {
  return (await toolNames(connected)).filter((name) => name.startsWith("run_"));
}

test("limits of inputs are told to clients; a pattern that they would read otherwise, in words", async () => {
  const frond = createFrond();
  const limited = {
    version: { type: "string", description: "Which", pattern: "[0-9.]+" },
    word: { type: "string", description: "What", pattern: "(?i)[a-z]+\\z" },
    port: { type: "integer", description: "Where", minimum: 1, maximum: 65_535 },
    suites: { type: "array", description: "Which tests", items: { type: "string", enum: ["unit", "e2e"] } },
  };
  save(fileIn(frond, "greet.yaml"), greeting("greet-somebody", { inputs: { ...inputs, ...limited } }));
  const { client, call } = await connect(frond, { era: eras[0] });
  const { tools } = await client.listTools();
  const { properties = {} } = tools.find(({ name }) => name === "run_greet_somebody")?.inputSchema ?? {};
  expect(properties).toMatchObject({
    version: { type: "string", minLength: 1, pattern: "^(?:[0-9.]+)$", description: "Which" },
    word: { type: "string", minLength: 1, description: "What: matches '(?i)[a-z]+\\z'" },
    port: { type: "integer", minimum: 1, maximum: 65_535 },
    suites: { type: "array", items: { type: "string", enum: ["unit", "e2e"] } },
  });
  expect(properties.word).not.toHaveProperty("pattern");
  const info = await call("get_workflow_info", { workflow: "greet-somebody" });
  expect(info.data).toMatchObject({
    inputs: {
      version: { pattern: "[0-9.]+" },
      port: { minimum: 1, maximum: 65_535 },
      suites: { items: { type: "string", enum: ["unit", "e2e"] } },
    },
  });
  const refused = await call("run_greet_somebody", {
    name: "a",
    version: "x",
    word: "b",
    port: 0,
    suites: ["unit", "all"],
  });
  expect(JSON.stringify(refused.data)).toMatch(/version.*port.*Element 2 of input 'suites'/);
});

interface Watching extends Connected {
  /** Resolves when the client has been told since the last time. */
  told(): Promise<void>;
  tellings(): number;
}

async function watching(frond: Frond, options: ConnectOptions): Promise<Watching> {
  let heard = 0;
  let known = 0;
  const connected = await connect(frond, {
    ...options,
    onToolsChanged: () => {
      heard += 1;
    },
  });
  await connected.client.listTools();
  return {
    ...connected,
    tellings: () => heard,
    async told() {
      await waitFor("the client to hear of other tools", () => heard > known);
      known = heard;
    },
  };
}

for (const era of eras) {
  test(`${era}: a workflow that says so is a tool with its inputs as schema, and runs like any other`, async () => {
    const frond = createFrond();
    save(fileIn(frond, "greet.yaml"), greeting("greet-somebody"));
    const { client, call } = await connect(frond, { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name).toSorted());
    expect(tools.find(({ name }) => name === "run_greet_somebody")).toMatchObject({
      title: "Run greet-somebody",
      description:
        "The workflow greet-somebody. A workflow that runs commands, uses the network, reads files and writes files; it replies as execute_workflow does.",
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      inputSchema: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", minLength: 1, description: "Whom to greet" },
          times: { type: "integer", default: 1 },
          tone: { type: "string", enum: ["warm", "cold"], default: "warm" },
          stamp: { type: "string", description: "When" },
        },
      },
    });
    expect(await call("run_greet_somebody", { name: "Ada" })).toMatchObject({
      isError: false,
      data: { status: "success", workflow: "greet-somebody", outputs: { text: "Hello, Ada!\n" } },
    });
    expect(await call("run_greet_somebody", { nam: "Ada", tone: "icy" })).toMatchObject({
      isError: true,
      data: { errors: [{ code: "unknown-input" }, { code: "missing-input" }, { code: "not-in-enum" }] },
    });
  });

  test(`${era}: a tool whose workflow asks is paused, and answered like any other run`, async () => {
    const frond = createFrond();
    const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Which way?", choices: ["left", "right"] } };
    const outputs = { way: "${blocks.ask.outputs.response}" };
    save(fileIn(frond, "choose.yaml"), workflow("choose", [ask], { expose: "tool", outputs }));
    const { call } = await connect(frond, { era });
    const { data } = await call("run_choose");
    expect(data).toMatchObject({
      status: "paused",
      prompt: "Which way?",
      message: expect.stringContaining("resume_workflow("),
    });
    const answer = { checkpoint_id: data.checkpoint_id, response: "right" };
    expect((await call("resume_workflow", answer)).data).toMatchObject({
      status: "success",
      outputs: { way: "right" },
    });
  });

  test(`${era}: a tool appears, changes and goes with its file, and the client is told each time`, async () => {
    const frond = createFrond();
    const server = await watching(frond, { era });
    expect(await ownTools(server)).toEqual([]);

    const file = fileIn(frond, "deep/greet.yaml");
    save(file, greeting("greet"));
    await server.told();
    expect(await ownTools(server)).toEqual(["run_greet"]);

    // As editors do it: a new file that takes the place of the old one.
    save(`${file}.tmp`, greeting("greet", { inputs: { ...inputs, volume: { type: "number", description: "Loud" } } }));
    renameSync(`${file}.tmp`, file);
    await server.told();
    const { tools } = await server.client.listTools();
    expect(Object.keys(tools.find(({ name }) => name === "run_greet")?.inputSchema.properties ?? {})).toContain(
      "volume",
    );

    save(file, greeting("greet").replace('"Shell"', '"Shelf"'));
    await server.told();
    expect(await ownTools(server)).toEqual([]);
    expect(await server.call("run_greet", { name: "Ada" })).toMatchObject({
      isError: true,
      data: { status: "failure", errors: [{ code: "unknown-block-type", line: expect.any(Number) }] },
    });

    save(file, greeting("greet"));
    await server.told();
    expect(await ownTools(server)).toEqual(["run_greet"]);

    rmSync(join(frond.home, ".frond"), { recursive: true });
    await server.told();
    expect(await ownTools(server)).toEqual([]);

    save(file, greeting("greet"));
    await server.told();
    expect(await ownTools(server)).toEqual(["run_greet"]);
  });

  test(`${era}: a change that leaves the tools as they are is told to nobody`, async () => {
    const frond = createFrond();
    const server = await watching(frond, { era });
    save(fileIn(frond, "unexposed.yaml"), workflow("unexposed", [shell("a", "true")]));
    await waitFor("the workflow to be listed", async () => {
      const { data } = await server.call("list_workflows", { query: "unexposed" });
      return data.total === 1;
    });
    save(fileIn(frond, "greet.yaml"), greeting("greet"));
    await server.told();
    expect(server.tellings()).toBe(1);
  });
}

test("a workflow becomes a tool by --expose, too; why one is none is in the log, and when it has become one", async () => {
  const frond = createFrond();
  const server = await watching(frond, { args: ["--expose", "hello-world,later"] });
  expect(await ownTools(server)).toEqual(["run_hello_world"]);
  await server.logged("'later' is no tool: No workflow is named 'later'.");
  save(fileIn(frond, "later.yaml"), workflow("later", [shell("a", "true")]));
  await server.told();
  expect(await ownTools(server)).toEqual(["run_hello_world", "run_later"]);
  await server.logged("'later' is the tool run_later now.");
  expect(server.log().match(/'later' is no tool/g)).toHaveLength(1);
});

test("a project that nobody trusts gives no tools, and a workflow that takes a secret is none", async () => {
  const frond = createFrond({ ".frond/workflows/own.yaml": greeting("own") });
  const secret = { key: { type: "string", description: "Of the house", secret: true } };
  save(fileIn(frond, "secret.yaml"), workflow("secretive", [shell("a", "true")], { expose: "tool", inputs: secret }));
  const server = await watching(frond, {});
  expect(await ownTools(server)).toEqual([]);
  await server.logged("'own' is no tool: The workflow 'own' comes from this project");
  await server.logged("'secretive' is no tool: Its input 'key' is secret");
  await frond.run(["trust"]);
  await server.told();
  expect(await ownTools(server)).toEqual(["run_own"]);
});

test("there are at most fifteen, those named first, and the log says which are left out", async () => {
  const frond = createFrond();
  for (let index = 10; index < 28; index += 1) save(fileIn(frond, `w${index}.yaml`), greeting(`w${index}`));
  const server = await connect(frond, { args: ["--expose", "hello-world"] });
  const names = await ownTools(server);
  expect(names).toHaveLength(15);
  expect(names).toEqual(names.toSorted());
  expect(names).toContain("run_hello_world");
  await server.logged("'w27' is no tool: There are 15 already");
});

for (const era of newEra) {
  test(`${era}: --toolsets, --read-only and --no-inline leave out what they promise`, async () => {
    const frond = createFrond();
    save(fileIn(frond, "greet.yaml"), greeting("greet"));
    const names = async (...args: string[]): Promise<string[]> => toolNames(await connect(frond, { era, args }));
    expect(await names("--toolsets", "runs")).toEqual(["cancel_run", "get_run", "list_runs"]);
    expect(await names("--toolsets", "core")).toContain("run_greet");
    expect(await names("--read-only")).toEqual([
      "get_checkpoint_info",
      "get_run",
      "get_workflow_info",
      "get_workflow_schema",
      "list_checkpoints",
      "list_runs",
      "list_workflows",
      "validate_workflow_yaml",
    ]);
    const inline = await names("--no-inline");
    expect(inline).not.toContain("execute_inline_workflow");
    expect(inline).toContain("run_greet");
  });
}

// What the built server says of itself, and its replies to the example calls, as the official client gets them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { exampleCalls } from "./example-calls.js";

const toolsets = ["core", "authoring", "checkpoints", "runs", "undo", "plans"];
const everything = ["--toolsets", toolsets.join(",")];

export async function describeServer() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "frond-docs-")));
  try {
    const tools = await withServer(root, everything, (client) => client.listTools().then((listed) => listed.tools));
    const toolsetOf = new Map();
    for (const toolset of toolsets) {
      const { tools: some } = await withServer(root, ["--toolsets", toolset], (client) => client.listTools());
      for (const { name } of some) toolsetOf.set(name, toolset);
    }
    const description = await withServer(root, everything, async (client) => ({
      prompts: (await client.listPrompts()).prompts,
      resources: (await client.listResources()).resources.filter(({ uri }) => /^workflow:\/\/(list|schema)$/.test(uri)),
      templates: (await client.listResourceTemplates()).resourceTemplates,
      examples: await callExamples(client, root),
    }));
    return { tools: tools.map((tool) => ({ ...tool, toolset: toolsetOf.get(tool.name) })), ...description };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function withServer(root, args, use) {
  const cwd = join(root, "project");
  mkdirSync(cwd, { recursive: true });
  const client = new Client({ name: "docs", version: "1" });
  const env = { PATH: process.env.PATH, HOME: root, XDG_STATE_HOME: root, FROND_LOG_LEVEL: "error" };
  const command = { command: process.execPath, args: [resolve("dist/main.js"), "serve", ...args], env, cwd };
  await client.connect(new StdioClientTransport(command));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function callExamples(client, root) {
  const call = async (name, args) => {
    const { structuredContent, content } = await client.callTool({ name, arguments: args });
    return structuredContent ?? content.map(({ text }) => text).join("\n");
  };
  const steady = createSteady(root);
  const replies = {};
  const examples = new Map();
  for (const [name, argumentsFor] of exampleCalls) {
    const args = await argumentsFor(replies, call);
    replies[name] = await call(name, args);
    examples.set(name, { args: steady(args), reply: steady(replies[name]) });
  }
  return examples;
}

/** What differs each time is written the same each time: ids in the order in which they come, one time, one duration. */
function createSteady(root) {
  const ids = new Map();
  const steadyId = (id) => {
    if (!ids.has(id)) ids.set(id, `1m7f2c7sr74rpx${String(ids.size + 1).padStart(2, "0")}`);
    return ids.get(id);
  };
  const steadyText = (text) =>
    text
      .replaceAll(/(?<=(?:run|pause|auto)_)[0-9a-z]{16}/g, steadyId)
      .replaceAll(/(pause_[0-9a-z]{16})_[0-9a-f]+/g, "$1_31f28fe7f2")
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, "2026-11-15T12:00:00.000Z")
      .replaceAll(resolve("workflows"), "/usr/lib/node_modules/frond/workflows")
      .replaceAll(root, "/home/ada");
  const steady = (value, key) => {
    if (typeof value === "string") return steadyText(value);
    if (typeof value === "number" && /_ms$/.test(key)) return 12;
    if (Array.isArray(value)) return value.map((item) => steady(item, ""));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, steady(item, name)]));
  };
  return (value) => steady(value, "");
}

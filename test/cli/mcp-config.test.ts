import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFrond, type Ended, type Frond, frondProgram } from "../rig/frond.ts";

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly [more: string]: unknown;
}

/** How each client reads what it is given: where it finds the server named frond. */
const readers: Readonly<Record<string, (text: string) => Launch>> = {
  "claude-code": (text) => JSON.parse(text).mcpServers.frond,
  "claude-desktop": (text) => JSON.parse(text).mcpServers.frond,
  cursor: (text) => JSON.parse(text).mcpServers.frond,
  vscode: (text) => JSON.parse(text).servers.frond,
  codex: readToml,
  gemini: (text) => JSON.parse(text).mcpServers.frond,
  opencode: readOpencode,
};

function readOpencode(text: string): Launch {
  const { type, command: words } = JSON.parse(text).mcp.frond;
  expect(type).toBe("local");
  const [command, ...args] = words;
  return { command, args };
}

/** The little TOML there is: one table, and keys whose values are written as in JSON. */
function readToml(text: string): Launch {
  const [head, ...lines] = text.trimEnd().split("\n");
  expect(head).toBe("[mcp_servers.frond]");
  const entries = lines.map((line) => {
    const [, key = "", value = ""] = /^(\w+) = (.*)$/.exec(line) ?? [];
    return [key, JSON.parse(value)];
  });
  return Object.fromEntries(entries);
}

async function configure(frond: Frond, client: string, ...args: string[]): Promise<Launch & { readonly told: string }> {
  const { code, stdout, stderr } = await frond.run(["mcp-config", client, ...args]);
  expect(code).toBe(0);
  return { ...(readers[client]?.(stdout) as Launch), told: stderr };
}

/** Starts the server as a client does that has the directory open. */
async function connect(frond: Frond, { command, args }: Launch): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  const put = args.map((arg) => arg.replaceAll("${workspaceFolder}", frond.directory));
  await client.connect(
    new StdioClientTransport({ command, args: put, env: { ...frond.env }, cwd: frond.directory, stderr: "ignore" }),
  );
  return client;
}

const tried = new Set<string>();

/** Most clients start the very same command: it is tried once. */
function isFirstOf({ command, args }: Launch): boolean {
  const line = JSON.stringify([command, ...args]);
  const isFirst = !tried.has(line);
  tried.add(line);
  return isFirst;
}

describe.each(Object.keys(readers))("%s", (name) => {
  test("the server starts with exactly the command that is printed, and works in the project", async () => {
    const frond = createFrond();
    const launch = await configure(frond, name);
    expect(launch.command).toBe(process.execPath);
    expect(launch.args.slice(0, 2)).toEqual([frondProgram, "serve"]);
    if (!isFirstOf(launch)) return;
    const client = await connect(frond, launch);
    const workflow_yaml = "name: here\ndescription: Here\nblocks: [{ id: a, type: Shell, inputs: { command: pwd } }]\n";
    const { structuredContent } = await client.callTool({
      name: "execute_inline_workflow",
      arguments: { workflow_yaml, response_format: "detailed" },
    });
    expect(structuredContent).toMatchObject({ blocks: { a: { outputs: { stdout: `${frond.directory}\n` } } } });
  });

  test("a workspace and further arguments reach the server", async () => {
    const frond = createFrond({ "project/a.txt": "" });
    const launch = await configure(frond, name, "--workspace", "project", "--", "--read-only");
    expect(launch.args.slice(-3)).toEqual(["--workspace", `${frond.directory}/project`, "--read-only"]);
    if (!isFirstOf({ ...launch, args: launch.args.map((arg) => arg.replaceAll(frond.directory, "")) })) return;
    const { tools } = await (await connect(frond, launch)).listTools();
    expect(tools.map((tool) => tool.name)).not.toContain("execute_workflow");
  });

  test("where it belongs is told apart from it, and all of it as one document with --json", async () => {
    const frond = createFrond();
    const { told, command, args } = await configure(frond, name);
    const { reply } = await frond.json(["mcp-config", name]);
    expect(reply).toMatchObject({ client: name, command, args });
    const { file, add, asks } = reply as { file: string; add?: string; asks?: string };
    expect(told).toContain(`this belongs in ${file}`);
    for (const more of [add, asks]) if (more !== undefined) expect(told).toContain(more);
  });
});

test("the command that adds a server is that of each client", async () => {
  const frond = createFrond();
  const server = `${process.execPath} ${frondProgram} serve`;
  const added = async (client: string): Promise<unknown> =>
    ((await frond.json(["mcp-config", client, "--workspace", "."])).reply as { add?: string }).add;
  const workspace = `--workspace ${frond.directory}`;
  expect(await added("claude-code")).toBe(`claude mcp add --scope project frond -- ${server} ${workspace}`);
  expect(await added("gemini")).toBe(`gemini mcp add frond ${server} -- ${workspace}`);
  const args = JSON.stringify([frondProgram, "serve", "--workspace", frond.directory]);
  expect(await added("vscode")).toBe(
    `code --add-mcp '{"name":"frond","type":"stdio","command":"${process.execPath}","args":${args}}'`,
  );
});

test("Codex is told to hand on every variable of Frond's but secrets, and to wait for as long as a call can ask for", async () => {
  const frond = createFrond();
  const launch = await configure(frond, "codex");
  const named = readFileSync("docs/cli.md", "utf8").match(/\b(FROND|XDG|WORKFLOWS)_[A-Z_]+\b/g) ?? [];
  const documented = new Set(named.filter((name) => name !== "FROND_SECRET_NAME"));
  expect(documented.size).toBeGreaterThan(5);
  expect(launch.env_vars).toEqual(expect.arrayContaining([...documented]));
  const { tools } = await (await connect(frond, launch)).listTools();
  const [waiting] = tools.flatMap(({ inputSchema }) => inputSchema.properties?.wait_seconds ?? []);
  expect(launch.tool_timeout_sec).toBeGreaterThan((waiting as { maximum: number }).maximum);
});

test("a client that is not known, or a directory that does not exist, is refused with what to do", async () => {
  const frond = createFrond();
  const refused = ({ code, stdout, stderr }: Ended): string => {
    expect([code, stdout]).toEqual([2, ""]);
    return stderr;
  };
  expect(refused(await frond.run(["mcp-config", "claude-cod"]))).toContain("Did you mean 'claude-code'?");
  expect(refused(await frond.run(["mcp-config", "emacs"]))).toContain("Known: claude-code, claude-desktop, cursor,");
  const missing = await frond.run(["mcp-config", "cursor", "--workspace", "nowhere"]);
  expect(refused(missing)).toContain("Give --workspace a directory that exists.");
});

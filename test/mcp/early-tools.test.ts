import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, frondProgram, shell, workflow } from "../rig/frond.ts";
import { type Greeted, hello, isEarly, plainClient } from "../rig/greeted-server.ts";
import { type Message, startRaw } from "../rig/raw-mcp.ts";
import { waitFor } from "../rig/wait-for.ts";

const lines = (...messages: readonly object[]): string =>
  messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
const ready = { method: "notifications/initialized" };
const asking = { id: 2, method: "tools/list" };
/** What only the server answers, with the same. */
const askingServer = { ...asking, params: { _meta: {} } };

async function toolsOf(server: Greeted): Promise<readonly string[]> {
  const { result } = await server.answer(2);
  return (result.tools as readonly { readonly name: string }[]).map(({ name }) => name);
}

function save(frond: Frond, root: "home" | "directory", text: string): void {
  const file = join(frond[root], ".frond", "workflows", "mine.yaml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const exposed = workflow("mine", [shell("say", "echo hello")], { expose: "tool" });
const hidden = workflow("mine", [shell("say", "echo hello")]);

test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"])(
  "a client of %s gets the tools before the server is loaded, and those that the server lists itself",
  async (protocolVersion) => {
    const capabilities = { elicitation: {}, roots: { listChanged: true } };
    const params = { ...plainClient, protocolVersion, capabilities };
    const early = hello(params, { follow: lines(ready, asking) });
    const late = hello(params, { follow: lines(ready, askingServer) });
    expect((await early.answer(2)).result).toEqual((await late.answer(2)).result);
    expect(await Promise.all([isEarly(early, 2), isEarly(late, 2)])).toEqual([true, false]);
  },
);

test.each([
  [["--read-only"]],
  [["--toolsets", "runs"]],
  [["--no-inline"]],
  [["--no-unsafe"]],
  [["--expose", "hello-world"]],
  [["--workspace", "."]],
])("with the options %j the server lists the tools itself", async (args) => {
  const server = hello(plainClient, { args, follow: lines(ready, asking) });
  expect(await isEarly(server)).toBe(true);
  expect(await isEarly(server, 2)).toBe(false);
});

test("a client that shows apps is told of them by the server", async () => {
  const extensions = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
  const server = hello({ ...plainClient, capabilities: { extensions } }, { follow: lines(ready, asking) });
  expect((await server.answer(2)).result.tools.some((tool: object) => "_meta" in tool)).toBe(true);
});

test("a workflow of the user that is a tool is listed", async () => {
  const frond = createFrond();
  save(frond, "home", exposed);
  expect(await toolsOf(hello(plainClient, { frond, follow: lines(ready, asking) }))).toContain("run_mine");
});

test("a workflow of the project that is a tool is listed once it is trusted", async () => {
  const frond = createFrond();
  save(frond, "directory", exposed);
  const ask = (): Promise<readonly string[]> => toolsOf(hello(plainClient, { frond, follow: lines(ready, asking) }));
  expect(await ask()).not.toContain("run_mine");
  expect((await frond.run(["trust", "."])).code).toBe(0);
  expect(await ask()).toContain("run_mine");
});

test("workflows that are no tools do not keep a client waiting", async () => {
  const frond = createFrond();
  save(frond, "home", hidden);
  save(frond, "directory", hidden);
  expect(await isEarly(hello(plainClient, { frond, follow: lines(ready, asking) }), 2)).toBe(true);
});

test("a workflow that becomes a tool right after the tools were listed is told of", async () => {
  const server = hello(plainClient, { follow: lines(ready, asking) });
  expect(await isEarly(server, 2)).toBe(true);
  save(server.frond, "home", exposed);
  const isChange = ({ method }: Message): boolean => method === "notifications/tools/list_changed";
  await waitFor("word of the change", () => server.messages().some(isChange));
  server.send(lines({ ...asking, id: 3 }));
  const { result } = await server.answer(3);
  expect(result.tools.map(({ name }: { readonly name: string }) => name)).toContain("run_mine");
});

test("directories of workflows that a variable names are left to the server", async () => {
  const frond = createFrond();
  frond.write("more/mine.yaml", exposed);
  const env = { ...frond.env, WORKFLOWS_TEMPLATE_PATHS: join(frond.directory, "more") };
  const named = { ...frond, env };
  expect(await toolsOf(hello(plainClient, { frond: named, follow: lines(ready, asking) }))).toContain("run_mine");
});

test("each request is answered once and in order, whatever follows at once", async () => {
  const follow = lines(ready, asking, { id: 3, method: "ping" }, { id: 4, method: "tools/list" });
  const server = hello(plainClient, { follow });
  await server.answer(4);
  server.send(lines({ id: 5, method: "ping" }));
  await server.answer(5);
  expect(server.messages().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  const [, first, , second] = server.messages();
  expect(second?.result).toEqual(first?.result);
});

test("a client that asks when it has its greeting gets each answer once", async () => {
  const server = hello(plainClient);
  await server.answer(1);
  server.send(lines(ready, asking));
  await server.answer(2);
  server.send(lines({ id: 3, method: "ping" }));
  await server.answer(3);
  expect(server.messages().map(({ id }) => id)).toEqual([1, 2, 3]);
});

test("what comes byte by byte is answered once and in order", async () => {
  const server = hello(plainClient);
  await server.answer(1);
  for (const byte of Buffer.from(lines(ready, asking, { id: "drei \u{1f33f}", method: "ping" }))) {
    server.send(Uint8Array.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await waitFor("the answers", () => server.messages().length === 3);
  expect(server.messages().map(({ id }) => id)).toEqual([1, 2, "drei \u{1f33f}"]);
});

test("a client that is gone after it has asked leaves no server behind, and no stack", async () => {
  const server = startRaw(createFrond());
  server.send(lines({ id: 1, method: "initialize", params: plainClient }, ready, asking));
  server.child.stdout.destroy();
  server.child.stdin.end();
  expect(await server.ended).toBe(0);
  expect(server.log()).not.toContain("    at ");
});

test("an input that ends at once is answered all the same", async () => {
  const server = startRaw(createFrond());
  server.child.stdin.end(lines({ id: 1, method: "initialize", params: plainClient }, ready, asking));
  expect(await server.ended).toBe(0);
  expect(server.messages.map(({ id }) => id)).toEqual([1, 2]);
});

test("what greets a client stays small", () => {
  expect(statSync(frondProgram).size).toBeLessThan(15_000);
});

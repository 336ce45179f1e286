import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { hello, isEarly, plainClient } from "../rig/greeted-server.ts";
import { startRaw } from "../rig/raw-mcp.ts";
import { waitFor } from "../rig/wait-for.ts";

test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"])(
  "a client of %s is greeted before the server is loaded, with what the server says itself",
  async (protocolVersion) => {
    const [early, late] = [
      hello({ ...plainClient, protocolVersion }),
      hello({ ...plainClient, protocolVersion, _meta: { any: "thing" } }),
    ];
    const { result } = await early.answer(1);
    expect(result).toEqual((await late.answer(1)).result);
    expect(result).toMatchObject({ protocolVersion, serverInfo: { name: "frond" } });
    expect(await Promise.all([early, late].map((server) => isEarly(server)))).toEqual([true, false]);
  },
);

test.each([[["--read-only"]], [["--toolsets", "runs"]], [["--no-inline", "--no-unsafe"]]])(
  "with the options %j the greeting is the same",
  async (args) => {
    const [early, late] = [hello(plainClient, { args }), hello({ ...plainClient, _meta: {} }, { args })];
    expect((await early.answer(1)).result).toEqual((await late.answer(1)).result);
    expect(await Promise.all([early, late].map((server) => isEarly(server)))).toEqual([true, false]);
  },
);

test("a client that was greeted is known, is answered once, and goes on", async () => {
  const follow = [
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
    { id: 1, method: "ping" },
  ].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const capabilities = { elicitation: { form: {} }, roots: { listChanged: true }, extensions: { "a/b": { c: [1] } } };
  const server = hello({ ...plainClient, capabilities }, { follow: follow.slice(0, 2).join("") });
  expect((await server.answer(2)).result.tools.length).toBeGreaterThan(10);
  expect(await isEarly(server)).toBe(true);
  expect(server.messages().filter(({ id }) => id === 1)).toHaveLength(1);
  // An id is free again once it has its answer.
  server.send(follow[2] ?? "");
  await waitFor("the answer of ping", () => server.messages().filter(({ id }) => id === 1).length === 2);
});

test.each([
  ["capabilities of a wrong kind", { ...plainClient, capabilities: { roots: 5 } }],
  ["capabilities of a wrong kind inside", { ...plainClient, capabilities: { elicitation: { form: 3 } } }],
  ["no version of the client", { ...plainClient, clientInfo: { name: "raw" } }],
  ["no capabilities", { protocolVersion: "2025-11-25", clientInfo: { name: "raw", version: "1" } }],
])("a hello with %s is refused by the server itself", async (_, params) => {
  const server = hello(params);
  expect((await server.answer(1)).error?.message).toContain("invalid_type");
});

test("a version that nobody knows is answered by the server itself, with one it speaks", async () => {
  const server = hello({ ...plainClient, protocolVersion: "1999-01-01" });
  expect((await server.answer(1)).result.protocolVersion).toBe("2025-11-25");
  expect(await isEarly(server)).toBe(false);
});

test("a hello that comes in pieces is answered once", async () => {
  const server = startRaw(createFrond());
  const text = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: plainClient })}\n`;
  server.send(text.slice(0, 30));
  await new Promise((resolve) => setImmediate(resolve));
  server.send(text.slice(30));
  expect((await server.answer(1)).result.serverInfo.name).toBe("frond");
  server.request(2, "ping");
  await server.answer(2);
  expect(server.messages.filter(({ id }) => id === 1)).toHaveLength(1);
});

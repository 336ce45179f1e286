import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { initialize, startRaw } from "../rig/raw-mcp.ts";

async function opened(): Promise<ReturnType<typeof startRaw>> {
  const server = startRaw(createFrond());
  await initialize(server);
  return server;
}

async function lives(server: ReturnType<typeof startRaw>): Promise<void> {
  server.request("alive", "tools/list");
  expect((await server.answer("alive")).result.tools.length).toBeGreaterThan(0);
}

test("a line that is not JSON is answered with a parse error, and the server lives", async () => {
  const server = await opened();
  server.send("{ this is not json\n");
  expect((await server.until("an error", ({ error }) => error !== undefined)).error).toMatchObject({ code: -32700 });
  await lives(server);
});

test("a line that is no message is answered with an error under its id, and the server lives", async () => {
  const server = await opened();
  server.send(`{"id": 7, "method": 5}\n[]\n"text"\nnull\n`);
  expect((await server.answer(7)).error).toMatchObject({ code: -32600 });
  await lives(server);
  expect(server.messages.filter(({ error }) => error?.code === -32600)).toHaveLength(4);
});

test("a huge line is passed over with an error, in little memory, and the server lives", async () => {
  const server = await opened();
  const before = peakMegabytes(server.child.pid);
  const piece = "x".repeat(1_000_000);
  server.send('{"jsonrpc":"2.0","id":1,"method":"');
  for (let count = 0; count < 200; count++) server.send(piece);
  server.send('"}\n');
  expect((await server.until("an error", ({ error }) => error !== undefined)).error?.message).toContain("passed over");
  await lives(server);
  expect(peakMegabytes(server.child.pid) - before).toBeLessThan(120);
});

function peakMegabytes(pid: number | undefined): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1000;
}

test("an unknown method and wrong arguments are protocol errors that name what is known", async () => {
  const server = await opened();
  server.request(1, "tools/cal", {});
  expect((await server.answer(1)).error).toMatchObject({ code: -32601 });
  server.request(2, "tools/call", { name: "execute_workflw", arguments: {} });
  expect((await server.answer(2)).error).toMatchObject({
    code: -32602,
    message: expect.stringContaining("execute_workflow"),
  });
  server.request(3, "tools/call", { arguments: "none" });
  expect((await server.answer(3)).error).toMatchObject({ code: -32602 });
  await lives(server);
});

test("an id that is still open can't be used again, and the first request is answered", async () => {
  const server = await opened();
  const workflow = "name: slow\\ndescription: d\\nblocks: [{id: a, type: Shell, inputs: {command: sleep 0.5}}]";
  const call = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"execute_inline_workflow","arguments":{"workflow_yaml":"${workflow}"}}}\n`;
  server.send(call + call);
  const refused = await server.until("a refusal", ({ error }) => error?.code === -32600);
  expect(refused.error?.message).toContain("9");
  expect((await server.answer(9)).result.structuredContent).toMatchObject({ status: "success" });
  expect(server.messages.filter(({ id }) => id === 9)).toHaveLength(1);
});

test("the id of a cancelled request, which gets no answer, can be used again", async () => {
  const server = await opened();
  const workflow_yaml = "name: slow\ndescription: d\nblocks: [{id: a, type: Shell, inputs: {command: sleep 60}}]";
  server.request(9, "tools/call", { name: "execute_inline_workflow", arguments: { workflow_yaml } });
  server.notify("notifications/cancelled", { requestId: 9 });
  server.request(9, "ping");
  expect(await server.answer(9)).toEqual({ jsonrpc: "2.0", id: 9, result: {} });
});

test("what is nested too deep to be used is refused in one sentence", async () => {
  const server = await opened();
  const deep = JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`);
  server.request(1, "tools/call", { name: "list_runs", arguments: { cursor: deep } });
  expect((await server.answer(1)).error?.message).toMatch(/levels deep\.$/);
});

test("half a message and the end of the input end the server", async () => {
  const server = await opened();
  server.send('{"jsonrpc":"2.0","id":1,"meth');
  server.child.stdin.end();
  expect(await server.ended).toBe(0);
});

test("a server whose input is at its end already ends", async () => {
  const frond = createFrond();
  expect((await frond.run(["serve"])).code).toBe(0);
});

test("a message cut into single bytes is read as one, with characters of several bytes", async () => {
  const server = await opened();
  const message = Buffer.from(
    `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "execute_workflow", arguments: { workflow: "hello-world", inputs: { name: "Zoë 🌿" } } } })}\n`,
  );
  for (const byte of message) server.child.stdin.write(Buffer.of(byte));
  expect((await server.answer(1)).result.structuredContent.outputs.greeting).toBe("Hello, Zoë 🌿!");
});

test("stdout carries the protocol only, whatever blocks and libraries write, and stderr one line of JSON each", async () => {
  const frond = createFrond();
  const server = startRaw(frond, [], { FROND_LOG_LEVEL: "debug" });
  await initialize(server);
  const workflow_yaml = `
name: chatty
description: Writes a lot
blocks:
  - { id: a, type: Shell, inputs: { command: "seq 2000; seq 2000 >&2; echo loud > /dev/tty; true" } }
  - { id: b, type: Shell, inputs: { command: "echo x > /proc/self/fd/1; printf '{\\"jsonrpc\\":\\"2.0\\"}\\\\n'" } }
`;
  server.request(1, "tools/call", { name: "execute_inline_workflow", arguments: { workflow_yaml } });
  expect((await server.answer(1)).result.structuredContent).toMatchObject({ status: "success" });
  server.child.stdin.end();
  expect(await server.ended).toBe(0);
  // Each line of stdout was parsed when it came; a stray one has failed the test already.
  expect(server.messages.every((message) => "id" in message || "method" in message)).toBe(true);
  for (const line of server.log().trim().split("\n"))
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String) });
});

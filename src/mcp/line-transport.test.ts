import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { LineTransport } from "./line-transport.ts";

/** What a client hears that was told early that there is one tool, when the server then says this. */
async function afterEarlyList(tools: readonly string[], id: string | number = 2): Promise<string> {
  const output = new PassThrough();
  const transport = new LineTransport(new PassThrough(), output, new Map([[2, '{"tools":["one"]}']]));
  await transport.start();
  await transport.send({ jsonrpc: "2.0", id, result: { tools: [...tools] } });
  return String(output.read() ?? "");
}

test("what was answered early is not answered again", async () => {
  expect(await afterEarlyList(["one"])).toBe("");
  expect(await afterEarlyList(["one"], 3)).toContain('"id":3');
});

test("tools that have changed since an early answer are told of as a change", async () => {
  const heard = await afterEarlyList(["one", "two"]);
  expect(JSON.parse(heard)).toEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
});

test("a request that was cancelled leaves its id to the next one", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport(input, output, new Map([[2, '{"tools":[]}']]));
  const heard = new Promise<void>((resolve) => {
    transport.onmessage = () => resolve();
  });
  await transport.start();
  const params = { requestId: 2 };
  input.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params })}\n`);
  await heard;
  await transport.send({ jsonrpc: "2.0", id: 2, result: { tools: [] } });
  expect(String(output.read())).toContain('"id":2');
});

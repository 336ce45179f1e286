import { describe, expect, test } from "vitest";
import type { Execution } from "../../src/engine/execution.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { serve, type TestServer } from "../rig/http-server.ts";

/** Runs one HttpCall to a server of this machine, and gives its record. */
async function callHttp(inputs: object, engine: TestEngine): Promise<Execution> {
  const block = { id: "it", type: "HttpCall", inputs: { allow_private: true, ...inputs } };
  const { state } = await engine.run({ blocks: [block] });
  return state.root.record.blocks.it as Execution;
}

describe("secrets in a request that is redirected to another origin", () => {
  const secrets = { T: "geheim-token-1" };

  async function redirect(status: number): Promise<{ readonly from: string; readonly other: TestServer }> {
    const other = await serve((_request, response) => response.end("got there"));
    const first = await serve((_request, response) => response.writeHead(status, { Location: other.url }).end());
    return { from: first.url, other };
  }

  test.each([
    { method: "POST", status: 307, content: { json: { token: "${secrets.T}" } } },
    { method: "POST", status: 308, content: { body: "token=${secrets.T}" } },
    { method: "PUT", status: 302, content: { json: { token: "${secrets.T}" } } },
  ])("do not get there in the body of $method through $status", async ({ method, status, content }) => {
    const { from, other } = await redirect(status);
    const engine = createTestEngine({ secrets });
    const { metadata } = await callHttp({ url: from, method, ...content }, engine);
    expect(metadata).toMatchObject({ status: "failed", message: expect.stringContaining(other.url) });
    expect(other.requests).toEqual([]);
  });

  test("do not get there in a header, and other headers do", async () => {
    const { from, other } = await redirect(302);
    const secret = ["User-Agent", "Accept", "If-Match", "Prefer", "Range", "X-Own"].map((name) => [
      name,
      "a ${secrets.T}",
    ]);
    const headers = { ...Object.fromEntries(secret), "Accept-Language": "de" };
    const { metadata } = await callHttp({ url: from, headers }, createTestEngine({ secrets }));
    expect(metadata).toMatchObject({ outcome: "success" });
    expect(other.requests).toHaveLength(1);
    expect(other.requests[0]?.headers).toMatchObject({ "accept-language": "de", "user-agent": "frond" });
    expect(JSON.stringify(other.requests)).not.toContain(secrets.T);
  });
});

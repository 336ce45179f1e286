import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { isAlive } from "../rig/is-alive.ts";

/** Answers each request with the next of these. */
async function serve(answers: readonly { readonly status: number; readonly retryAfter?: string }[]) {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    const { status, retryAfter } = answers[keys.length] ?? { status: 500 };
    keys.push(request.headers["idempotency-key"]);
    response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, keys };
}

const post = (url: string): object => ({ url, method: "POST", json: {}, allow_private: true });

test("Retry-After wins over the delay, and every attempt sends the same idempotency key", async () => {
  const { url, keys } = await serve([
    { status: 503, retryAfter: "0" },
    { status: 429, retryAfter: "0" },
    { status: 200 },
  ]);
  const engine = createTestEngine();
  const block = { id: "call", type: "HttpCall", inputs: post(url), retry: { attempts: 3, delay: "2h" } };
  const { response } = await engine.run({ blocks: [block] });
  expect(response.status).toBe("success");
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test("http:N tries only what was answered so", async () => {
  const { url, keys } = await serve([{ status: 503 }, { status: 404 }, { status: 200 }]);
  const engine = createTestEngine();
  const retry = { attempts: 5, delay: 0, on: ["http:503"] };
  const { response } = await engine.run({ blocks: [{ id: "call", type: "HttpCall", inputs: post(url), retry }] });
  expect(response.status).toBe("failure");
  expect(keys).toHaveLength(2);
});

test("the time limit is that of one attempt, and kills all that the attempt has started", async () => {
  const engine = createTestEngine();
  const command = "if test -e pid; then echo second; else sleep 60 & echo $! > pid; wait; fi";
  const retry = { attempts: 2, delay: 0 };
  const block = { id: "slow", type: "Shell", inputs: { command }, timeout: "1s", retry };
  const { response, state } = await engine.run({ blocks: [block] });
  expect(response.status).toBe("success");
  expect(state.nodes.get("slow")?.record.outputs.stdout).toBe("second\n");
  const history = state.nodes.get("slow")?.record.metadata.attempt_history;
  expect(history).toMatchObject([{ message: "ran longer than its limit of 1s" }, { outcome: "success" }]);
  const pid = readFileSync(join(engine.workspace, "pid"), "utf8").trim();
  expect(isAlive(Number(pid))).toBe(false);
});

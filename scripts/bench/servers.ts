import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { timed } from "./pairs.ts";

/** The least that a server of the SDK can be. */
export const bareServer = `
  const { Server } = require("@modelcontextprotocol/server");
  const { serveStdio } = require("@modelcontextprotocol/server/stdio");
  serveStdio(() => {
    const server = new Server({ name: "bare", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", async () => ({ tools: [] }));
    return server;
  });`;

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
});

/** Milliseconds from the start of a server to its first answer. */
export async function timeToAnswer(args: readonly string[]): Promise<number> {
  let server: ChildProcess | undefined;
  const took = await timed(async () => {
    server = await answering(args);
  });
  await end(server);
  return took;
}

/** Megabytes that a server takes when it has answered and has nothing to do. */
export async function memoryAtIdle(args: readonly string[]): Promise<number> {
  const server = await answering(args);
  // What it still has to do after the first answer it does now.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? [];
  await end(server);
  return Number(kilobytes) / 1_000;
}

function answering(args: readonly string[]): Promise<ChildProcess> {
  const server = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  server.stdin.write(`${initialize}\n`);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.stdout.once("data", () => resolve(server));
  });
}

function end(server: ChildProcess | undefined): Promise<void> {
  return new Promise((resolve) => {
    server?.once("exit", () => resolve());
    server?.stdin?.end();
  });
}

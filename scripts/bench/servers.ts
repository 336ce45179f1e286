import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** The least that a server of the SDK can be. */
export const bareServer = `
  const { Server } = require("@modelcontextprotocol/server");
  const { serveStdio } = require("@modelcontextprotocol/server/stdio");
  serveStdio(() => {
    const server = new Server({ name: "bare", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", async () => ({ tools: [] }));
    return server;
  });`;

interface Answer {
  readonly id?: number;
  readonly result?: { readonly structuredContent?: Readonly<Record<string, unknown>> };
  readonly error?: { readonly message: string };
}

/** A server over stdio, and the client that talks to it: nothing but lines of JSON, so that the client takes no time. */
export class BenchServer {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  constructor(args: readonly string[], options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}) {
    this.#process = spawn(process.execPath, args, { ...options, stdio: ["pipe", "pipe", "ignore"] });
    createInterface({ input: this.#process.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      const answer = JSON.parse(line) as Answer;
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    });
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: "bench", version: "1" };
    await this.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    this.#write({ method: "notifications/initialized" });
  }

  async request(method: string, params: object = {}): Promise<NonNullable<Answer["result"]>> {
    const id = ++this.#lastId;
    const answered = new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    this.#write({ id, method, params });
    const { result, error } = await answered;
    this.#waiting.delete(id);
    if (result === undefined) throw new Error(error?.message ?? `No result of ${method}.`);
    return result;
  }

  call(name: string, args: object = {}): Promise<NonNullable<Answer["result"]>> {
    return this.request("tools/call", { name, arguments: args });
  }

  /** Runs a workflow to its end, and insists on its success. */
  async run(workflow: string): Promise<void> {
    const { structuredContent } = await this.call("execute_workflow", { workflow, wait_seconds: 600 });
    if (structuredContent?.status !== "success") throw new Error(JSON.stringify(structuredContent));
  }

  /** Megabytes of memory, once it has nothing to do. */
  async memory(): Promise<number> {
    // What it still has to do after its last answer it does now.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1_000;
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#process.once("exit", () => resolve());
      this.#process.stdin?.end();
    });
  }

  #write(message: object): void {
    this.#process.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}

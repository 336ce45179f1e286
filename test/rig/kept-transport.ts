import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { type CommandLine, type KeptRun, startInKeptBin } from "./kept-bins.ts";

/** How long a server has to end once its client is gone; the official transport waits as long. */
const patienceMs = 2_000;

/** Lines of JSON to and from a server that runs in a kept process. */
export class KeptTransport implements Transport {
  readonly #line: CommandLine;
  readonly #onLog: (text: string) => void;
  #run: KeptRun | undefined;
  #open = "";

  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(line: CommandLine, onLog: (text: string) => void) {
    this.#line = line;
    this.#onLog = onLog;
  }

  get pid(): number {
    return this.#run?.pid ?? 0;
  }

  async start(): Promise<void> {
    const decoder = new TextDecoder();
    this.#run = startInKeptBin(this.#line, {
      stdout: (chunk) => this.#read(decoder.decode(chunk, { stream: true })),
      stderr: (chunk) => this.#onLog(chunk.toString()),
    });
    const closed = (): void => this.onclose?.();
    this.#run.ended.then(closed, closed);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#run?.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    run.end();
    const timers = (["SIGTERM", "SIGKILL"] as const).map((signal, index) =>
      setTimeout(() => run.kill(signal), patienceMs * (index + 1)),
    );
    await run.ended.catch(() => {});
    for (const timer of timers) clearTimeout(timer);
  }

  #read(text: string): void {
    const lines = (this.#open + text).split("\n");
    this.#open = lines.pop() ?? "";
    for (const line of lines) this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
  }
}

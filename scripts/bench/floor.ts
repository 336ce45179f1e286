import { type ChildProcess, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";

/**
 * What Frond is measured against: a Node process that holds nothing but this, and starts `/bin/sh -c COMMAND` by node:child_process
 * alone, its output collected. Starting a process takes the longer the more memory its parent has, so the bench itself can't do it.
 */
const program = `
  const { spawn } = require("node:child_process");
  const run = (command, cwd) => new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", command], { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", resolve);
  });
  const runLane = async (commands, cwd) => { for (const command of commands) await run(command, cwd); };
  require("node:readline").createInterface({ input: process.stdin }).on("line", async (line) => {
    const { lanes, cwd } = JSON.parse(line);
    const start = performance.now();
    await Promise.all(lanes.map((commands) => runLane(commands, cwd)));
    process.stdout.write((performance.now() - start) + "\\n");
  });`;

export class Floor {
  readonly #process: ChildProcess;
  readonly #lines: Interface;

  constructor() {
    this.#process = spawn(process.execPath, ["-e", program], { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#process.stdout as NodeJS.ReadableStream });
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  /** Milliseconds that the commands take: those of a lane one after the other, the lanes at the same time. */
  time(lanes: readonly (readonly string[])[], cwd: string): Promise<number> {
    return new Promise((resolve) => {
      this.#lines.once("line", (line) => resolve(Number(line)));
      this.#process.stdin?.write(`${JSON.stringify({ lanes, cwd })}\n`);
    });
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#process.once("exit", () => resolve());
      this.#process.stdin?.end();
    });
  }
}

/** So many times `true`, in so many lanes. */
export function trueLanes(count: number, lanes: number): string[][] {
  return Array.from({ length: lanes }, (_, lane) =>
    Array.from({ length: Math.floor((count + lanes - 1 - lane) / lanes) }, () => "true"),
  );
}

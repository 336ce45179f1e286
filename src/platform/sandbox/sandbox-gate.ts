import type { ChildProcess } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { type OutputPipe, type OutputPipes, reopen } from "../processes/output-pipes.ts";
import type { Mount } from "./bubblewrap-options.ts";
import { findMountProblem, hasOurRoot } from "./mount-table.ts";

/** Where `info` and `ready` are among the descriptors of bubblewrap. */
export interface GatePlaces {
  readonly info: number;
  readonly ready: number;
}

/**
 * Holds a sandbox before its command begins, until what bubblewrap has mounted has been compared with what was meant. What is
 * wrong is killed there and has run nothing. When we die the command does not begin either: bubblewrap itself holds the pipe open
 * that it waits for.
 */
export class SandboxGate {
  /** For bubblewrap to wait at, and for us to let it go on. */
  readonly block: number;
  readonly #pipe: OutputPipe;
  #refusal: string | undefined;
  #hasOpened = false;
  #closed = false;

  /** Nothing where no pipe can be made. */
  static open(pipes: OutputPipes): SandboxGate | undefined {
    const pipe = pipes.take();
    if (pipe === undefined) return undefined;
    try {
      return new SandboxGate(pipe, openSync(reopen(pipe.readEnd), constants.O_RDWR));
    } catch (error) {
      pipe.release(false);
      throw error;
    }
  }

  private constructor(pipe: OutputPipe, block: number) {
    this.#pipe = pipe;
    this.block = block;
  }

  get hasOpened(): boolean {
    return this.#hasOpened;
  }

  /** Why the command did not begin. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** Resolves when it is decided. */
  watch(child: ChildProcess, { info, ready }: GatePlaces, mounts: readonly Mount[]): Promise<void> {
    const [infoSocket, readySocket] = [child.stdio[info], child.stdio[ready]];
    if (!(infoSocket instanceof Socket && readySocket instanceof Socket)) throw new TypeError("bubblewrap has no gate");
    let text = "";
    infoSocket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    const told = new Promise<void>((resolve) => infoSocket.once("close", resolve));
    const mounted = new Promise<void>((resolve) => readySocket.once("close", resolve));
    for (const socket of [infoSocket, readySocket]) socket.on("error", () => {});
    // Read to its end by bubblewrap, and closed then.
    readySocket.resume().end();
    return Promise.all([told, mounted])
      .then(() => this.#decide(child, text, mounts))
      .catch((error: unknown) => this.#refuse(child, `the sandbox can't be examined: ${String(error)}`));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.block);
    this.#pipe.release(false);
  }

  async #decide(child: ChildProcess, info: string, mounts: readonly Mount[]): Promise<void> {
    const pid = Number(/"child-pid":\s*(\d+)/.exec(info)?.[1] ?? Number.NaN);
    // It has failed by itself, and says why.
    if (Number.isNaN(pid)) return;
    while (!hasOurRoot(pid)) {
      if (hasEnded(child)) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const problem = findMountProblem(pid, mounts);
    if (hasEnded(child) || this.#closed) return;
    if (problem !== undefined) return this.#refuse(child, problem);
    this.#hasOpened = true;
    writeSync(this.block, "\n");
  }

  #refuse(child: ChildProcess, problem: string): void {
    if (hasEnded(child) || child.pid === undefined) return;
    this.#refusal = problem;
    // The leader of its group has not been waited for yet, so the id is nobody else's.
    process.kill(-child.pid, "SIGKILL");
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

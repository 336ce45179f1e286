import { constants } from "node:os";
import type { ProcessResult } from "../../block/ports.ts";
import type { ProcessGroup } from "./process-group.ts";
import type { ProcessOutput } from "./process-output.ts";

/** How long output may still arrive after the exit, when something that was left running holds the pipes open. */
const drainMs = 100;
/** After its start; a command that has ended by then is read once, at its end. */
const followAfterMs = 15;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface Outputs {
  readonly stdout: ProcessOutput;
  readonly stderr: ProcessOutput;
}

/** A started command until its result is known. What it leaves behind in its group is then for others to end. */
export class RunningProcess {
  readonly group: ProcessGroup;
  readonly #stdout: ProcessOutput;
  readonly #stderr: ProcessOutput;
  readonly #exited: Promise<Exit>;
  #exit: (exit: Exit) => void = () => {};
  #following: NodeJS.Timeout;
  #ending: Promise<void> | undefined;

  constructor({ stdout, stderr }: Outputs, group: ProcessGroup) {
    this.group = group;
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#exited = new Promise((resolve) => {
      this.#exit = resolve;
    });
    this.#following = setTimeout(() => this.#follow(), followAfterMs);
  }

  #follow(): void {
    const isFollowed = [this.#stdout.follow(), this.#stderr.follow()].every(Boolean);
    if (!isFollowed) this.#following = setTimeout(() => this.#follow(), followAfterMs);
  }

  /** To be called by whoever waits for its process. */
  exited(exit: Exit): void {
    this.#exit(exit);
  }

  /** Ends the whole group; the result comes when nobody of it lives. */
  end(graceMs: number): Promise<void> {
    this.#ending = this.group.end(graceMs).then(() => {
      // A process stuck in the kernel may never exit, and nobody should wait for it.
      const patience = setTimeout(() => this.#exit({ code: null, signal: "SIGKILL" }), drainMs);
      void this.#exited.then(() => clearTimeout(patience));
    });
    return this.#ending;
  }

  async result(): Promise<ProcessResult> {
    const { code, signal } = await this.#exited;
    // Looked at while its id cannot have been given to anyone else: a group found empty here is never signalled.
    this.group.isAlive();
    clearTimeout(this.#following);
    this.#stdout.readRest();
    this.#stderr.readRest();
    if (!this.#isDrained()) await this.#drain();
    await this.#ending;
    return {
      started: true,
      exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]),
      signal,
      stdout: this.#stdout.captured(),
      stderr: this.#stderr.captured(),
    };
  }

  #isDrained(): boolean {
    return this.#stdout.isClosed() && this.#stderr.isClosed();
  }

  #drain(): Promise<void> {
    return new Promise((resolve) => {
      // Time alone proves nothing when this process was busy with something else: then the pipes have not been looked at since.
      const patience = setTimeout(() => void lookAtPipes().then(resolve), drainMs);
      const onClosed = () => {
        if (!this.#isDrained()) return;
        clearTimeout(patience);
        resolve();
      };
      this.#stdout.onceClosed(onClosed);
      this.#stderr.onceClosed(onClosed);
    });
  }

  ignoreOutput(): void {
    this.#stdout.ignore();
    this.#stderr.ignore();
  }

  closeOutput(): void {
    this.#stdout.close();
    this.#stderr.close();
  }
}

/** Immediates come after what can be read has been read; what the command itself wrote fits into the pipe, so twice is enough. */
async function lookAtPipes(): Promise<void> {
  for (let look = 0; look < 2; look++) await new Promise((resolve) => setImmediate(resolve));
}

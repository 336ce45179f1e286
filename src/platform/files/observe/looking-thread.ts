import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import type { Keeper } from "./surroundings.ts";
import { threadFile } from "./thread-file.ts";
import type { FromThread, TaskAnswer, ThreadData, ThreadTask, ToThread } from "./thread-messages.ts";

/** A thread that has had nothing to do for so long is ended. What it knows is in files, and read again when it is needed. */
const keptMs = 30_000;

interface Running {
  readonly keeper: Keeper;
  resolve(answer: TaskAnswer): void;
  reject(error: unknown): void;
}

/** The one thread in which workspaces are looked at, started when it is needed. */
export class LookingThread {
  readonly #running = new Map<number, Running>();
  #worker: Worker | undefined;
  #lastTask = 0;
  #idle: NodeJS.Timeout | undefined;

  /** Rejects with the signal's reason when it is aborted. */
  async perform(request: Omit<ThreadTask, "stop">, keeper: Keeper, signal: AbortSignal): Promise<TaskAnswer> {
    signal.throwIfAborted();
    const worker = this.#start();
    const task = ++this.#lastTask;
    const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    let abort = (): void => {};
    try {
      return await new Promise<TaskAnswer>((resolve, reject) => {
        abort = () => {
          Atomics.store(new Int32Array(stop), 0, 1);
          send(worker, { kind: "stop", task });
          reject(signal.reason);
        };
        signal.addEventListener("abort", abort, { once: true });
        this.#running.set(task, { keeper, resolve, reject });
        send(worker, { kind: "task", task, request: { ...request, stop } });
      });
    } finally {
      signal.removeEventListener("abort", abort);
      this.#running.delete(task);
      this.#rest();
    }
  }

  #start(): Worker {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#create();
    worker.ref();
    return worker;
  }

  #create(): Worker {
    // Not imported: every command would wait for loading it, and few observe anything.
    const threads = process.getBuiltinModule("node:worker_threads");
    const program = fileURLToPath(threadFile);
    const workerData: ThreadData = { helps: false, program };
    const worker = new threads.Worker(program, { workerData, env: {}, execArgv: [], stdout: true, stderr: true });
    worker.on("message", (message: FromThread) => this.#hear(worker, message));
    worker.on("error", (error) => this.#fail(worker, error));
    worker.on("exit", () => this.#fail(worker, new Error("The thread that looks at workspaces has ended.")));
    this.#worker = worker;
    return worker;
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#running.values()) reject(error);
  }

  #hear(worker: Worker, message: FromThread): void {
    const running = this.#running.get(message.task);
    if (message.kind === "call") {
      const { call } = message;
      // Of one that nobody waits for nothing more is kept, and it stops when it hears so.
      if (running === undefined) return send(worker, { kind: "threw", call, error: new Error("It is not wanted.") });
      const method = running.keeper[message.method] as (...args: readonly unknown[]) => Promise<unknown>;
      method(...message.args).then(
        (value) => send(worker, { kind: "returned", call, value }),
        (error: unknown) => send(worker, { kind: "threw", call, error }),
      );
    } else if (message.kind === "answer") running?.resolve(message.answer);
    else running?.reject(message.error);
  }

  #rest(): void {
    const worker = this.#worker;
    if (worker === undefined || this.#running.size > 0) return;
    worker.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#worker = undefined;
      // That it ends is all that is wanted.
      worker.terminate().catch(() => {});
    }, keptMs).unref();
  }
}

function send(worker: Worker, message: ToThread): void {
  worker.postMessage(message);
}

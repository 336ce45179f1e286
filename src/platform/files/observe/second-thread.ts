import { availableParallelism } from "node:os";
import { type MessagePort, Worker } from "node:worker_threads";
import { StampRows } from "./stamp-rows.ts";
import { type StampWork, takeShares } from "./stamp-shares.ts";
import type { ThreadData } from "./thread-messages.ts";

/** What the thread that looks hands to the one that helps it. */
interface HelpMessage {
  readonly work: number;
  /** Of each share: the directory, its names with slashes between them, and its first row. As arrays of text they are quickly sent. */
  readonly paths: readonly string[];
  readonly names: readonly string[];
  readonly firsts: readonly number[];
  readonly states: SharedArrayBuffer;
  readonly rows: SharedArrayBuffer;
}

/** Started when there is much to read at once, and there for as long as the thread that it helps. */
export class SecondThread {
  readonly #program: string;
  readonly #waiting = new Map<number, () => void>();
  #worker: Worker | undefined;
  #lastWork = 0;

  constructor(program: string) {
    this.#program = program;
  }

  /** Resolves when it has no more part in the work, for whatever reason. */
  async help({ shares, states, rows }: StampWork): Promise<void> {
    if (availableParallelism() === 1) return;
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const work = ++this.#lastWork;
    const message: HelpMessage = {
      work,
      paths: shares.map(({ path }) => path),
      names: shares.map(({ names }) => names.join("/")),
      firsts: shares.map(({ first }) => first),
      states: states.buffer as SharedArrayBuffer,
      rows: rows.memory,
    };
    await new Promise<void>((resolve) => {
      this.#waiting.set(work, resolve);
      worker.postMessage(message);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#program, {
      workerData: { helps: true } satisfies ThreadData,
      env: {},
      execArgv: [],
    });
    const end = (): void => {
      this.#worker = undefined;
      for (const resolve of this.#waiting.values()) resolve();
      this.#waiting.clear();
    };
    worker.on("message", (work: number) => {
      this.#waiting.get(work)?.();
      this.#waiting.delete(work);
    });
    // Then the first thread reads what is left.
    worker.on("error", end);
    worker.on("exit", end);
    worker.unref();
    return worker;
  }
}

/** In the thread that helps. It begins with the last share, the other with the first. */
export function serveHelp(port: MessagePort): void {
  port.on("message", ({ work, paths, names, firsts, states, rows }: HelpMessage) => {
    const shares = paths.map((path, index) => ({
      path,
      // Of those that it takes only.
      get names() {
        return (names[index] as string).split("/");
      },
      first: firsts[index] as number,
    }));
    const last = shares.map((_, index) => shares.length - 1 - index);
    takeShares({ shares, states: new Int32Array(states), rows: new StampRows(rows) }, last);
    port.postMessage(work);
  });
}

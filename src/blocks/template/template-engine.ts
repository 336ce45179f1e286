import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import { Semaphore } from "../../util/semaphore.ts";
import { mostMemoryMb, type RenderAnswer, type RenderRequest, type ThreadAnswer } from "./render-request.ts";
import { threadFile } from "./thread-file.ts";

/**
 * Templates are rendered by an interpreter that knows nothing but its variables (jinja/). It runs in threads of its own, so that a
 * template that takes for ever, or all the memory it can get, takes nothing away from the engine: the thread is ended when its
 * time is over, and its memory has an end.
 */
const keptMs = 10_000;
const slots = new Semaphore(4);

/** Starting a thread takes a hundred times as long as rendering a small template, so they are kept for a while. */
const idle: Worker[] = [];
let isSweeping = false;

/** Rejects with the signal's reason when it is aborted. */
export async function render(request: RenderRequest, signal: AbortSignal): Promise<RenderAnswer> {
  await slots.acquire();
  try {
    signal.throwIfAborted();
    return await renderIn(idle.pop() ?? startWorker(), request, signal);
  } finally {
    slots.release();
  }
}

function renderIn(worker: Worker, request: RenderRequest, signal: AbortSignal): Promise<RenderAnswer> {
  worker.ref();
  return new Promise((resolve, reject) => {
    const settle = (isReusable: boolean): void => {
      signal.removeEventListener("abort", stop);
      worker.off("message", answered);
      worker.off("error", broke);
      if (isReusable) keep(worker);
      else end(worker);
    };
    const stop = (): void => {
      settle(false);
      reject(signal.reason);
    };
    const answered = ({ answer, isReusable }: ThreadAnswer): void => {
      settle(isReusable);
      resolve(answer);
    };
    const broke = (error: NodeJS.ErrnoException): void => {
      settle(false);
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve({ kind: "exhausted" });
      else reject(error);
    };
    signal.addEventListener("abort", stop);
    worker.on("message", answered);
    worker.on("error", broke);
    worker.postMessage(request);
  });
}

function startWorker(): Worker {
  // Not imported: every command would wait for loading it, and few render a template.
  const threads = process.getBuiltinModule("node:worker_threads");
  const worker = new threads.Worker(fileURLToPath(threadFile), {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 3 * mostMemoryMb },
  });
  // Of an error that nobody waits for any more, nobody needs to hear.
  worker.on("error", () => {});
  return worker;
}

function keep(worker: Worker): void {
  idle.push(worker);
  worker.unref();
  if (isSweeping) return;
  isSweeping = true;
  setTimeout(() => {
    isSweeping = false;
    for (const unused of idle.splice(0)) end(unused);
  }, keptMs).unref();
}

function end(worker: Worker): void {
  // That it ends is all that is wanted.
  worker.terminate().catch(() => {});
}

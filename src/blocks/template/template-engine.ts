// biome-ignore lint/style/noRestrictedImports: reads the program of the engine itself, which is no file of a workflow.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import type { ValueMap } from "../../expression/value.ts";
import { Semaphore } from "../../util/semaphore.ts";
import { limitMemory } from "./limit-memory.ts";

/**
 * Templates are rendered by MiniJinja, a sandbox that reaches neither files nor the language around it. It runs in a thread of
 * its own, so that a template that takes for ever, or all the memory it can get, takes nothing away from the engine: the thread is
 * ended when its time is over, and its memory has an end.
 */
export interface RenderRequest {
  readonly source: string;
  readonly variables: ValueMap;
  /** Whether a variable that is not defined is an error. */
  readonly strict: boolean;
  /** Only whether it can be read, as it stands. */
  readonly onlyParse?: boolean;
}

export type RenderAnswer =
  | { readonly kind: "rendered"; readonly content: string }
  | { readonly kind: "refused"; readonly message: string }
  /** More memory than there is, or nested too deeply. */
  | { readonly kind: "exhausted" };

export const mostSteps = 20_000_000;
export const mostMemory = 256_000_000;

const program = `
const { parentPort, workerData: { url, engine, fuel, mostKept } } = require("node:worker_threads");
import(url).then(({ initSync, Environment }) => {
  const { memory } = initSync({ module: engine });
  parentPort.on("message", ({ source, variables, strict, onlyParse }) => {
    try {
      const environment = new Environment();
      environment.enablePyCompat();
      environment.removeGlobal("debug");
      environment.keepTrailingNewline = true;
      environment.undefinedBehavior = strict ? "strict" : "lenient";
      environment.fuel = fuel;
      environment.debug = true;
      let answer;
      try {
        if (onlyParse) environment.addTemplate("<string>", source);
        answer = { kind: "rendered", content: onlyParse ? "" : environment.renderStr(source, variables) };
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error;
        answer = { kind: "refused", message: String(error.message) };
      }
      environment.free();
      parentPort.postMessage({ answer, isReusable: memory.buffer.byteLength <= mostKept });
    } catch {
      parentPort.postMessage({ answer: { kind: "exhausted" }, isReusable: false });
    }
  });
});
`;

/** A thread that has needed more is not kept for the next template. */
const mostKept = 32_000_000;
const keptMs = 10_000;
const slots = new Semaphore(4);

/** Starting a thread takes a hundred times as long as rendering a small template, so they are kept for a while. */
const idle: Worker[] = [];
let isSweeping = false;
let loaded: LoadedEngine | undefined;

interface LoadedEngine {
  readonly url: string;
  readonly engine: Uint8Array;
}

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
    const answered = ({ answer, isReusable }: WorkerAnswer): void => {
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

interface WorkerAnswer {
  readonly answer: RenderAnswer;
  readonly isReusable: boolean;
}

function startWorker(): Worker {
  loaded ??= loadEngine();
  // Not imported: every command would wait for loading it, and few render a template.
  const threads = process.getBuiltinModule("node:worker_threads");
  const worker = new threads.Worker(program, {
    eval: true,
    workerData: { ...loaded, fuel: mostSteps, mostKept },
    env: {},
    execArgv: [],
    // A panic is told to standard error, and becomes an answer all the same.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  // Of an error that nobody waits for any more, nobody needs to hear.
  worker.on("error", () => {});
  return worker;
}

/** The build for browsers, because that one lets us hand over the program it consists of. */
function loadEngine(): LoadedEngine {
  const require = createRequire(import.meta.url);
  const file = require.resolve("minijinja-js/dist/web/minijinja_js.js");
  const bytes = readFileSync(file.replace(/\.js$/, "_bg.wasm"));
  return { url: pathToFileURL(file).href, engine: limitMemory(bytes, mostMemory) };
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

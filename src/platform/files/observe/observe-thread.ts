import { parentPort, workerData } from "node:worker_threads";
import { err, ok } from "../../../util/result.ts";
import { beginObservation } from "./begin-observation.ts";
import { Ending, endObservation } from "./end-observation.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { recallStates } from "./recall-states.ts";
import { SecondThread, serveHelp } from "./second-thread.ts";
import type { Keeper, Surroundings } from "./surroundings.ts";
import type { FromThread, KeeperMethod, TaskAnswer, ThreadData, ThreadTask, ToThread } from "./thread-messages.ts";
import { readTree } from "./tree-bytes.ts";
import { WorkspaceIndexes } from "./workspace-index.ts";

/** The program of the thread that looks at workspaces: tens of thousands of entries, without holding up the engine. */

const indexes = new Map<string, WorkspaceIndexes>();
const stops = new Map<number, AbortController>();
const calls = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
const data = workerData as ThreadData;
const second = data.helps ? undefined : new SecondThread(data.program);
let lastCall = 0;

if (parentPort !== null && data.helps) serveHelp(parentPort);
else parentPort?.on("message", hear);

function hear(message: ToThread): void {
  switch (message.kind) {
    case "task":
      void perform(message.task, message.request);
      break;
    case "stop":
      stops.get(message.task)?.abort();
      break;
    case "returned":
      calls.get(message.call)?.resolve(message.value);
      calls.delete(message.call);
      break;
    case "threw":
      calls.get(message.call)?.reject(message.error);
      calls.delete(message.call);
  }
}

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}

async function perform(task: number, request: ThreadTask): Promise<void> {
  const stop = new AbortController();
  stops.set(task, stop);
  try {
    post({ kind: "answer", task, answer: await answer(request, surroundings(request, stop.signal), keeperOf(task)) });
  } catch (error) {
    post({ kind: "failed", task, error });
  } finally {
    stop.abort();
    stops.delete(task);
  }
}

function surroundings({ workspace, own, git, stop }: ThreadTask, signal: AbortSignal): Surroundings {
  const flag = new Int32Array(stop);
  return {
    workspace,
    own,
    git: git && { ...git, signal },
    ...(second && { second }),
    throwIfAborted() {
      if (Atomics.load(flag, 0) !== 0) throw new Error("It is not wanted any more.");
    },
  };
}

async function answer(request: ThreadTask, around: Surroundings, keeper: Keeper): Promise<TaskAnswer> {
  const { what } = request;
  if (what.kind === "begin") {
    const known = indexes.get(request.indexes) ?? new WorkspaceIndexes(request.indexes);
    indexes.set(request.indexes, known);
    const result = await beginObservation(around, what.writes, known, keeper);
    return { kind: "begin", result };
  }
  const manifest = await findManifest(what.snapshot, keeper);
  if (what.kind === "recall") {
    const { paths } = what;
    const states = manifest && (await recallStates(manifest, paths, new Ending(around, manifest, keeper)));
    return { kind: "recall", states: states ?? paths.map(() => undefined) };
  }
  if (manifest === undefined) {
    return { kind: "compare", result: err("What the workspace was like before is not kept any more.") };
  }
  return { kind: "compare", result: ok(await endObservation(around, manifest, keeper)) };
}

async function findManifest(snapshot: string, keeper: Keeper): Promise<Manifest | undefined> {
  const bytes = await keeper.get(snapshot);
  if (bytes === undefined) return undefined;
  return await readManifest(bytes, async (sha256) => {
    for (const known of indexes.values()) {
      const tree = known.findBase(sha256);
      if (tree !== undefined) return tree;
    }
    const base = await keeper.get(sha256);
    return base && readTree(base)?.tree;
  });
}

function keeperOf(task: number): Keeper {
  const call = (method: KeeperMethod, ...args: readonly unknown[]): Promise<never> =>
    new Promise((resolve, reject) => {
      const number = ++lastCall;
      calls.set(number, { resolve: resolve as (value: unknown) => void, reject });
      post({ kind: "call", task, call: number, method, args });
    });
  return {
    keepFiles: (paths, lasting) => call("keepFiles", paths, lasting),
    keepBytes: (bytes, lasting) => call("keepBytes", bytes, lasting),
    use: (sha256s) => call("use", sha256s),
    get: (sha256) => call("get", sha256),
  };
}

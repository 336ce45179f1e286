import { join } from "node:path";
import type { Blobs, Environment, FileSystem, RootedPath } from "../../../block/ports.ts";
import { scratchDirectory } from "../../../block/scratch-directory.ts";
import type { BeginRequest, ObservedChanges, Observer, ObserverRequest } from "../../../changes/observer.ts";
import type { RecordedChange } from "../../../changes/recorded-change.ts";
import { pathBelow } from "../../../util/path-below.ts";
import { err, ok } from "../../../util/result.ts";
import { realPath } from "../file-paths.ts";
import { createKeeper } from "./create-keeper.ts";
import type { Ended } from "./end-observation.ts";
import { LookingThread } from "./looking-thread.ts";
import type { TaskAnswer, ThreadTask } from "./thread-messages.ts";

export interface ObserverOptions {
  readonly stateDirectory: string;
  readonly environment: Environment;
  readonly files: FileSystem;
  readonly blobs: Blobs;
  /** For several observers in one process; without it, one has its own. */
  readonly thread?: LookingThread;
}

/** An observer that does its looking in another thread. */
export function createObserver(options: ObserverOptions): Observer {
  const { stateDirectory, environment, thread = new LookingThread() } = options;
  const used = new Map<string, Set<string>>();

  function perform(request: ObserverRequest, what: ThreadTask["what"]): Promise<TaskAnswer> {
    const { runId, workspace, signal } = request;
    const git = environment.findProgram("git");
    const state = pathBelow(workspace, realPath(stateDirectory) ?? stateDirectory);
    const task = {
      workspace,
      own: state === undefined ? [scratchDirectory] : [scratchDirectory, state],
      indexes: join(stateDirectory, "observed"),
      git: git === undefined ? undefined : { file: git, variables: { ...environment.variables } },
      what,
    };
    return thread.perform(task, createKeeper(options, request, usedBy(used, runId)), signal);
  }

  return {
    async begin(request: BeginRequest) {
      const answer = await perform(request, { kind: "begin", writes: request.writes });
      if (answer.kind !== "begin") throw new Error("The thread has answered another question.");
      return answer.result;
    },
    async compare(snapshot, request) {
      const answer = await perform(request, { kind: "compare", snapshot });
      if (answer.kind !== "compare") throw new Error("The thread has answered another question.");
      const { result } = answer;
      return result.ok ? ok(asChanges(result.value, request.workspace)) : err(result.error);
    },
    async recall(snapshot, paths, request) {
      const answer = await perform(request, { kind: "recall", snapshot, paths });
      if (answer.kind !== "recall") throw new Error("The thread has answered another question.");
      return answer.states;
    },
  };
}

/** Of this many runs it is known which bytes they use already. */
const mostRunsKnown = 10;

function usedBy(used: Map<string, Set<string>>, runId: string): Set<string> {
  const known = used.get(runId) ?? new Set();
  used.delete(runId);
  used.set(runId, known);
  const [oldest] = used.keys();
  if (used.size > mostRunsKnown && oldest !== undefined) used.delete(oldest);
  return known;
}

function asChanges({ changes, refs, notCaptured }: Ended, workspace: string): ObservedChanges {
  const observed = changes.map(({ path, before, after }): RecordedChange => {
    return { kind: "observed", at: { root: workspace, path }, before, after };
  });
  const moved = refs.map(({ repository, name, before, after }): RecordedChange => {
    return { kind: "ref", repository: rooted(repository, workspace), name, before, after };
  });
  return { changes: [...observed, ...moved], notCaptured };
}

function rooted(path: string, workspace: string): RootedPath {
  const below = pathBelow(workspace, path);
  return below === undefined ? { root: "/", path: path.slice(1) } : { root: workspace, path: below };
}

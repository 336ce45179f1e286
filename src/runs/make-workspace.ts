import type { MadeWorkspace } from "../block/workspaces.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { RunEvent } from "../engine/events.ts";
import { crashed } from "../engine/execution.ts";
import type { Journal, PostedRequest } from "../journal/journal.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Platform } from "./platform.ts";
import type { RestoredRun } from "./read-run.ts";

const lookMs = 500;
const heartbeatMs = 10_000;

/** What a process gets that has claimed a run and can't go on with it. */
export const workspaceStoppedCode = "run-stopped";

/** Whether a run has a workspace of its own to come, before anything of it can be done. */
export function needsWorkspace({ events, state }: RestoredRun): boolean {
  return state.started.workspaceFrom !== undefined && !events.some(({ type }) => type === "workspace-made");
}

export type WorkspaceEnd =
  | { readonly kind: "made" | "lost" }
  /** With what the run has ended. */
  | { readonly kind: "ended"; readonly message: string };

/**
 * Makes the workspace of a run that this process has claimed, and records it; or ends the run when that can't be done. Whoever cancels the
 * run meanwhile, or takes it, ends git. Nothing of this counts before it is on record: the next process makes it anew. `ended` and `lost`
 * say that there is nothing left to drive.
 */
export async function makeWorkspace(
  platform: Platform,
  { state }: RestoredRun,
  fence: number,
  stop: AbortSignal = new AbortController().signal,
): Promise<Result<WorkspaceEnd, Problem>> {
  const { runId, workspaceFrom = "none", at: startedAt } = state.started;
  const journal = await platform.journal();
  const watch = new ClaimWatch(journal, runId, fence);
  let made: Result<MadeWorkspace, string> | undefined;
  try {
    made = await platform.workspaces.make(workspaceFrom, runId, AbortSignal.any([stop, watch.signal]));
  } catch (error) {
    if (!stop.aborted && !watch.signal.aborted) throw error;
  } finally {
    await watch.close();
  }
  if (watch.isLost) return ok({ kind: "lost" });
  if (stop.aborted) {
    await journal.abandon(runId, fence);
    return err(problem(workspaceStoppedCode, `This process has stopped before ${runId} had its workspace.`));
  }
  const cancel = watch.cancel;
  // What is under `finally` runs all the same, and has to be somewhere.
  if (cancel !== undefined) made = await platform.workspaces.make("none", runId, stop);
  const now = platform.clock.now();
  const at = now.toISOString();
  const message = `The workspace could not be made on ${platform.host}. ${made?.ok === false ? made.error : ""}`;
  const events: RunEvent[] =
    made?.ok === true
      ? [{ type: "workspace-made", at, host: platform.host, ...made.value }]
      : [
          {
            type: "run-finished",
            at,
            ...crashed(message),
            outputs: {},
            durationMs: Math.max(0, now.getTime() - Date.parse(startedAt)),
            remarks: { handledFailures: [], outputErrors: {} },
          },
        ];
  if (cancel !== undefined && made?.ok === true) {
    events.push({ type: "run-cancelling", at, message: cancel.message, cause: "cancelled" });
  }
  if (!(await journal.append(runId, fence, events))) return ok({ kind: "lost" });
  if (cancel !== undefined) await journal.settle([cancel.id]);
  if (made?.ok === true) return ok({ kind: "made" });
  await journal.abandon(runId, fence);
  return ok({ kind: "ended", message });
}

/** Keeps a claim while nobody drives the run yet, and hears of what is asked of the run. */
class ClaimWatch {
  readonly #journal: Journal;
  readonly #runId: string;
  readonly #fence: number;
  readonly #ended = new AbortController();
  readonly #timers: readonly NodeJS.Timeout[];
  #looking: Promise<void> | undefined;
  isLost = false;
  /** What somebody asked for. */
  cancel: { readonly id: PostedRequest["id"]; readonly message: string } | undefined;

  constructor(journal: Journal, runId: string, fence: number) {
    this.#journal = journal;
    this.#runId = runId;
    this.#fence = fence;
    this.#timers = [
      setInterval(() => this.#once(() => this.#look()), lookMs).unref(),
      setInterval(() => void this.#journal.heartbeat(new Map([[runId, fence]])).catch(() => {}), heartbeatMs).unref(),
    ];
  }

  /** Comes when the run is cancelled or lost. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#looking;
    // Who asked in the last moment is heard as well.
    if (!this.#ended.signal.aborted) await this.#look();
  }

  /** What can't be read now is read the next time; the append will tell. */
  #once(look: () => Promise<void>): void {
    this.#looking ??= look()
      .catch(() => {})
      .finally(() => {
        this.#looking = undefined;
      });
  }

  async #look(): Promise<void> {
    if (!(await this.#journal.holds(this.#runId, this.#fence))) {
      this.isLost = true;
      this.#ended.abort();
      return;
    }
    for (const { id, request } of await this.#journal.requests(this.#runId)) {
      if (request.kind !== "cancel") continue;
      this.cancel = { id, message: request.message };
      this.#ended.abort();
      return;
    }
  }
}

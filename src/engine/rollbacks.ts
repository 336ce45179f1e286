import { idempotencyKeyVariable, runIdVariable } from "../block/run-variables.ts";
import { defined } from "../util/defined.ts";
import type { EventRecorder } from "./event-recorder.ts";
import type { PendingEnd, RollbackResult } from "./events.ts";
import { idempotencyKey } from "./ids.ts";
import { addressWithin, childNodes, isLeaf, type RunNode } from "./run-node.ts";
import type { RunnerOptions } from "./runner-options.ts";
import type { Turns } from "./turns.ts";

interface Parts {
  readonly recorder: EventRecorder;
  readonly turns: Turns;
  readonly options: Pick<RunnerOptions, "rollBack" | "platform">;
  /** Nothing more can be done for the run. */
  onLost(error: Error): void;
}

/**
 * Takes back what nodes did, each by a run of its own, and only then records how they ended. That one has begun is durable before it
 * begins, so whoever drives the run next goes on with it.
 */
export class Rollbacks {
  readonly #parts: Parts;
  readonly #abort = new AbortController();
  readonly #performing = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  begin(node: RunNode, end: PendingEnd): void {
    this.#parts.recorder.beginRollback(node, end);
    this.goOn(node);
  }

  /** Also with one that an engine had begun which has died. */
  goOn(node: RunNode): void {
    this.#parts.turns.afterwards(() => {
      const performing = this.#perform(node).finally(() => this.#performing.delete(performing));
      this.#performing.add(performing);
    });
  }

  /** Leaves them where they are; resolves when nothing of them runs any more. */
  async stopAll(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#performing);
  }

  async #perform(node: RunNode): Promise<void> {
    const { recorder, turns, options, onLost } = this.#parts;
    const { rollback, path } = node;
    if (rollback === undefined) throw new Error(`${path} is not being rolled back.`);
    const { undoRun, attempt, end } = rollback;
    const { runId } = recorder.state.started;
    try {
      await this.#endStrays(node, runId);
      const result = await options.rollBack({ undoRun, path, attempt }, this.#abort.signal);
      turns.tell(() => this.#end(node, result, end));
    } catch (error) {
      onLost(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** What was left in the background could go on writing, even as a daemon. */
  async #endStrays(node: RunNode, runId: string): Promise<void> {
    const { processes } = this.#parts.options.platform;
    if (node.parent === undefined) {
      await processes.endBackground(runId);
      await processes.endStrays(runIdVariable, [runId]);
    } else {
      const keys = findCommands(node).map((leaf) => idempotencyKey(runId, addressWithin(leaf)));
      await processes.endStrays(idempotencyKeyVariable, keys);
    }
  }

  #end(node: RunNode, result: RollbackResult, end: PendingEnd): void {
    const { recorder } = this.#parts;
    recorder.append({ type: "rollback-finished", at: recorder.now(), path: node.path, ...result });
    recordEnd(recorder, node, end);
  }
}

/** Blocks that may have started programs. */
function findCommands(node: RunNode): readonly RunNode[] {
  const inner = childNodes(node).flatMap(findCommands);
  return isLeaf(node) && node.block?.definition.type.capabilities.includes("commands") ? [node, ...inner] : inner;
}

/** What an attempt was found to end with. */
export function recordEnd(recorder: EventRecorder, node: RunNode, end: PendingEnd): void {
  const { ending, outputs, durationMs, remarks, seen, spend, retryDelayMs } = end;
  if (node.parent === undefined) {
    if (outputs === undefined || remarks === undefined) throw new Error("A run ends with outputs.");
    return recorder.finishRun(ending, outputs, remarks);
  }
  if (retryDelayMs !== undefined)
    return recorder.endAttempt(node, ending, outputs, { durationMs, delayMs: retryDelayMs, ...defined({ spend }) });
  recorder.finish(node, ending, outputs, {
    durationMs,
    ...defined({ remarks, seen, spend }),
  });
}

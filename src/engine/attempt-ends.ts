import { defined } from "../util/defined.ts";
import { err } from "../util/result.ts";
import { exceededEnding } from "./budget-scope.ts";
import { concludeFinally, concludeLoop, concludeRepeat, concludeWorkflow } from "./conclude.ts";
import type { EventRecorder, FinishDetails } from "./event-recorder.ts";
import type { PendingEnd, SkipReason } from "./events.ts";
import { crashed, type Ending, stopped } from "./execution.ts";
import { isToBeTakenBack } from "./failure-actions.ts";
import { type AttemptResult, planRetry } from "./retry.ts";
import { type Rollbacks, recordEnd } from "./rollbacks.ts";
import { crashMessage, type LeafResult } from "./run-leaf.ts";
import { isInFinally, type LoopInside, questionOf, type RunNode } from "./run-node.ts";
import type { RunningLeaves } from "./running-leaves.ts";
import { WorkflowScope } from "./scope.ts";
import type { Turns } from "./turns.ts";

interface Parts {
  readonly recorder: EventRecorder;
  readonly leaves: RunningLeaves;
  readonly turns: Turns;
  readonly rollbacks: Rollbacks;
}

/**
 * Decides what follows when an attempt is over: the end of its block, another attempt, or another pass. Where what it did is to be
 * taken back that comes first.
 */
export class AttemptEnds {
  readonly #runId: string;
  readonly #recorder: EventRecorder;
  readonly #parts: Parts;

  constructor(runId: string, parts: Parts) {
    this.#runId = runId;
    this.#recorder = parts.recorder;
    this.#parts = parts;
  }

  /** A block's own code has come to an end, or to where it waits. */
  settle(node: RunNode, result: LeafResult, durationMs: number): void {
    const { spend } = result;
    if (result.kind === "ended") {
      const seen = result.seen === undefined ? {} : { seen: result.seen };
      return this.endAttempt(node, result, { durationMs, ...seen, ...(spend === undefined ? {} : { spend }) });
    }
    if (isInFinally(node)) {
      const ending = crashed("It waits, and nothing under `finally` may wait.");
      const details = { durationMs, ...defined({ spend }) };
      return this.#recorder.finish(node, ending, this.#recorder.defaults(node), details);
    }
    if (result.kind === "paused") this.#recorder.pause(node, result.question, "block", durationMs, defined({ spend }));
    else this.#recorder.sleep(node, result.until, durationMs, spend);
  }

  /**
   * It waits for what nobody will give it any more. An element of a stopped loop that only waits has not done anything; one that was
   * interrupted may have, and a block deeper inside leaves something unfinished.
   */
  withdraw(node: RunNode, reason: SkipReason): void {
    const { attempts } = node.record.metadata;
    const onlyWaits =
      node.element !== undefined && node.earlier.length === 0 && questionOf(node)?.about !== "interruption";
    if (reason.kind === "loop-stopped" && onlyWaits) return this.#recorder.skip(node, reason);
    if (attempts === 0) return this.#recorder.skip(node, { ...reason, message: `Not started: ${reason.message}.` });
    // One that was to be tried again has ended once already.
    const isBetween = node.earlier.length >= attempts;
    const last = reason.kind !== "cancelled" && isBetween ? node.earlier.at(-1)?.ending : undefined;
    const stop = { cause: "cancelled", message: reason.message } as const;
    const outputs = last ? node.record.outputs : this.#recorder.defaults(node);
    this.finish(node, { ending: last === undefined ? stopped(stop) : notTriedAgain(last, reason), outputs });
  }

  /** The block ends with it, unless it is to be tried again. */
  endAttempt(node: RunNode, result: AttemptResult, details: FinishDetails): void {
    const delay = this.#planRetry(node, result);
    if (!delay.ok) return this.finish(node, { ...result, ending: crashed(delay.error) }, details);
    const delayMs = delay.value;
    this.finish(node, result, details, delayMs);
  }

  /** It is not tried again, whatever its `retry` says, unless after a delay. */
  finish(node: RunNode, result: AttemptResult, details: FinishDetails = {}, retryDelayMs?: number): void {
    const { ending, outputs } = result;
    this.#end(node, {
      ...details,
      ending,
      durationMs: details.durationMs ?? this.#recorder.duration(node),
      ...(outputs === undefined ? {} : { outputs }),
      ...(retryDelayMs === undefined ? {} : { retryDelayMs }),
    });
  }

  #end(node: RunNode, end: PendingEnd): void {
    const isBack = !isToBeTakenBack(node, end.ending, end.retryDelayMs !== undefined);
    if (isBack) recordEnd(this.#recorder, node, end);
    else this.#parts.rollbacks.begin(node, end);
  }

  /** Whatever throws here is a fault of that block, and must not take the run with it. */
  #planRetry(node: RunNode, result: AttemptResult): ReturnType<typeof planRetry> {
    try {
      return planRetry(node, result, this.#runId);
    } catch (error) {
      return err(crashMessage(error));
    }
  }

  /** Everything inside the node has ended. */
  conclude(node: RunNode): void {
    const { inside } = node;
    if (inside.kind === "leaf") throw new Error(`${node.path} has nothing inside to conclude.`);
    if (inside.kind === "loop") return this.#concludeLoop(node, inside);
    const scope = WorkflowScope.inside(node, this.#runId);
    const conclusion = concludeWorkflow(node, inside, scope);
    const { plan, closing } = inside;
    const before = exceededEnding(node) ?? conclusion.ending;
    if (closing === undefined && plan.mainBlocks < plan.blocks.length) {
      return this.#recorder.beginFinally(node, before);
    }
    const { ending, outputs, remarks } =
      closing === undefined ? { ...conclusion, ending: before } : concludeFinally(inside, closing.ending, conclusion);
    if (node.parent === undefined) return this.finish(node, { ending, outputs }, { remarks });
    this.endJudged(node, { ending, outputs }, { remarks });
  }

  /** The same by what is expected of the block. */
  endJudged(node: RunNode, result: AttemptResult, details: FinishDetails = {}): void {
    if (node.block?.definition.expect === undefined) return this.endAttempt(node, result, details);
    const { leaves, turns } = this.#parts;
    void leaves.judge(node, result).then((judged) => {
      turns.tell(() => this.endAttempt(node, judged, details));
    });
  }

  #concludeLoop(node: RunNode, inside: LoopInside): void {
    const { repeat } = node.block?.definition ?? {};
    const exceeded = exceededEnding(node);
    if (repeat === undefined || exceeded !== undefined) {
      return this.finish(node, { ending: exceeded ?? concludeLoop(node, inside), outputs: undefined });
    }
    const conclusion = concludeRepeat(node, inside, repeat, this.#runId);
    if ("ending" in conclusion) return this.finish(node, { ending: conclusion.ending, outputs: undefined });
    // What was waited for between two passes has long happened.
    const isReused = inside.passes.at(-1)?.record.metadata.reused === true;
    this.#recorder.repeat(node, isReused ? 0 : conclusion.delayMs);
  }
}

function notTriedAgain(last: Ending, { message: why }: SkipReason): Ending {
  return last.outcome === "success" ? last : { ...last, message: `${last.message}; not tried again: ${why}` };
}

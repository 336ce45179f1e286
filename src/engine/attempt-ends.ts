import { err } from "../util/result.ts";
import { concludeFinally, concludeLoop, concludeRepeat, concludeWorkflow } from "./conclude.ts";
import type { EventRecorder, FinishDetails } from "./event-recorder.ts";
import { crashed } from "./execution.ts";
import { type AttemptResult, planRetry } from "./retry.ts";
import { crashMessage } from "./run-leaf.ts";
import type { LoopInside, RunNode } from "./run-node.ts";
import type { RunningLeaves } from "./running-leaves.ts";
import { WorkflowScope } from "./scope.ts";
import type { Turns } from "./turns.ts";

/** Decides what follows when an attempt is over: the end of its block, another attempt, or another pass. */
export class AttemptEnds {
  readonly #runId: string;
  readonly #recorder: EventRecorder;
  readonly #leaves: RunningLeaves;
  readonly #turns: Turns;

  constructor(runId: string, recorder: EventRecorder, leaves: RunningLeaves, turns: Turns) {
    this.#runId = runId;
    this.#recorder = recorder;
    this.#leaves = leaves;
    this.#turns = turns;
  }

  /** The block ends with it, unless it is to be tried again. */
  endAttempt(node: RunNode, result: AttemptResult, details: FinishDetails): void {
    const { ending, outputs } = result;
    const delay = this.#planRetry(node, result);
    if (!delay.ok) return this.#recorder.finish(node, crashed(delay.error), outputs, details);
    if (delay.value === undefined) return this.#recorder.finish(node, ending, outputs, details);
    const { durationMs = this.#recorder.duration(node) } = details;
    this.#recorder.endAttempt(node, ending, outputs, { durationMs, delayMs: delay.value });
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
    if (closing === undefined && plan.mainBlocks < plan.blocks.length) {
      return this.#recorder.beginFinally(node, conclusion.ending);
    }
    const { ending, outputs, remarks } =
      closing === undefined ? conclusion : concludeFinally(inside, closing.ending, conclusion);
    if (node.parent === undefined) return this.#recorder.finishRun(ending, outputs, remarks);
    this.endJudged(node, { ending, outputs }, { remarks });
  }

  /** The same by what is expected of the block. */
  endJudged(node: RunNode, result: AttemptResult, details: FinishDetails = {}): void {
    if (node.block?.definition.expect === undefined) return this.endAttempt(node, result, details);
    void this.#leaves.judge(node, result).then((judged) => {
      this.#turns.tell(() => this.endAttempt(node, judged, details));
    });
  }

  #concludeLoop(node: RunNode, inside: LoopInside): void {
    const { repeat } = node.block?.definition ?? {};
    if (repeat === undefined) return this.#recorder.finish(node, concludeLoop(node, inside), undefined);
    const conclusion = concludeRepeat(node, inside, repeat, this.#runId);
    if ("ending" in conclusion) return this.#recorder.finish(node, conclusion.ending, undefined);
    // What was waited for between two passes has long happened.
    const isReused = inside.passes.at(-1)?.record.metadata.reused === true;
    this.#recorder.repeat(node, isReused ? 0 : conclusion.delayMs);
  }
}

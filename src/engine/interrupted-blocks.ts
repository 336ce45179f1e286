import { addCost } from "../block/spend.ts";
import type { ValueMap } from "../expression/value.ts";
import type { AttemptEnds } from "./attempt-ends.ts";
import type { EventRecorder } from "./event-recorder.ts";
import { type Ending, emptyMap, stopped, succeeded } from "./execution.ts";
import { actionFor, askAboutInterruption, type InterruptionOptions, interrupted } from "./interruption.ts";
import type { Observations } from "./observations.ts";
import type { ProcessGate } from "./process-gate.ts";
import { cancelReason, type RunNode } from "./run-node.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Turns } from "./turns.ts";

interface Parts {
  readonly recorder: EventRecorder;
  readonly turns: Turns;
  readonly scheduler: Scheduler;
  readonly observations: Observations;
  readonly ends: AttemptEnds;
  readonly gate: ProcessGate;
  readonly options: InterruptionOptions;
}

/** Sees to blocks that were running when the engine that ran them died. */
export class InterruptedBlocks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  decide(node: RunNode): void {
    const { recorder, turns, scheduler, observations, ends, options } = this.#parts;
    if (observations.isLeftOpen(node)) {
      return turns.afterwards(() => {
        void observations.lookAgain(node).then(() => turns.tell(() => scheduler.retry(node)));
      });
    }
    // Nobody knows what it has cost.
    const charge = node.reserved === undefined ? {} : { spend: addCost(undefined, node.reserved) };
    const cancelled = cancelReason(node);
    const action = cancelled === undefined ? actionFor(node, options) : "fail";
    // The next attempt is to find what this one found.
    if (action === "rerun" && node.block?.definition.retry?.restore === true) {
      return ends.finish(node, { ending: stopped(interrupted), outputs: recorder.defaults(node) }, charge, 0);
    }
    const { path, record, fileChange } = node;
    const { attempts: attempt } = record.metadata;
    recorder.append({ type: "block-interrupted", at: recorder.now(), path, attempt, action, ...charge });
    if (action === "ask") recorder.pause(node, askAboutInterruption(node), "interruption", 0);
    if (action === "done") this.succeed(node, fileChange?.outputs ?? emptyMap);
    if (action === "fail") this.fail(node, stopped(cancelled ?? interrupted));
  }

  fail(node: RunNode, ending: Ending): void {
    const { gate, ends, recorder } = this.#parts;
    gate.leave(node);
    ends.finish(node, { ending, outputs: recorder.defaults(node) });
  }

  /** It was done, with these outputs. */
  succeed(node: RunNode, outputs: ValueMap): void {
    const { gate, ends } = this.#parts;
    gate.leave(node);
    ends.endJudged(node, { ending: succeeded, outputs });
  }
}

import {
  BlockCannotRun,
  type BlockContext,
  type BlockResult,
  type BlockType,
  type LeafBehaviour,
  type Question,
  type WrittenSoFar,
} from "../block/define-block.ts";
import type { Spend } from "../block/spend.ts";
import { explainIssue, issuePath } from "../diagnostic/explain-issues.ts";
import { toValue, type Value, type ValueMap } from "../expression/value.ts";
import { err, ok } from "../util/result.ts";
import type { SeenEntry } from "./events.ts";
import { crashed, type Ending, operationFailed, type Stop, stopped, succeeded, timedOut } from "./execution.ts";
import { startTimer } from "./timer.ts";

export type LeafResult =
  | {
      readonly kind: "ended";
      readonly ending: Ending;
      readonly outputs: ValueMap;
      readonly retryAfterMs?: number | undefined;
      /** What it saw of files, where that is all that it saw of the world outside. */
      readonly seen?: readonly SeenEntry[];
      /** What it has cost, where it told. */
      readonly spend?: Spend;
    }
  | { readonly kind: "paused"; readonly question: Question; readonly spend?: Spend }
  | { readonly kind: "sleeping"; readonly until: Date; readonly spend?: Spend };

export interface LeafCall {
  readonly type: BlockType;
  readonly behaviour: LeafBehaviour;
  readonly input: ValueMap;
  readonly timeoutSeconds: number | undefined;
  readonly how: HowToCall;
  readonly defaults: ValueMap;
}

/** Which of its functions is called: to run, to go on after a question or a sleep, or to tell what an interrupted attempt made. */
export type HowToCall =
  | { readonly kind: "run" }
  | { readonly kind: "resume"; readonly answer: Value }
  | { readonly kind: "wake"; readonly sleptMs: number }
  | { readonly kind: "adopt"; readonly soFar: () => Promise<WrittenSoFar> };

/** What a block that is told to stop may take to do so; more than a command gets between TERM and KILL. */
const stopGraceMs = 10_000;

/** Made once: with no reason Node makes one for every attempt, with a stack. */
const isOver = new DOMException("This operation was aborted", "AbortError");

/** One call of a block's own code. */
export interface LeafAttempt {
  readonly context: BlockContext;
  /** Resolves when none of its changes is being made, to how far it got with those it had announced, if any. */
  settled(): Promise<string | undefined>;
}

/**
 * Calls a block's own code, with its time limit, and turns whatever comes of it into an ending. The signal belongs to the attempt:
 * it aborts when the code is told to stop, and at the latest when the attempt has ended, so that code which goes on all the same
 * reaches nothing. Never rejects.
 */
export async function runLeaf(
  call: LeafCall,
  begin: (signal: AbortSignal) => LeafAttempt,
  cancelled: AbortSignal,
): Promise<LeafResult> {
  if (cancelled.aborted) return ended(stopped(cancelled.reason as Stop), call.defaults);
  const abort = new AbortController();
  const timers: (() => void)[] = [];
  let stop: Stop | undefined;
  const unstoppable = new Promise<never>((_, reject) => {
    const stopFor = (why: Stop): void => {
      if (abort.signal.aborted) return;
      stop = why;
      timers.push(startTimer(stopGraceMs, () => reject(new Error("it did not stop when told to"))));
      abort.abort(isOver);
    };
    cancelled.addEventListener("abort", () => stopFor(cancelled.reason as Stop), { once: true });
    const { timeoutSeconds: seconds } = call;
    if (seconds === undefined) return;
    timers.push(startTimer(seconds * 1000, () => stopFor(timedOut(seconds))));
  });
  let attempt: LeafAttempt | undefined;
  const start = async (): Promise<BlockResult> => {
    attempt = begin(abort.signal);
    return invoke(call, attempt.context);
  };
  const came = await Promise.race([start(), unstoppable]).then(ok, err);
  abort.abort(isOver);
  for (const stopTimer of timers) stopTimer();
  const progress = await attempt?.settled();
  if (stop !== undefined) {
    const message = progress === undefined ? stop.message : `${stop.message}; ${progress}`;
    return ended(stopped({ ...stop, message }), came.ok ? partial(call, came.value) : call.defaults);
  }
  return came.ok ? settle(call, came.value) : ended(crashed(crashMessage(came.error)), call.defaults);
}

async function invoke(call: LeafCall, context: BlockContext): Promise<BlockResult> {
  const { behaviour, input, how } = call;
  switch (how.kind) {
    case "run":
      return behaviour.run(input, context);
    case "resume":
      if (behaviour.resume === undefined)
        throw new Error(`${call.type.type} asked a question but can't go on after it.`);
      return behaviour.resume(input, how.answer, context);
    case "wake":
      if (behaviour.wake === undefined) throw new Error(`${call.type.type} slept but can't go on after it.`);
      return behaviour.wake(input, how.sleptMs, context);
    case "adopt":
      if (behaviour.adopt !== undefined) return behaviour.adopt(input, await how.soFar(), context);
      return { kind: "succeeded", outputs: { ...call.defaults, ...call.type.stateOutputs } };
  }
}

function settle(call: LeafCall, result: BlockResult): LeafResult {
  if (result.kind === "paused" || result.kind === "sleeping") return result;
  const outputs = checkOutputs(call, result.outputs);
  if (typeof outputs === "string") return ended(crashed(outputs), call.defaults);
  if (result.kind === "succeeded") return ended(succeeded, outputs);
  const failed: LeafResult = { kind: "ended", ending: operationFailed(result.message), outputs };
  return result.retryAfterMs === undefined ? failed : { ...failed, retryAfterMs: result.retryAfterMs };
}

function checkOutputs(call: LeafCall, outputs: ValueMap): ValueMap | string {
  const checked = call.type.outputs().safeParse(outputs);
  if (!checked.success) {
    const problems = checked.error.issues.map(
      (issue) => `output '${issuePath(issue.path).replace(/^\./, "")}' ${explainIssue(issue)}`,
    );
    return `${problems.join("; ")}.`;
  }
  const value = toValue(outputs);
  return value.ok ? (value.value as ValueMap) : value.error;
}

/** What a block that was ended early had made so far, but nothing in it that tells of success. */
function partial(call: LeafCall, result: BlockResult): ValueMap {
  if (result.kind === "paused" || result.kind === "sleeping") return call.defaults;
  const state = Object.keys(call.type.stateOutputs ?? {});
  const outputs = Object.assign(Object.create(null) as Record<string, Value>, call.defaults, result.outputs);
  for (const name of state) outputs[name] = call.defaults[name] ?? null;
  return outputs;
}

function ended(ending: Ending, outputs: ValueMap): LeafResult {
  return { kind: "ended", ending, outputs };
}

export function crashMessage(error: unknown): string {
  if (error instanceof BlockCannotRun) return error.message;
  return `unexpected error: ${error instanceof Error ? error.message : String(error)}`;
}

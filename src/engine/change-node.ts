import { addSpend, type Spend } from "../block/spend.ts";
import type { ValueMap } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { countActive } from "./active-time.ts";
import { release } from "./budget-scope.ts";
import type { EndedAttempt } from "./events.ts";
import { setState, stopped } from "./execution.ts";
import { mayStopOthers } from "./failure-actions.ts";
import { interrupted } from "./interruption.ts";
import {
  attemptHistory,
  childNodes,
  questionOf,
  type RunNode,
  type Sleeping,
  type Stage,
  type WorkflowInside,
} from "./run-node.ts";
import type { RunState } from "./state.ts";

/** The steps of which the changes of state are made up: for `applyEvent` alone. */

export function fallAsleep(state: RunState, node: RunNode, stage: Sleeping): void {
  changeStage(node, stage, stage.since);
  state.sleeping.add(node);
  node.record.metadata.wake_at = stage.until;
  setState(node.record.metadata, "running", "n/a", null);
}

export function wakeUp(state: RunState, node: RunNode): void {
  state.sleeping.delete(node);
  delete node.record.metadata.wake_at;
}

export function addEarlier(node: RunNode, attempt: EndedAttempt): void {
  node.earlier = [...node.earlier, attempt];
  node.record.metadata.attempt_history = attemptHistory(node);
}

/** An attempt that nothing says the end of was interrupted. */
export function addInterrupted(
  node: RunNode,
  { attempt, at }: { readonly attempt: number; readonly at: string },
): void {
  if (node.earlier.length < attempt - 1) {
    addEarlier(node, {
      ending: stopped(interrupted),
      startedAt: node.attemptAt ?? at,
      endedAt: at,
      ...defined({ spend: node.attemptSpend }),
    });
  }
  node.attemptAt = at;
  node.attemptMs = 0;
  node.attemptSpend = undefined;
}

/** It has cost so much, and everything around it with it. */
export function addSpending(node: RunNode, spend: Spend | undefined): void {
  if (spend === undefined) return;
  for (let at: RunNode | undefined = node; at !== undefined; at = at.parent) {
    const { metadata } = at.record;
    metadata.spend = { ...addSpend(metadata.spend as Spend | undefined, spend) };
    at.attemptSpend = addSpend(at.attemptSpend, spend);
  }
}

/** It has run for so long. */
export function addTime(node: RunNode, milliseconds: number): void {
  node.record.metadata.execution_time_ms += milliseconds;
  node.attemptMs += milliseconds;
}

export function beginAttempt(node: RunNode): void {
  node.processes = [];
  node.fileChange = undefined;
  node.observation = undefined;
}

export function begin(node: RunNode, inputs: ValueMap, at: string, attempt: number): void {
  const { metadata } = node.record;
  node.record.inputs = inputs;
  metadata.started_at ??= at;
  metadata.attempts = attempt;
  setState(metadata, "running", "n/a", null);
}

export function changeStage(node: RunNode, stage: Stage, at: string): void {
  const change = Number(stage.kind === "running") - Number(node.stage.kind === "running");
  if (stage.kind !== "running") release(node);
  node.stage = stage;
  node.runningSince = stage.kind === "running" ? at : undefined;
  if (change !== 0) countActive(node, change > 0 ? 1 : -1, at);
}

const ended: Stage = { kind: "ended" };

export function end(state: RunState, node: RunNode, at: string): void {
  const { metadata } = node.record;
  metadata.completed_at = at;
  if (state.started.reuse !== undefined && isReusedWhole(node)) metadata.reused = true;
  node.ended = true;
  state.closing.delete(node);
  const question = questionOf(node);
  if (question !== undefined) state.questions.delete(question.id);
  if (node.stage.kind === "sleeping") wakeUp(state, node);
  if (node.earlier.length > 0) metadata.attempt_history = attemptHistory(node);
  changeStage(node, ended, at);
  forgetFailures(state, node);
  if (metadata.failed && mayStopOthers(node)) state.failures.add(node);
  const { parent } = node;
  if (parent === undefined) return;
  if (parent.inside.kind === "workflow") {
    metadata.execution_order = parent.inside.completions++;
    parent.inside.open--;
    for (const dependent of node.block?.dependents ?? []) {
      parent.inside.waiting[dependent] = (parent.inside.waiting[dependent] as number) - 1;
    }
  } else if (parent.inside.kind === "loop") {
    metadata.execution_order = parent.inside.endedPasses++;
    if (metadata.failed && node.block?.definition.forEach?.onError === "stop") parent.inside.stopped = true;
  }
}

/** What those inside it do to it is decided. */
export function forgetFailures({ failures }: RunState, container: RunNode): void {
  for (const failure of failures) if (failure.parent === container) failures.delete(failure);
}

/** Whether nothing in it ran in this run: all there is are results of another one, and what was skipped. */
function isReusedWhole(node: RunNode): boolean {
  let count = 0;
  for (const { record } of childNodes(node)) {
    if (record.metadata.reused === true) count++;
    else if (!record.metadata.skipped) return false;
  }
  return count > 0;
}

/** The failures without which the node would not have run. */
export function noteReasons(node: RunNode, failed: readonly string[]): void {
  const { ranBecauseOf } = node.workflow.inside as WorkflowInside;
  for (const key of failed) {
    const by = ranBecauseOf.get(key) ?? new Set();
    ranBecauseOf.set(key, by.add(node.block?.definition.id ?? ""));
  }
}

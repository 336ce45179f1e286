import { isDeepStrictEqual } from "node:util";
import { effectsOf } from "../changes/effects.ts";
import { isSameValue, type ValueMap } from "../expression/value.ts";
import type { EndedAttempt, SeenEntry } from "./events.ts";
import type { Ending } from "./execution.ts";
import type { ReusedResult } from "./reuse.ts";
import { addressWithin, type RunNode, type WorkflowInside } from "./run-node.ts";
import type { RunState } from "./state.ts";

/** What a block of an ended run leaves to one that does not run it again. */
export function resultOf(node: RunNode, { started, latest }: RunState): ReusedResult {
  const { record, cause, earlier, origin, askedPerson } = node;
  const { metadata, inputs, outputs } = record;
  const { status, outcome, message } = metadata;
  const seen = whatItLeft(node);
  return {
    ...({ status, outcome, message, ...(cause === undefined ? {} : { cause }) } as Ending),
    origin: origin ?? { runId: started.runId, address: addressWithin(node), runEndedAt: latest },
    attempt: metadata.attempts,
    startedAt: metadata.started_at ?? "",
    completedAt: metadata.completed_at ?? "",
    durationMs: metadata.execution_time_ms,
    inputs,
    outputs,
    ...(earlier.length === 0 ? {} : { earlier: earlier.map(withoutSpend) }),
    ...(seen.length === 0 ? {} : { seen }),
    ...(askedPerson ? { askedPerson } : {}),
  };
}

/** It was paid for in the run that it comes from. */
function withoutSpend({ spend: _paid, ...attempt }: EndedAttempt): EndedAttempt {
  return attempt;
}

/** What it saw of files, and then made of them. */
export function whatItLeft({ seen, fileChange }: RunNode): readonly SeenEntry[] {
  if (fileChange === undefined) return seen;
  const made = fileChange.changes
    .flatMap(effectsOf)
    .map(({ at, after }) => ({ at, state: after, made: true as const }));
  return [...seen, ...made];
}

/** Whether a person who answered something has answered it for this too. What was called by a computed name may say anything by now. */
export function isSameStart(before: RunState, { started: now }: RunState): boolean {
  const texts = Object.entries(now.definitions);
  const isSameText = ([key, { text }]: (typeof texts)[number]): boolean => before.definitions.get(key)?.text === text;
  return (
    isSameValue(before.started.inputs, now.inputs) &&
    texts.length === before.definitions.size &&
    texts.every(isSameText)
  );
}

/** Whether two blocks ended in the same way, with the same outputs. */
export function isSameEnd({ record: one, ended }: RunNode, { record: other, ended: hadEnded }: RunNode): boolean {
  const { status, outcome } = one.metadata;
  if (!ended || !hadEnded || status !== other.metadata.status || outcome !== other.metadata.outcome) return false;
  return isSameValue(one.outputs, other.outputs);
}

/** By what the block says, or anything around it; else by its type, which may depend on its inputs. */
export function isReusable(node: RunNode, inputs: ValueMap): boolean {
  for (let at: RunNode | undefined = node; at !== undefined; at = at.parent) {
    const said = at.block?.definition.reuse;
    if (said !== undefined) return said;
  }
  return node.block?.definition.type.reusable?.(inputs) ?? true;
}

/** Every attempt but the first begins afresh. */
export function isTriedAgain(node: RunNode): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.record.metadata.attempts > 1) return true;
  return false;
}

/** Of what a block can't read, but works by. */
export function whyElsewhere(node: RunNode, before: RunNode): string | undefined {
  const [now, then] = [node, before].map(({ workflow }) => workflow.inside as WorkflowInside) as [
    WorkflowInside,
    WorkflowInside,
  ];
  if (now.workspace !== then.workspace) return "It works in another directory.";
  return isDeepStrictEqual(now.sandbox, then.sandbox) ? undefined : "Its sandbox has changed.";
}

import { ruleFor } from "../../src/engine/interruption.ts";
import type { RunState } from "../../src/engine/state.ts";
import type { Course, Intent } from "./course.ts";
import type { DriverProcess } from "./driver-process.ts";
import type { EffectLine } from "./effect.ts";
import type { Report } from "./violation.ts";

/** Holds what happened outside against what the journal says was meant to happen and has happened. */
export function checkEffects(
  ledger: readonly EffectLine[],
  course: Course,
  state: RunState | undefined,
  processes: readonly DriverProcess[],
  report: Report,
): void {
  checkIntents(ledger, course, state, report);
  const isOverruled = processes.some(({ job }) => job.onInterrupted !== undefined);
  if (state !== undefined && !isOverruled && !course.isCancelled) checkRules(ledger, course, state, report);
}

function checkIntents(
  ledger: readonly EffectLine[],
  { intents, isCancelled }: Course,
  state: RunState | undefined,
  report: Report,
): void {
  const counts = countBy(ledger, keyOf);
  const intended = new Set(intents.map(keyOf));
  for (const [key, count] of counts) {
    if (!intended.has(key)) report("intent before effect", `${key} has had its effect without a durable intent`);
    if (count > 1) report("intent before effect", `${key} has had its effect ${count} times`);
  }
  for (const intent of intents) {
    const hasEffect = state?.nodes.get(intent.path)?.block?.definition.type.type === "Effect";
    // One that is told to stop may do so before it has done anything.
    if (!hasEffect || isCancelled || counts.has(keyOf(intent))) continue;
    if (intent.end === "finished" || intent.end === "paused") {
      report("effect before result", `${keyOf(intent)} is ${intent.end} and has had no effect`);
    }
  }
}

function keyOf({ path, attempt, step }: Intent | EffectLine): string {
  return `attempt ${attempt} of ${path} (${step})`;
}

/** Where nobody has overruled it, what a block says about interruptions is what is done. */
function checkRules(ledger: readonly EffectLine[], { actions }: Course, state: RunState, report: Report): void {
  const ruleOf = (path: string): string => {
    const node = state.nodes.get(path);
    return node?.block === undefined ? "" : ruleFor(node);
  };
  for (const [path, taken] of actions) {
    const other = taken.find((action) => action !== ruleOf(path));
    if (other !== undefined) report("course of a block", `${path} is interrupted: ${other}, not ${ruleOf(path)}`);
  }
  const onlyOnce = ledger.filter(({ path }) => ruleOf(path) === "fail");
  for (const [step, count] of countBy(onlyOnce, ({ path, step }) => `${path} (${step})`)) {
    if (count > 1) report("at most once", `${step} has had its effect ${count} times`);
  }
}

function countBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}

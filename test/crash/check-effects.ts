import { ruleFor } from "../../src/engine/interruption.ts";
import { isLoop } from "../../src/engine/run-node.ts";
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
  if (state !== undefined) checkAttempts(course, state, report);
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

function keyOf({ path, key, attempt, step }: Intent | EffectLine): string {
  return `attempt ${attempt} of ${path} (${step}, ${key})`;
}

/** A block is tried as often as it says, and once more for each interruption. */
function checkAttempts({ lives }: Course, state: RunState, report: Report): void {
  for (const { path, attempts, endedAttempts, actions } of lives) {
    const node = state.nodes.get(path);
    if (node === undefined) continue;
    const written = isLoop(node) ? undefined : node.block?.definition.retry?.attempts;
    const most = (written?.kind === "literal" ? Number(written.value) : 1) + actions.length;
    if (attempts > most) report("course of a block", `${path} is tried ${attempts} times, not ${most}`);
    const expected = endedAttempts + actions.length + 1;
    if (attempts > expected) report("course of a block", `${path} has had ${attempts} attempts, not ${expected}`);
  }
}

/** Where nobody has overruled it, what a block says about interruptions is what is done. */
function checkRules(ledger: readonly EffectLine[], { lives }: Course, state: RunState, report: Report): void {
  const ruleOf = (path: string): string => {
    const node = state.nodes.get(path);
    return node?.block === undefined ? "" : ruleFor(node);
  };
  for (const { path, actions } of lives) {
    // A pass of an earlier attempt need not be there any more.
    const other = state.nodes.has(path) ? actions.find((action) => action !== ruleOf(path)) : undefined;
    if (other !== undefined) report("course of a block", `${path} is interrupted: ${other}, not ${ruleOf(path)}`);
  }
  const onlyOnce = ledger.filter(({ path }) => ruleOf(path) === "fail");
  for (const { path, key, endedAttempts } of lives) {
    const own = onlyOnce.filter((line) => line.key === key);
    for (const [step, count] of countBy(own, (line) => line.step)) {
      const most = 1 + endedAttempts;
      if (count > most) report("at most once", `${path} (${step}) has had its effect ${count} times, not ${most}`);
    }
  }
}

function countBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}

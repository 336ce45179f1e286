import { didYouMean } from "../diagnostic/did-you-mean.ts";
import { refusedNames } from "../expression/ast.ts";
import { quoteText } from "../expression/format-value.ts";
import { nameStep, type ReadStep } from "./structured-plan.ts";

/** Says what is wrong with a step, as the rest of a sentence that begins with its name. */
type Report = (step: ReadStep, code: string, message: string, fix?: string) => void;

export interface Links {
  /** Of each step, in order: the id of the block that it becomes. */
  readonly blockIds: readonly string[];
  /** Of each step, in order: the positions of those that it depends on. */
  readonly dependencies: readonly (readonly number[])[];
}

/** Which step is which, and which depends on which. Where no step says what it depends on they run in order. */
export function linkSteps(steps: readonly ReadStep[], report: Report): Links {
  const blockIds = chooseBlockIds(steps);
  const positions = findPositions(steps, report);
  if (steps.every(({ dependsOn }) => dependsOn === undefined)) {
    return { blockIds, dependencies: steps.map((_, index) => (index === 0 ? [] : [index - 1])) };
  }
  const isCounted = steps.every(({ id }) => id === undefined);
  const dependencies = steps.map((step, index) => {
    const found = (step.dependsOn ?? []).flatMap((written) => {
      const position = isCounted ? positionOf(written, steps.length) : positions.get(written);
      if (position === undefined)
        refuseUnknown(step, written, isCounted ? undefined : [...positions.keys()], steps.length, report);
      return position === undefined ? [] : [position];
    });
    const others = new Set(found);
    if (others.delete(index)) report(step, "plan-cycle", "depends on itself.", "Remove it from its depends_on.");
    return [...others];
  });
  for (const cycle of findCycles(dependencies)) {
    const [first = 0] = cycle;
    const way = [...cycle, first].map((index) => nameStep(steps[index] as ReadStep)).join(" -> ");
    report(steps[first] as ReadStep, "plan-cycle", `waits for itself: ${way}.`, "Remove one of these dependencies.");
  }
  return { blockIds, dependencies };
}

function positionOf(written: string, count: number): number | undefined {
  const position = /^\d{1,9}$/.test(written.trim()) ? Number(written) : Number.NaN;
  return position < count ? position : undefined;
}

function refuseUnknown(
  step: ReadStep,
  written: string,
  ids: readonly string[] | undefined,
  count: number,
  report: Report,
): void {
  const fix =
    ids === undefined
      ? `No step has a step_id, so steps are counted from 0: 0 to ${count - 1}.`
      : (didYouMean(written, ids) ?? `Known: ${ids.slice(0, 20).join(", ")}.`);
  report(step, "unknown-dependency", `depends on ${quoteText(written)}, which is no step of the plan.`, fix);
}

/** By id; of two with the same id the first counts, and the other is told of. */
function findPositions(steps: readonly ReadStep[], report: Report): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const [index, step] of steps.entries()) {
    if (step.id === undefined) continue;
    const id = step.id.trim();
    const first = positions.get(id);
    if (first === undefined) positions.set(id, index);
    else report(step, "duplicate-id", `has the step_id of step ${first + 1}.`, "Give each step an id of its own.");
  }
  return positions;
}

/** Lower-case letters, digits and _, as near to the id of the step as that can be, and each only once. */
function chooseBlockIds(steps: readonly ReadStep[]): readonly string[] {
  const taken = new Set<string>();
  return steps.map(({ id, number }) => {
    const wanted = validId(id ?? String(number));
    let chosen = wanted;
    for (let next = 2; taken.has(chosen); next++) chosen = `${wanted}_${next}`;
    taken.add(chosen);
    return chosen;
  });
}

const longestId = 60;

function validId(id: string): string {
  const letters = id
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .slice(0, longestId)
    .replaceAll(/^_+|_+$/g, "");
  const isName = /^[a-z]/.test(letters) && !refusedNames.has(letters);
  return isName ? letters : `step_${letters}`.replace(/_$/, "");
}

/** One circle of each group of steps that wait for each other. */
function findCycles(dependencies: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const left = new Set(dependencies.keys());
  const waiting = dependencies.map((some) => some.length);
  const dependents = dependencies.map((): number[] => []);
  for (const [index, some] of dependencies.entries()) for (const one of some) dependents[one]?.push(index);
  const free = waiting.flatMap((count, index) => (count === 0 ? [index] : []));
  for (let next = free.pop(); next !== undefined; next = free.pop()) {
    left.delete(next);
    for (const dependent of dependents[next] ?? []) {
      waiting[dependent] = (waiting[dependent] as number) - 1;
      if (waiting[dependent] === 0) free.push(dependent);
    }
  }
  const cycles: number[][] = [];
  const seen = new Set<number>();
  for (const start of left) {
    const way: number[] = [];
    let at: number | undefined = start;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      way.push(at);
      at = dependencies[at]?.find((one) => left.has(one));
    }
    const begin = at === undefined ? -1 : way.indexOf(at);
    if (begin !== -1) cycles.push(way.slice(begin));
  }
  return cycles;
}

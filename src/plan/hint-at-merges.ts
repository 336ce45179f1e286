import type { BlockDefinition } from "../definition/workflow-definition.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { references } from "../expression/references.ts";
import { canBeSkipped, readOnlyIfNeeded } from "./fallback-reads.ts";
import type { Edge, Plan, PlannedBlock } from "./plan.ts";

/**
 * A block that requires two branches of which only one runs never runs itself. Blocks after a single condition, such as those after
 * an approval, are skipped with it on purpose.
 */
export function hintAtMerges(plan: Plan, report: Report): void {
  for (const { definition: block, edges } of plan.blocks) {
    const conditional = edges.filter((edge) => isConditional(edge, plan));
    for (const edge of conditional) {
      if (!conditional.some((other) => areBranches(edge.on, other.on, plan))) continue;
      const id = idOf(edge, plan);
      report({
        code: "requires-conditional-block",
        level: "hint",
        message: `block '${block.id}' is skipped whenever the condition of '${id}' is false.`,
        why: "A required dependency that is skipped skips what depends on it; a merge after exclusive branches would never run.",
        fix: `Write \`{ block: ${id}, required: false }\` if it should run anyway.`,
        block: block.id,
        range: edge.range,
      });
    }
  }
}

/**
 * A block that reads one or the other, `a if ... else b`, and requires what it may do without: where that is skipped, so is the block,
 * and the run is a success all the same.
 */
export function warnOfRequiredFallbacks(plan: Plan, report: Report): void {
  for (const { definition: block, edges, readsStateOf } of plan.blocks) {
    if (block.condition !== undefined || edges.length === 0) continue;
    const ifNeeded = readOnlyIfNeeded(block);
    const fallbacks = edges.filter((edge) => ifNeeded.has(idOf(edge, plan)) && canBeSkipped(targetOf(edge, plan)));
    const [fallback] = fallbacks;
    if (fallback === undefined) continue;
    // An author who has written `required: true` knows.
    const byDefault = new Set(block.dependsOn.filter(({ required }) => required === undefined).map((one) => one.block));
    for (const edge of edges) {
      const id = idOf(edge, plan);
      // What references add has a hint of its own.
      if (edge.reason.kind !== "depends_on" || edge.conditionDecides || !byDefault.has(id)) continue;
      const isRead = ifNeeded.has(id) && canBeSkipped(targetOf(edge, plan));
      if (!isRead && !readsStateOf.has(edge.on)) continue;
      report({
        code: "requires-fallback",
        level: "warning",
        message: isRead
          ? `block '${block.id}' is skipped whenever '${id}' is, which it reads only if need be.`
          : `block '${block.id}' is skipped whenever '${id}' fails, so that it never reads '${idOf(fallback, plan)}' instead.`,
        why: "A required dependency that is skipped or fails skips what depends on it.",
        fix: `Write \`{ block: ${id}, required: false }\`, or \`{ block: ${id}, required: true }\` if that is meant.`,
        block: block.id,
        range: edge.range,
      });
    }
  }
}

function targetOf({ on }: Edge, { blocks }: Plan): PlannedBlock {
  return blocks[on] as PlannedBlock;
}

function idOf(edge: Edge, plan: Plan): string {
  return targetOf(edge, plan).definition.id;
}

function isConditional(edge: Edge, plan: Plan): boolean {
  return edge.required && !edge.conditionDecides && canBeSkipped(targetOf(edge, plan));
}

/** Whether two blocks ask different things of the same value, and neither waits for the other. */
function areBranches(one: number, other: number, { blocks }: Plan): boolean {
  const [a, b] = [blocks[one], blocks[other]];
  if (a === undefined || b === undefined || a === b) return false;
  if (a.edges.some(({ on }) => on === other) || b.edges.some(({ on }) => on === one)) return false;
  if (textOf(a.definition) === textOf(b.definition)) return false;
  const asked = subjectsOf(a.definition);
  return [...subjectsOf(b.definition)].some((subject) => asked.has(subject));
}

function textOf({ condition }: BlockDefinition): string {
  return (condition?.text.text ?? "").replaceAll(/\s+/g, "");
}

/** The inputs and blocks that a condition asks about. */
function subjectsOf({ condition }: BlockDefinition): ReadonlySet<string> {
  if (condition === undefined) return new Set();
  return new Set(references(condition.expression).map(({ root, keys }) => `${root}.${keys[0] ?? ""}`));
}

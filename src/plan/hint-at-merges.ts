import type { BlockDefinition } from "../definition/workflow-definition.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { references } from "../expression/references.ts";
import type { Edge, Plan } from "./plan.ts";

/**
 * A block that requires two branches of which only one runs never runs itself. Blocks after a single condition, such as those after
 * an approval, are skipped with it on purpose.
 */
export function hintAtMerges(plan: Plan, report: Report): void {
  for (const { definition: block, edges } of plan.blocks) {
    const conditional = edges.filter((edge) => isConditional(edge, plan));
    for (const edge of conditional) {
      if (!conditional.some((other) => areBranches(edge.on, other.on, plan))) continue;
      const id = plan.blocks[edge.on]?.definition.id ?? "";
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

function isConditional({ on, required, conditionDecides }: Edge, { blocks }: Plan): boolean {
  const dependency = blocks[on];
  if (!required || conditionDecides || dependency?.definition.condition === undefined) return false;
  // A condition about the elements of a loop skips elements, never the loop.
  return !dependency.conditionPerElement;
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

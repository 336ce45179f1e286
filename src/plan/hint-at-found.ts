import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { references } from "../expression/references.ts";

const outcomes = new Set<string | number | undefined>(["succeeded", "failed", "outcome", "error"]);

/** A read that need not find its file succeeds without it, so whoever asks how it went asks the wrong question. */
export function hintAtFound(definition: WorkflowDefinition, report: Report): void {
  const tolerant = new Set<string>();
  const look = (blocks: readonly BlockDefinition[]): void => {
    // No id is that of a block around, so those of a group can come and go.
    const own = blocks.filter(toleratesMissing);
    for (const { id } of own) tolerant.add(id);
    for (const block of blocks) {
      if (tolerant.size > 0) hintAtCondition(block, tolerant, report);
      if (block.group !== undefined) look(block.group.blocks);
    }
    for (const { id } of own) tolerant.delete(id);
  };
  look(definition.blocks);
}

function hintAtCondition({ id, condition }: BlockDefinition, tolerant: ReadonlySet<string>, report: Report): void {
  if (condition === undefined) return;
  for (const { root, keys, start, end } of references(condition.expression)) {
    const [target, field] = keys;
    if (root !== "blocks" || typeof target !== "string" || !tolerant.has(target) || !outcomes.has(field)) continue;
    report({
      code: "found-not-outcome",
      level: "hint",
      block: id,
      message: `block '${id}' asks how '${target}' went, which succeeds without its file too.`,
      fix: `Ask \${blocks.${target}.found}.`,
      range: condition.text.rangeOf(start, end),
    });
  }
}

/** Told by what its type declares: `found` as a state, and a file that is not required. */
function toleratesMissing({ type, inputs }: BlockDefinition): boolean {
  if (!Object.hasOwn(type.stateOutputs ?? {}, "found")) return false;
  const written = inputs.get("required")?.value;
  if (written !== undefined) return written.kind === "literal" && written.value === false;
  return type.inputs().shape.required?.safeParse(undefined).data === false;
}

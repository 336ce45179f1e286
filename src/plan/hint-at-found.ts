import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { references } from "../expression/references.ts";

const outcomes = new Set<string | number | undefined>(["succeeded", "failed", "outcome", "error"]);

/** A read that need not find its file succeeds without it, so whoever asks how it went asks the wrong question. */
export function hintAtFound(definition: WorkflowDefinition, report: Report): void {
  const tolerant = new Set(definition.blocks.filter(toleratesMissing).map(({ id }) => id));
  if (tolerant.size === 0) return;
  for (const { id, condition } of definition.blocks) {
    if (condition === undefined) continue;
    for (const { root, keys, start, end } of references(condition.expression)) {
      const [target, field] = keys;
      if (root !== "blocks" || typeof target !== "string" || !tolerant.has(target) || !outcomes.has(field)) continue;
      report({
        code: "found-not-outcome",
        level: "hint",
        message: `block '${id}' asks how '${target}' went, which succeeds without its file too.`,
        fix: `Ask \${blocks.${target}.found}.`,
        range: condition.text.rangeOf(start, end),
      });
    }
  }
}

/** Told by what its type declares: `found` as a state, and a file that is not required. */
function toleratesMissing({ type, inputs }: BlockDefinition): boolean {
  if (!Object.hasOwn(type.stateOutputs ?? {}, "found")) return false;
  const written = inputs.get("required")?.value;
  if (written !== undefined) return written.kind === "literal" && written.value === false;
  return type.inputs().shape.required?.safeParse(undefined).data === false;
}

import type { BlockDefinition } from "../definition/workflow-definition.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { canBeSkipped, readOnlyIfNeeded } from "./fallback-reads.ts";
import type { Edge, Plan, PlannedBlock } from "./plan.ts";

type Advice = Pick<Diagnostic, "level" | "why" | "fix">;

/** What is waited for only because it is read, with what to write: that must leave the workflow doing what is meant. */
export function hintAtImplicitDependencies({ blocks }: Plan, report: Report): void {
  for (const reader of blocks) {
    if (reader.edges.every(({ reason }) => reason.kind !== "reference")) continue;
    const ifNeeded = readOnlyIfNeeded(reader.definition);
    for (const edge of reader.edges) {
      const { on, conditionDecides, reason, range } = edge;
      if (reason.kind !== "reference") continue;
      // A dependency of a group is one of all its blocks, also of those beside the one whose condition asks.
      if (conditionDecides && !reader.mentions.includes(on)) continue;
      const { definition } = reader;
      const target = blocks[on] as PlannedBlock;
      const { id } = target.definition;
      const message = `block '${definition.id}' waits for '${id}' because ${reason.where} reads it.`;
      const advice = adviseEdge(definition, target, edge, ifNeeded.has(id));
      report({ code: "implicit-dependency", block: definition.id, message, ...advice, range });
    }
  }
}

function adviseEdge(reader: BlockDefinition, target: PlannedBlock, edge: Edge, isReadIfNeeded: boolean): Advice {
  const { id } = target.definition;
  const plainly = sayWith(reader, id);
  const optionally = sayWith(reader, `{ block: ${id}, required: false }`);
  if (edge.conditionDecides) return { level: "hint", fix: `${plainly}.` };
  // It asks how the other went, so it is not to be skipped when that fails.
  if (!edge.required) return { level: "hint", fix: `${optionally}.` };
  const why = `Without \`required: false\` it is skipped whenever '${id}' is skipped or fails.`;
  if (isReadIfNeeded) {
    const isSilent = canBeSkipped(target) && reader.condition === undefined;
    return { level: isSilent ? "warning" : "hint", why, fix: `${optionally}.` };
  }
  if (!canBeSkipped(target)) return { level: "hint", fix: `${plainly}.` };
  const orElse = `if it is to be skipped with '${id}', else with \`depends_on: [{ block: ${id}, required: false }]\`.`;
  return { level: "hint", why, fix: `${plainly} ${orElse}` };
}

/** Inside a group it would be refused: only blocks beside it can be named. */
function sayWith({ id, group }: BlockDefinition, entry: string): string {
  return `Say so with \`depends_on: [${entry}]\`${group === undefined ? "" : ` on '${id}'`}`;
}

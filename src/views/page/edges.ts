import type { RunNode } from "../../engine/run-node.ts";
import type { Edge, Plan, PlannedBlock } from "../../plan/plan.ts";
import { criticalEdges } from "./critical-path.ts";
import type { EdgeDecision, PageEdge } from "./page-records.ts";

/** The edges between the blocks of a level, with what has been decided; of one that has not begun there are no nodes. */
export function describeEdges(
  { blocks }: Plan,
  children: readonly RunNode[] | undefined,
  addressOf: (id: string) => string,
): PageEdge[] {
  const critical = children === undefined ? undefined : criticalEdges(children);
  return blocks.flatMap((block) =>
    block.edges.map((edge): PageEdge => {
      const from = (blocks[edge.on] as PlannedBlock).definition.id;
      return {
        from: addressOf(from),
        to: addressOf(block.definition.id),
        kind: edge.conditionDecides ? "condition" : edge.required ? "required" : "optional",
        decided: children === undefined ? "open" : decide(edge, children[block.index] as RunNode, children),
        ...(critical?.get(block.index) === edge.on ? { is_critical: true } : {}),
      };
    }),
  );
}

/** What an edge has come to: it follows from how both its ends stand. */
export function decide(edge: Edge, node: RunNode, children: readonly RunNode[]): EdgeDecision {
  const dependency = children[edge.on] as RunNode;
  const { metadata } = dependency.record;
  if (!dependency.ended) return node.record.metadata.skipped ? "not_taken" : "open";
  if (node.record.metadata.skipped) return "not_taken";
  if (node.record.metadata.status === "pending") {
    if (metadata.succeeded) return "went";
    // A condition has not been judged yet, and what is only optional lets it run.
    if (edge.conditionDecides || (!edge.required && metadata.status !== "failed")) return "open";
    return "not_taken";
  }
  if (metadata.skipped) return "not_taken";
  return metadata.failed && ranBecauseOf(node, dependency) ? "failed" : "went";
}

function ranBecauseOf({ key, workflow }: RunNode, failed: RunNode): boolean {
  const { inside } = workflow;
  return inside.kind === "workflow" && inside.ranBecauseOf.get(failed.key)?.has(key) === true;
}

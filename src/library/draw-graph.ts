import type { Edge, Plan, PlannedBlock } from "../plan/plan.ts";

/** The plan as a Mermaid flowchart: solid arrows are required, dotted ones optional or decided by the condition. */
export function drawGraph(plan: Plan): string {
  const lines = ["flowchart TD"];
  for (const block of plan.blocks) lines.push(`  ${nodeId(block)}${drawNode(block)}`);
  for (const block of plan.blocks) {
    for (const edge of block.edges) {
      const from = plan.blocks[edge.on] as PlannedBlock;
      lines.push(`  ${nodeId(from)} ${arrow(edge, block)} ${nodeId(block)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

// Mermaid takes some ids, such as `end`, for words of its own.
function nodeId(block: PlannedBlock): string {
  return `b${block.index}`;
}

function drawNode({ definition }: PlannedBlock): string {
  const loop = definition.forEach !== undefined ? " (for each)" : definition.repeat !== undefined ? " (repeat)" : "";
  const last = definition.isFinally ? " (finally)" : "";
  const label = `"${escapeLabel(definition.id)}<br/><small>${definition.type.type}${loop}${last}</small>"`;
  if (definition.type.behaviour.kind === "nested") return `[[${label}]]`;
  return definition.type.capabilities.includes("prompts") ? `{{${label}}}` : `[${label}]`;
}

function arrow(edge: Edge, block: PlannedBlock): string {
  if (edge.conditionDecides) return `-. "${escapeLabel(shorten(block.definition.condition?.text.text ?? ""))}" .->`;
  return edge.required ? "-->" : "-. optional .->";
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 50 ? `${line.slice(0, 47)}...` : line;
}

function escapeLabel(text: string): string {
  return text.replaceAll("&", "#amp;").replaceAll('"', "#quot;").replaceAll("<", "#lt;").replaceAll(">", "#gt;");
}

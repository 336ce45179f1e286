import type { Edge, Plan, PlannedBlock } from "../plan/plan.ts";

/** The plan as a Mermaid flowchart: solid arrows are required, dotted ones optional or decided by the condition. */
export function drawGraph(plan: Plan): string {
  const arrows: string[] = [];
  return `${["flowchart TD", ...drawBlocks(plan, "b", "  ", arrows), ...arrows].join("\n")}\n`;
}

/** Nodes with those inside them; the arrows between them follow at the end, as Mermaid takes the first mention for the place. */
function drawBlocks({ blocks }: Plan, around: string, indent: string, arrows: string[]): string[] {
  // Mermaid takes some ids, such as `end`, for words of its own.
  const nodeId = (index: number): string => `${around}${index}`;
  return blocks.flatMap((block) => {
    const id = nodeId(block.index);
    for (const edge of block.edges) arrows.push(`  ${nodeId(edge.on)} ${arrow(edge, block)} ${id}`);
    if (block.group === undefined) return [`${indent}${id}${drawNode(block)}`];
    const inside = drawBlocks(block.group, `${id}_`, `${indent}  `, arrows);
    return [
      `${indent}subgraph ${id}["${escapeLabel(block.definition.id)}${roleWords(block)}"]`,
      ...inside,
      `${indent}end`,
    ];
  });
}

function roleWords({ definition }: PlannedBlock): string {
  const loop = definition.forEach !== undefined ? " (for each)" : definition.repeat !== undefined ? " (repeat)" : "";
  return `${loop}${definition.isFinally ? " (finally)" : ""}`;
}

function drawNode(block: PlannedBlock): string {
  const { definition } = block;
  const label = `"${escapeLabel(definition.id)}<br/><small>${definition.type.type}${roleWords(block)}</small>"`;
  if (definition.type.behaviour.kind === "nested") return `[[${label}]]`;
  return definition.type.capabilities.includes("prompts") ? `{{${label}}}` : `[${label}]`;
}

function arrow(edge: Edge, block: PlannedBlock): string {
  if (edge.conditionDecides) {
    const { condition } = block.definition;
    const isOwn = condition !== undefined && block.mentions.includes(edge.on);
    return `-. "${isOwn ? escapeLabel(shorten(condition.text.text)) : "a condition inside"}" .->`;
  }
  return edge.required ? "-->" : "-. optional .->";
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 50 ? `${line.slice(0, 47)}...` : line;
}

function escapeLabel(text: string): string {
  return text.replaceAll("&", "#amp;").replaceAll('"', "#quot;").replaceAll("<", "#lt;").replaceAll(">", "#gt;");
}

import type { Expression, NodeSpan, Step, Template } from "./ast.ts";

/** The same expression with its nodes in other places. */
export function moveNodes(node: Expression, place: (node: NodeSpan) => NodeSpan): Expression {
  const at = place(node);
  const move = (inner: Expression): Expression => moveNodes(inner, place);
  switch (node.kind) {
    case "literal":
      return { ...node, ...at };
    case "text":
      return { ...node, ...at, template: moveTemplate(node.template, place) };
    case "list":
      return { ...node, ...at, items: node.items.map(move) };
    case "path":
      return { ...node, ...at, steps: moveSteps(node.steps, place) };
    case "access":
      return { ...node, ...at, value: move(node.value), steps: moveSteps(node.steps, place) };
    case "not":
    case "negate":
      return { ...node, ...at, operand: move(node.operand) };
    case "arithmetic":
    case "logical":
      return { ...node, ...at, left: move(node.left), right: move(node.right) };
    case "comparison":
      return { ...node, ...at, operands: node.operands.map(move) };
    case "conditional": {
      const [then, condition, otherwise] = [move(node.then), move(node.condition), move(node.otherwise)];
      return { ...node, ...at, then, condition, otherwise };
    }
    case "call":
      return { ...node, ...at, arguments: node.arguments.map(move) };
  }
}

function moveSteps(steps: readonly Step[], place: (node: NodeSpan) => NodeSpan): Step[] {
  return steps.map((step) => {
    const { start, end } = place(step);
    return { key: typeof step.key === "object" ? moveNodes(step.key, place) : step.key, start, end };
  });
}

function moveTemplate({ parts }: Template, place: (node: NodeSpan) => NodeSpan): Template {
  return {
    parts: parts.map((part) => {
      if (typeof part === "string") return part;
      const { start, end } = place(part);
      return { expression: moveNodes(part.expression, place), start, end };
    }),
  };
}

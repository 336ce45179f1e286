import type { Expression, Step, Template } from "./ast.ts";

/** The expressions directly inside one, in the order of the text. */
export function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case "literal":
      return [];
    case "text":
      return expressionsOf(node.template);
    case "list":
      return node.items;
    case "path":
      return computedKeys(node.steps);
    case "access":
      return [node.value, ...computedKeys(node.steps)];
    case "not":
    case "negate":
      return [node.operand];
    case "arithmetic":
    case "logical":
      return [node.left, node.right];
    case "comparison":
      return node.operands;
    case "conditional":
      return [node.then, node.condition, node.otherwise];
    case "call":
      return node.arguments;
  }
}

function computedKeys(steps: readonly Step[]): readonly Expression[] {
  return steps.flatMap(({ key }) => (typeof key === "object" ? [key] : []));
}

/** The expressions of a template, in the order of the text. */
export function expressionsOf(template: Template): readonly Expression[] {
  return template.parts.flatMap((part) => (typeof part === "string" ? [] : [part.expression]));
}

/** The first expression found that stands more than `limit` levels below the given one. Needs no stack of its own. */
export function findTooDeep(expression: Expression, limit: number): Expression | undefined {
  let level: readonly Expression[] = [expression];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return level[0];
    level = level.flatMap(childrenOf);
  }
  return undefined;
}

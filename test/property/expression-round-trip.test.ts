import fc from "fast-check";
import { expect, test } from "vitest";
import type { Expression, Step } from "../../src/expression/ast.ts";
import { parseExpression } from "../../src/expression/parse-expression.ts";
import { tree } from "../../src/expression/test-trees.ts";

const seed = 20_240_817;

const quoted = (text: string): string =>
  text
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\'")
    .replaceAll("\n", "\\n")
    .replaceAll("${", "$$${")
    .replace(/\$$/, "\\u0024");

const levels: Partial<Record<string, number>> = {
  conditional: 1,
  or: 2,
  and: 3,
  not: 4,
  comparison: 5,
  "+": 6,
  "-": 6,
  "*": 7,
  "/": 7,
};

function levelOf(node: Expression): number {
  if (node.kind === "negate") return 8;
  return ("operator" in node ? (levels[node.operator] ?? 7) : levels[node.kind]) ?? 9;
}

/** The text of a tree with as few parentheses as the grammar allows, so that reading it back tests what binds to what. */
function print(node: Expression, wanted = 1): string {
  const level = levelOf(node);
  return level < wanted ? `(${printBare(node, level)})` : printBare(node, level);
}

function printBare(node: Expression, level: number): string {
  switch (node.kind) {
    case "literal":
      return typeof node.value === "string" ? `'${quoted(node.value)}'` : String(node.value);
    case "text":
      return `'${node.template.parts.map((part) => (typeof part === "string" ? quoted(part) : `\${${print(part.expression)}}`)).join("")}'`;
    case "list":
      return `[${node.items.map((item) => print(item)).join(", ")}]`;
    case "path":
      return node.root + node.steps.map(({ key }) => printStep(key)).join("");
    case "not":
      return `not ${print(node.operand, 4)}`;
    case "negate":
      return `-${print(node.operand, 8)}`;
    case "arithmetic":
    case "logical":
      return `${print(node.left, level)} ${node.operator} ${print(node.right, level + 1)}`;
    case "comparison":
      return node.operands.map((operand, index) => `${print(operand, 6)} ${node.operators[index] ?? ""} `).join("");
    case "conditional":
      return `${print(node.then, 2)} if ${print(node.condition, 2)} else ${print(node.otherwise)}`;
    case "call":
      return `${node.name}(${node.arguments.map((argument) => print(argument)).join(", ")})`;
    case "access":
      return print(node.value) + node.steps.map(({ key }) => printStep(key)).join("");
  }
}

function printStep(key: Step["key"]): string {
  if (typeof key === "string") return /^[a-z]+$/.test(key) ? `.${key}` : `['${quoted(key)}']`;
  return `[${typeof key === "number" ? key : print(key)}]`;
}

function withoutSpans<T>(node: T): T {
  const text = JSON.stringify(node, (key, value: unknown) => (key === "start" || key === "end" ? 0 : value));
  return JSON.parse(text) as T;
}

test("a printed tree is parsed back to the same tree", () => {
  fc.assert(
    fc.property(tree, (node) => {
      const parsed = parseExpression(print(node));
      expect(parsed.ok && withoutSpans(parsed.value)).toEqual(withoutSpans(node));
    }),
    { seed, numRuns: 3_000 },
  );
});

test("a printed tree in ${} is the same tree", () => {
  fc.assert(
    fc.property(tree, (node) => {
      const parsed = parseExpression(`\${ ${print(node)} }`);
      expect(parsed.ok && withoutSpans(parsed.value)).toEqual(withoutSpans(node));
    }),
    { seed, numRuns: 500 },
  );
});

import fc from "fast-check";
import type { CallNode, ComparisonOperator, Expression, Root, Step, Template, TemplatePart } from "./ast.ts";
import { functions } from "./functions.ts";

const span = { start: 0, end: 0 };

const names = fc.constantFrom("a", "b", "c", "if", "items", "my-key", "2", "it's", "");
const words = fc.constantFrom(
  "a",
  "b",
  "ab",
  "B",
  "",
  "1",
  "2.5",
  "true",
  "$",
  "${",
  "${inputs.a}",
  "\\d",
  "'\"\n",
  "[1]",
  "é😀",
);
const scalars = fc.oneof(
  words,
  fc.string({ maxLength: 4 }),
  fc.nat(9),
  fc.nat(999).map((n) => n / 8),
  fc.boolean(),
  fc.constant(null),
);
const comparisonOperators: ComparisonOperator[] = ["==", "!=", "<", "<=", ">", ">=", "in", "not in"];
// A pattern can't be checked against anything independent here, so patterns are left to the unit tests.
const callable = [...functions.values()].filter(({ name }) => name !== "regex_match");

/** Trees as the parser makes them, without positions. */
export const tree: fc.Arbitrary<Expression> = fc.letrec<{
  node: Expression;
  literal: Expression;
  path: Expression;
  call: CallNode;
}>((tie) => {
  const node = tie("node");
  const fixedStep = fc.oneof(names, fc.nat(3)).map((key): Step => ({ key, ...span }));
  const freeStep = node.map((key): Step => {
    const isFixed = key.kind === "literal" && (typeof key.value === "string" || typeof key.value === "number");
    return { key: isFixed ? (key.value as string | number) : key, ...span };
  });
  const steps = fc.tuple(
    fixedStep,
    fc.array(fc.oneof({ weight: 4, arbitrary: fixedStep }, freeStep), { maxLength: 2 }),
  );
  const texts = fc
    .tuple(node, fc.array(fc.oneof(words, node), { maxLength: 3 }))
    .map(([first, rest]) => templateOf([first, ...rest]));
  return {
    literal: scalars.map((value): Expression => ({ kind: "literal", value, ...span })),
    path: fc
      .tuple(fc.constantFrom<Root>("inputs", "inputs", "blocks", "each"), steps)
      .map(([root, [first, rest]]): Expression => ({ kind: "path", root, steps: [first, ...rest], ...span })),
    call: fc.constantFrom(...callable).chain(({ name, minimum, maximum }) => {
      const most = Math.min(maximum, 3);
      return fc
        .array(node, { minLength: minimum, maxLength: most })
        .map((args): CallNode => ({ kind: "call", name, arguments: args, ...span }));
    }),
    node: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      tie("literal"),
      tie("path"),
      texts.map((template): Expression => ({ kind: "text", template, ...span })),
      fc.array(node, { maxLength: 3 }).map((items): Expression => ({ kind: "list", items, ...span })),
      node.map((operand): Expression => ({ kind: "not", operand, ...span })),
      node.map((operand): Expression => ({ kind: "negate", operand, ...span })),
      fc
        .tuple(fc.constantFrom("+", "-", "*", "/", "%"), node, node)
        .map(([operator, left, right]): Expression => ({ kind: "arithmetic", operator, left, right, ...span })),
      fc
        .tuple(fc.constantFrom("and", "or"), node, node)
        .map(([operator, left, right]): Expression => ({ kind: "logical", operator, left, right, ...span })),
      fc
        .array(fc.tuple(fc.constantFrom(...comparisonOperators), node), { minLength: 1, maxLength: 2 })
        .chain((rest) => node.map((first) => ({ first, rest })))
        .map(({ first, rest }): Expression => {
          const operands = [first, ...rest.map(([, operand]) => operand)];
          return { kind: "comparison", operands, operators: rest.map(([operator]) => operator), ...span };
        }),
      fc
        .tuple(node, node, node)
        .map(
          ([condition, then, otherwise]): Expression => ({ kind: "conditional", condition, then, otherwise, ...span }),
        ),
      { weight: 4, arbitrary: tie("call") },
      fc
        .tuple(tie("call"), steps)
        .map(([value, [first, rest]]): Expression => ({ kind: "access", value, steps: [first, ...rest], ...span })),
    ),
  };
}).node;

function templateOf(pieces: readonly (string | Expression)[]): Template {
  const parts: TemplatePart[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (typeof piece === "object") parts.push({ expression: piece, ...span });
    else if (typeof last === "string") parts[parts.length - 1] = last + piece;
    else if (piece !== "") parts.push(piece);
  }
  return { parts };
}

const item = fc.oneof(scalars, fc.array(scalars, { maxLength: 3 }), fc.dictionary(names, scalars, { maxKeys: 3 }));

/** Data for the trees to read. */
export const treeData: fc.Arbitrary<Partial<Record<Root, unknown>>> = fc.record({
  inputs: fc.dictionary(names, fc.oneof(item, fc.array(item, { maxLength: 3 }), fc.dictionary(names, item))),
  blocks: fc.dictionary(names, fc.dictionary(names, item)),
  each: fc.record({ a: item, b: item }),
});

import type { Word as SyntaxWord, TestExpression } from "unbash";
import { numericTest, variableTest } from "./refusals.ts";
import type { ScriptBuilder } from "./script-builder.ts";
import type { ParsedWord, Test } from "./shell-syntax.ts";

/** The primaries of `[[ ]]`; what some of their operators evaluate is noted. */
export function lowerTests(
  expression: TestExpression,
  script: ScriptBuilder,
  lower: (word: SyntaxWord) => ParsedWord,
): Test[] {
  const tests: Test[] = [];
  const open: TestExpression[] = [expression];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    switch (node.type) {
      case "TestLogical":
        open.push(...node.operands);
        break;
      case "TestNot":
        open.push(node.operand);
        break;
      case "TestGroup":
        open.push(node.expression);
        break;
      case "TestUnary":
        tests.push({ operator: node.operator, left: undefined, right: lower(node.operand) });
        break;
      case "TestBinary":
        tests.push({ operator: node.operator, left: lower(node.left), right: lower(node.right) });
    }
  }
  for (const test of tests) noteEvaluations(test, script);
  return tests;
}

function noteEvaluations({ operator, left, right }: Test, script: ScriptBuilder): void {
  if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(operator)) {
    for (const word of [left, right])
      if (word !== undefined) script.evaluate({ pieces: word.pieces, names: true, refusal: numericTest, range: word });
  }
  if (operator === "-v" || operator === "-R") {
    const [first, ...others] = right.pieces;
    const isName = first?.kind === "text" && /^\w+$/.test(first.text) && others.length === 0;
    if (!isName) script.evaluate({ pieces: right.pieces, names: true, refusal: variableTest, range: right });
  }
}

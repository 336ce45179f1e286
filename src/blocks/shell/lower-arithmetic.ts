import type { ArithmeticExpression, ArithmeticWord } from "unbash";
import { demanding, type Frame, openWord, rangeOf } from "./frame.ts";
import type { WordLowering } from "./lower-words.ts";
import { evaluatedNumber, insideArithmeticCommand } from "./refusals.ts";
import type { ScriptBuilder } from "./script-builder.ts";
import { type Piece, withoutMarks } from "./shell-syntax.ts";

/** What arithmetic calculates with: bash evaluates the contents of every name in it. */
export class ArithmeticLowering {
  private readonly script: ScriptBuilder;
  private readonly words: Pick<WordLowering, "lowerPart" | "lowerVariable" | "lowerSubstitution">;

  constructor(script: ScriptBuilder, words: Pick<WordLowering, "lowerPart" | "lowerVariable" | "lowerSubstitution">) {
    this.script = script;
    this.words = words;
  }

  /** `(( ))` and the parts of `for (( ))`. */
  lowerCommand(expression: ArithmeticExpression | undefined, frame: Frame): void {
    this.lower(expression, demanding(frame, insideArithmeticCommand));
  }

  /** Notes everything in an expression whose contents bash evaluates. A deep expression leans to the left. */
  lower(expression: ArithmeticExpression | undefined, frame: Frame): void {
    const open: ArithmeticExpression[] = expression === undefined ? [] : [expression];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      switch (node.type) {
        case "ArithmeticBinary":
          // A name that is only assigned is not evaluated, but its subscript is.
          if (node.operator !== "=" || node.left.type !== "ArithmeticWord" || !/^[A-Za-z_]\w*$/.test(node.left.value))
            open.push(node.left);
          open.push(node.right);
          break;
        case "ArithmeticUnary":
          open.push(node.operand);
          break;
        case "ArithmeticTernary":
          open.push(node.test, node.consequent, node.alternate);
          break;
        case "ArithmeticGroup":
          open.push(node.expression);
          break;
        case "ArithmeticWord":
          this.script.evaluate({
            pieces: this.lowerWord(node, frame),
            names: true,
            refusal: evaluatedNumber,
            range: rangeOf(frame, node),
          });
          break;
        case "ArithmeticCommandExpansion": {
          const word = openWord();
          this.words.lowerSubstitution(node, word, frame);
          this.script.evaluate({
            pieces: word.pieces,
            names: true,
            refusal: evaluatedNumber,
            range: rangeOf(frame, node),
          });
        }
      }
    }
  }

  private lowerWord(node: ArithmeticWord, frame: Frame): readonly Piece[] {
    const word = openWord();
    const inner: Frame = { ...frame, quoting: "double-quoted" };
    if (node.parts !== undefined) for (const part of node.parts) this.words.lowerPart(part, word, inner);
    else if (/^\$[\w@*#?$!-]+$/.test(node.value)) this.words.lowerVariable({ ...node, text: node.value }, word, inner);
    else word.pieces.push({ kind: "text", text: withoutMarks(node.value) });
    return word.pieces;
  }
}

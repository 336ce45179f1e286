import type { ParameterExpansionPart, Word as SyntaxWord } from "unbash";
import type { Span } from "../../expression/ast.ts";
import { explainExpansion } from "./explain-foreign-syntax.ts";
import { demanding, type Frame, type OpenWord, rangeOf, readOf } from "./frame.ts";
import { loopVariable } from "./loop-variables.ts";
import {
  evaluatedNumber,
  evaluatedPrompt,
  evaluatedSubscript,
  indirectName,
  insideExpansion,
  insideSubscript,
  insideSubstring,
} from "./refusals.ts";
import type { ScriptBuilder } from "./script-builder.ts";
import { literalText, type ParsedWord, type Piece } from "./shell-syntax.ts";

/** Lowers the words inside of an expansion. */
interface Words {
  lower(word: SyntaxWord, frame: Frame): ParsedWord;
}

/** `${...}`: a value of ours, or an expansion of the shell's with its subscript and its operator. */
export class ParameterLowering {
  private readonly script: ScriptBuilder;
  private readonly words: Words;

  constructor(script: ScriptBuilder, words: Words) {
    this.script = script;
    this.words = words;
  }

  lower(part: ParameterExpansionPart, open: OpenWord, frame: Frame): void {
    const { placed } = this.script;
    const isLive = frame.view.fixed === undefined;
    const reference = isLive ? placed.at(part.pos) : undefined;
    if (reference !== undefined && reference.end === part.end) {
      open.pieces.push(placed.place(reference, frame.quoting, frame.demand));
      return;
    }
    const { prefix, parameter, index, operation } = part;
    if (isLive) placed.report(explainExpansion(placed.text, part.pos, nameEnd(part)));
    if (isLive) this.script.suspectInLoop(loopVariable(placed.text, part.pos, part.end));
    if (isLive && operation?.type === "Unknown") placed.refuseWithin(rangeOf(frame, part), insideExpansion);
    const subscript = index === undefined ? undefined : this.lowerSubscript(index, parameter, frame);
    const isAll = subscript !== undefined && /^[@*]$/.test(index?.value ?? "");
    if (prefix === "#") {
      open.pieces.push({ kind: "unknown" });
      return;
    }
    if (prefix === "!") {
      if (operation?.type === "Names") open.pieces.push({ kind: "text", text: parameter }, { kind: "unknown" });
      else if (parameter === "#") open.pieces.push(readOf("@", part, frame, false));
      else if (isAll) open.pieces.push(keysOf(parameter, part, frame));
      else this.lowerIndirect(part, open, frame);
    } else open.pieces.push(readOf(parameter, part, frame, isAll));
    if (index?.value === "*") alter(open);
    if (operation !== undefined) this.lowerOperation(part, open, frame);
  }

  /** `${!name}` gives what the variable holds whose name is in `name`. */
  private lowerIndirect(part: ParameterExpansionPart, open: OpenWord, frame: Frame): void {
    const read = readOf(part.parameter, part, frame, false);
    if (read.kind !== "read") return;
    this.script.evaluate({ pieces: [read], refusal: indirectName, range: read });
    const holder = this.script.indirect(read.holder);
    // A number in there is the number of a positional parameter.
    this.script.pour([readOf("@", part, frame, false)], holder);
    open.pieces.push({ ...read, holder });
  }

  private lowerOperation(part: ParameterExpansionPart, open: OpenWord, frame: Frame): void {
    const { operation } = part;
    switch (operation?.type) {
      case "Default": {
        const keepsText = /[-+]$/.test(operation.operator);
        const { pieces } = this.words.lower(operation.operand, keepsText ? frame : demanding(frame, insideExpansion));
        if (operation.operator.endsWith("=")) this.script.pour(pieces, part.parameter, rangeOf(frame, part));
        this.addAlternative(pieces, part, open, frame);
        return;
      }
      case "Replace": {
        this.words.lower(operation.pattern, demanding(frame, insideExpansion));
        const { pieces } = this.words.lower(operation.replacement, demanding(frame, insideExpansion));
        // What is left of ${n//[^0-9]/} is a number.
        alter(open);
        const isNumber = operation.operator === "//" && operation.replacement.text === "";
        if (isNumber && /^\[[!^](?:0-9|\[:digit:\])\]$/.test(operation.pattern.text))
          open.pieces.splice(-1, 1, { kind: "unknown" });
        else {
          this.addAlternative(pieces, part, open, frame);
          alter(open);
        }
        return;
      }
      case "Slice":
        alter(open);
        this.sliceList(open);
        for (const word of [operation.offset, operation.length]) {
          if (word === undefined) continue;
          const calculated = this.words.lower(word, demanding(frame, insideSubstring));
          const { pieces } = calculated;
          this.script.evaluate({ pieces, names: true, refusal: evaluatedNumber, range: calculated });
        }
        return;
      case "Transform":
        alter(open);
        if (operation.operand.value === "P") {
          const pieces = open.pieces.slice(-1);
          this.script.evaluate({ pieces, refusal: evaluatedPrompt, range: rangeOf(frame, part) });
        }
        // `${array[@]@k}` gives the keys with the elements.
        if (/^[kKA]$/.test(operation.operand.value)) open.pieces.push(keysOf(part.parameter, part, frame));
        return;
      case "Remove": {
        const pattern = this.words.lower(operation.operand, demanding(frame, insideExpansion));
        alter(open);
        const read = open.pieces.at(-1);
        const text = literalText(pattern);
        if (read?.kind === "read" && text !== undefined)
          open.pieces.splice(-1, 1, { ...read, removes: { operator: operation.operator, pattern: text } });
        return;
      }
      case "CaseModification":
        alter(open);
        if (operation.operand !== undefined) this.words.lower(operation.operand, demanding(frame, insideExpansion));
        return;
      default:
        return;
    }
  }

  /** `"${command[@]:1}"`: the words of a list without the first ones. */
  private sliceList(open: OpenWord): void {
    const read = open.pieces.at(-1);
    if (read?.kind !== "read" || !read.list) return;
    const holder = this.script.newHolder();
    this.script.pour([{ ...read, list: false }], holder);
    this.script.slices.set(holder, read.holder);
    open.pieces.splice(-1, 1, { ...read, holder });
  }

  /** Lets the last piece, a variable's contents, be these as well. */
  private addAlternative(pieces: readonly Piece[], part: ParameterExpansionPart, open: OpenWord, frame: Frame): void {
    const read = open.pieces.pop();
    if (read === undefined || (read.kind === "read" && read.list)) {
      open.pieces.push(...pieces, ...(read === undefined ? [] : [read]));
      return;
    }
    const holder = this.script.newHolder();
    this.script.pour([read], holder);
    this.script.pour(pieces, holder);
    const shown = frame.view.fixed === undefined ? undefined : part.text;
    open.pieces.push({
      kind: "read",
      holder,
      shown,
      split: frame.quoting === "bare",
      list: false,
      ...rangeOf(frame, part),
    });
  }

  /** A subscript is arithmetic, unless the array turns out to be an associative one. */
  lowerSubscript(index: SyntaxWord, array: string, frame: Frame): ParsedWord {
    const word = this.words.lower(index, frame);
    this.evaluateSubscript(word.pieces, array, frame, word);
    return word;
  }

  evaluateSubscript(pieces: readonly Piece[], array: string, frame: Frame, range: Span): void {
    const text = pieces.map((piece) => (piece.kind === "text" ? piece.text : "$")).join("");
    if (/^[@*]$/.test(text)) return;
    const { scope, branch } = frame;
    this.script.evaluate({
      pieces,
      names: true,
      refusal: evaluatedSubscript,
      direct: insideSubscript,
      array: { name: array, scope, branch },
      range,
    });
    this.script.pour(pieces, `keys of ${array}`);
  }
}

/** Notes that the last piece is not all that the variable holds, or is not as it holds it. */
function alter(open: OpenWord): void {
  const read = open.pieces.at(-1);
  if (read?.kind === "read") open.pieces.splice(-1, 1, { ...read, altered: true });
}

/** Where the name of the parameter ends, with its subscript. */
function nameEnd({ parameterEnd, index, parameter, operation }: ParameterExpansionPart): number {
  if (index !== undefined) return index.end + 1;
  // `${#inputs.items}` is no length that the parser knows.
  const isLength = parameter === "#" && operation?.type === "Unknown";
  return isLength ? parameterEnd + (/^\w*/.exec(operation.operator)?.[0].length ?? 0) : parameterEnd;
}

/** `${!array[@]}`. */
function keysOf(array: string, part: ParameterExpansionPart, frame: Frame): Piece {
  const read = readOf(array, part, frame, false);
  return read.kind === "read" ? { ...read, holder: `keys of ${array}` } : read;
}

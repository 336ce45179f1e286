import type {
  ArithmeticCommandExpansion,
  ArithmeticExpression,
  ArithmeticWord,
  BraceExpansionPart,
  BracketGlobPart,
  CommandExpansionPart,
  DoubleQuotedChild,
  ExtendedGlobPart,
  ParameterExpansionPart,
  ParsedScript,
  ProcessSubstitutionPart,
  Word as SyntaxWord,
  WordPart,
} from "unbash";
import type { Span } from "../../expression/ast.ts";
import type { CommandProblem, Refusal } from "./command-problem.ts";
import { explainExpansion, explainSubstitution, suspectVariable } from "./explain-foreign-syntax.ts";
import type { Demand } from "./placed-values.ts";
import {
  evaluatedNumber,
  evaluatedPrompt,
  evaluatedSubscript,
  indirectName,
  insideArithmeticCommand,
  insideBackticks,
  insideExpansion,
  insideOldArithmetic,
  insideSubscript,
  insideSubstring,
} from "./refusals.ts";
import type { ScriptBuilder } from "./script-builder.ts";
import { type Branch, type ParsedWord, type Piece, withoutMarks } from "./shell-syntax.ts";

/** Where a part of the syntax tree stands. */
export interface Frame {
  readonly scope: string;
  readonly branch: Branch;
  readonly group: number | undefined;
  /** Inside double quotes and here-documents the shell does not split what an expansion gives. */
  readonly quoting: "bare" | "double-quoted" | "here-document";
  readonly demand: Demand;
  readonly view: View;
}

/** How offsets in the tree lead to the author's text. */
export interface View {
  readonly source: string;
  /** For a tree of another text, such as that of `bash -c`: the word it comes from. No reference of ours is in there. */
  readonly fixed: Span | undefined;
}

export function rangeOf({ view }: Frame, node: { readonly pos: number; readonly end: number }): Span {
  return view.fixed ?? { start: node.pos, end: node.end };
}

interface OpenWord {
  readonly pieces: Piece[];
  readonly consumers: number[];
  quoted: boolean;
  glob: boolean;
}

/** Reads the commands of a substitution into a group of their own. */
export type LowerScript = (script: ParsedScript, frame: Frame, range: Span) => number;

export class WordLowering {
  private readonly script: ScriptBuilder;
  private readonly lowerScript: LowerScript;

  constructor(script: ScriptBuilder, lowerScript: LowerScript) {
    this.script = script;
    this.lowerScript = lowerScript;
  }

  lower(word: SyntaxWord, frame: Frame): ParsedWord {
    const open: OpenWord = { pieces: [], consumers: [], quoted: false, glob: false };
    if (word.parts === undefined) this.addText(open, word, word.value, frame, false);
    else for (const part of word.parts) this.lowerPart(part, open, frame);
    open.quoted ||= word.parts === undefined && word.text !== word.value;
    return { ...rangeOf(frame, word), ...open, assigns: undefined, elements: undefined };
  }

  /** The body of a here-document that the shell expands. */
  lowerBody(parts: readonly WordPart[], frame: Frame): Piece[] {
    const open: OpenWord = { pieces: [], consumers: [], quoted: true, glob: false };
    for (const part of parts) this.lowerPart(part, open, { ...frame, quoting: "here-document" });
    return open.pieces;
  }

  private addText(
    open: OpenWord,
    node: { readonly pos: number; readonly end: number },
    text: string,
    frame: Frame,
    literal: boolean,
  ): void {
    if (frame.view.fixed === undefined) this.script.placed.noteTemplates(node, literal);
    open.pieces.push({ kind: "text", text: withoutMarks(text) });
  }

  private lowerPart(part: WordPart | DoubleQuotedChild, open: OpenWord, frame: Frame): void {
    switch (part.type) {
      case "Literal":
        open.quoted ||= part.text !== part.value;
        this.addText(open, part, part.value, frame, false);
        return;
      case "SingleQuoted":
        open.quoted = true;
        this.lowerQuoted(part, part.value, open, frame, "single-quoted");
        return;
      case "AnsiCQuoted":
        open.quoted = true;
        this.lowerQuoted(part, part.value, open, frame, "ansi-quoted");
        return;
      case "DoubleQuoted":
      case "LocaleString":
        open.quoted = true;
        if (part.parts.length === 0) open.pieces.push({ kind: "text", text: "" });
        for (const inner of part.parts) this.lowerPart(inner, open, { ...frame, quoting: "double-quoted" });
        return;
      case "SimpleExpansion":
        this.lowerVariable(part, open, frame);
        return;
      case "ParameterExpansion":
        this.lowerParameter(part, open, frame);
        return;
      case "CommandExpansion":
        if (frame.view.fixed === undefined) this.script.placed.report(explain(this.script.placed.text, part));
        this.lowerSubstitution(part, open, frame);
        return;
      case "ProcessSubstitution":
        this.lowerSubstitution(part, open, frame);
        return;
      case "ArithmeticExpansion": {
        const isOld = part.text.startsWith("$[");
        const demand: Demand = isOld ? insideOldArithmetic : "integer";
        if (part.expression === undefined && frame.view.fixed === undefined)
          this.script.placed.refuseWithin(rangeOf(frame, part), insideExpansion);
        this.lowerArithmetic(part.expression, { ...frame, demand: stricter(frame.demand, demand) }, evaluatedNumber);
        open.pieces.push({ kind: "unknown" });
        return;
      }
      case "Glob":
        open.glob = true;
        if (part.kind !== "bracket") this.addText(open, part, part.value, frame, false);
        else this.lowerEnclosed("[", part, "]", open, frame);
        return;
      case "ExtendedGlob":
        open.glob = true;
        if (part.parts === undefined) this.addUnread(part, open, frame);
        else this.lowerEnclosed(`${part.operator}(`, part, ")", open, frame);
        return;
      case "BraceExpansion":
        if (part.parts === undefined) this.addUnread(part, open, frame);
        else this.lowerEnclosed("{", part, "}", open, frame);
    }
  }

  /** Text in which the parser has found nothing to expand. */
  private addUnread(part: BraceExpansionPart | ExtendedGlobPart, open: OpenWord, frame: Frame): void {
    if (frame.view.fixed === undefined) this.script.placed.refuseWithin(rangeOf(frame, part), insideExpansion);
    this.addText(open, part, part.text, frame, false);
  }

  private lowerEnclosed(
    before: string,
    node: BracketGlobPart | BraceExpansionPart | ExtendedGlobPart,
    after: string,
    open: OpenWord,
    frame: Frame,
  ): void {
    if (frame.view.fixed === undefined) this.script.placed.noteTemplates(node, false);
    open.pieces.push({ kind: "text", text: before });
    for (const part of node.parts ?? []) this.lowerPart(part, open, frame);
    open.pieces.push({ kind: "text", text: after });
  }

  /** Quotes in which nothing is special: a value leaves them and comes back. */
  private lowerQuoted(
    part: { readonly pos: number; readonly end: number },
    value: string,
    open: OpenWord,
    frame: Frame,
    context: "single-quoted" | "ansi-quoted",
  ): void {
    const { placed } = this.script;
    const references = frame.view.fixed === undefined ? placed.within({ start: part.pos, end: part.end }) : [];
    if (references.length === 0) {
      this.addText(open, part, value, frame, true);
      return;
    }
    let at = part.pos + (context === "ansi-quoted" ? 2 : 1);
    for (const reference of references) {
      this.addText(open, { pos: at, end: reference.start }, placed.text.slice(at, reference.start), frame, true);
      // `\$` is no escape in $'...', and a backslash before the quote that ends the text would keep it open.
      if (context === "ansi-quoted" && isEscapedBy(placed.text, reference.start, at))
        placed.edit({ start: reference.start - 1, end: reference.start }, "\\\\");
      open.pieces.push(placed.place(reference, context, frame.demand));
      at = reference.end;
    }
    this.addText(open, { pos: at, end: part.end - 1 }, placed.text.slice(at, part.end - 1), frame, true);
  }

  /** `$name`, `$1`, `$?`. */
  private lowerVariable(
    part: { readonly pos: number; readonly end: number; readonly text: string },
    open: OpenWord,
    frame: Frame,
  ): void {
    if (frame.view.fixed === undefined)
      this.script.suspect(suspectVariable(this.script.placed.text, part.pos, part.end));
    open.pieces.push(readOf(part.text.slice(1), part, frame, false));
  }

  private lowerSubstitution(
    part: CommandExpansionPart | ProcessSubstitutionPart | ArithmeticCommandExpansion,
    open: OpenWord,
    frame: Frame,
  ): void {
    const range = rangeOf(frame, part);
    const isOld = part.text.startsWith("`");
    if (isOld && frame.view.fixed === undefined) this.script.placed.refuseWithin(range, insideBackticks);
    if (part.script === undefined) {
      open.pieces.push({ kind: "unknown" });
      return;
    }
    const decoded = part.script.source;
    const view: View =
      decoded === undefined && !isOld ? frame.view : { source: decoded ?? frame.view.source, fixed: range };
    const inner: Frame = {
      ...frame,
      view,
      quoting: "bare",
      demand: typeof frame.demand === "object" ? frame.demand : "text",
      branch: { outer: frame.branch },
      group: undefined,
    };
    const group = this.lowerScript(part.script, inner, range);
    if (part.type === "ProcessSubstitution" && part.operator === ">") {
      open.consumers.push(group);
      open.pieces.push({ kind: "unknown" });
    } else open.pieces.push({ kind: "output", group, split: frame.quoting === "bare", ...range });
  }

  private lowerParameter(part: ParameterExpansionPart, open: OpenWord, frame: Frame): void {
    const { placed } = this.script;
    const isLive = frame.view.fixed === undefined;
    const reference = isLive ? placed.at(part.pos) : undefined;
    if (reference !== undefined && reference.end === part.end) {
      open.pieces.push(placed.place(reference, frame.quoting, frame.demand));
      return;
    }
    const { prefix, parameter, index, operation } = part;
    if (isLive) placed.report(explainExpansion(placed.text, part.pos, nameEnd(part)));
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
    if (operation !== undefined) this.lowerOperation(part, open, frame);
  }

  /** `${!name}` gives what the variable holds whose name is in `name`. */
  private lowerIndirect(part: ParameterExpansionPart, open: OpenWord, frame: Frame): void {
    const read = readOf(part.parameter, part, frame, false);
    if (read.kind !== "read") return;
    this.script.evaluate({ pieces: [read], refusal: indirectName, range: read });
    open.pieces.push({ ...read, holder: this.script.indirect(read.holder) });
  }

  private lowerOperation(part: ParameterExpansionPart, open: OpenWord, frame: Frame): void {
    const { operation } = part;
    switch (operation?.type) {
      case "Default": {
        const keepsText = /[-+]$/.test(operation.operator);
        const { pieces } = this.lower(operation.operand, keepsText ? frame : demanding(frame, insideExpansion));
        if (operation.operator.endsWith("=")) this.script.pour(pieces, part.parameter);
        this.addAlternative(pieces, part, open, frame);
        return;
      }
      case "Replace": {
        this.lower(operation.pattern, demanding(frame, insideExpansion));
        const { pieces } = this.lower(operation.replacement, demanding(frame, insideExpansion));
        // What is left of ${n//[^0-9]/} is a number.
        const isNumber = operation.operator === "//" && operation.replacement.text === "";
        if (isNumber && /^\[[!^](?:0-9|\[:digit:\])\]$/.test(operation.pattern.text))
          open.pieces.splice(-1, 1, { kind: "unknown" });
        else this.addAlternative(pieces, part, open, frame);
        return;
      }
      case "Slice":
        for (const word of [operation.offset, operation.length]) {
          if (word === undefined) continue;
          const calculated = this.lower(word, demanding(frame, insideSubstring));
          const { pieces } = calculated;
          this.script.evaluate({ pieces, names: true, refusal: evaluatedNumber, range: calculated });
        }
        return;
      case "Transform":
        if (operation.operand.value === "P") {
          const pieces = open.pieces.slice(-1);
          this.script.evaluate({ pieces, refusal: evaluatedPrompt, range: rangeOf(frame, part) });
        }
        return;
      case "Remove":
      case "CaseModification":
        if (operation.operand !== undefined) this.lower(operation.operand, demanding(frame, insideExpansion));
        return;
      default:
        return;
    }
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
    const word = this.lower(index, frame);
    this.evaluateSubscript(word.pieces, array, frame, word);
    return word;
  }

  evaluateSubscript(pieces: readonly Piece[], array: string, frame: Frame, range: Span): void {
    const text = pieces.map((piece) => (piece.kind === "text" ? piece.text : "$")).join("");
    if (/^[@*]$/.test(text)) return;
    const { scope, branch } = frame;
    const at = this.script.commands.length;
    this.script.evaluate({
      pieces,
      names: true,
      refusal: evaluatedSubscript,
      direct: insideSubscript,
      array: { name: array, scope, branch, at },
      range,
    });
    this.script.pour(pieces, `keys of ${array}`);
  }

  /** `(( ))` and the parts of `for (( ))`. */
  lowerArithmeticCommand(expression: ArithmeticExpression | undefined, frame: Frame): void {
    this.lowerArithmetic(expression, demanding(frame, insideArithmeticCommand), evaluatedNumber);
  }

  /** Notes everything in an expression whose contents bash evaluates. A deep expression leans to the left. */
  private lowerArithmetic(expression: ArithmeticExpression | undefined, frame: Frame, refusal: Refusal): void {
    const open: ArithmeticExpression[] = expression === undefined ? [] : [expression];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      switch (node.type) {
        case "ArithmeticBinary":
          // A name that is only assigned is not evaluated, but its subscript is.
          if (node.operator !== "=" || node.left.type !== "ArithmeticWord" || node.left.value.includes("["))
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
            pieces: this.lowerArithmeticWord(node, frame),
            names: true,
            refusal,
            range: rangeOf(frame, node),
          });
          break;
        case "ArithmeticCommandExpansion": {
          const word: OpenWord = { pieces: [], consumers: [], quoted: false, glob: false };
          this.lowerSubstitution(node, word, frame);
          this.script.evaluate({ pieces: word.pieces, names: true, refusal, range: rangeOf(frame, node) });
        }
      }
    }
  }

  private lowerArithmeticWord(node: ArithmeticWord, frame: Frame): readonly Piece[] {
    const word: OpenWord = { pieces: [], consumers: [], quoted: false, glob: false };
    const inner: Frame = { ...frame, quoting: "double-quoted" };
    if (node.parts !== undefined) for (const part of node.parts) this.lowerPart(part, word, inner);
    else if (/^\$[\w@*#?$!-]+$/.test(node.value)) this.lowerVariable({ ...node, text: node.value }, word, inner);
    else word.pieces.push({ kind: "text", text: withoutMarks(node.value) });
    return word.pieces;
  }
}

/** `$(inputs.x)`, `${ input.x }`. */
function explain(text: string, { pos }: CommandExpansionPart): CommandProblem | undefined {
  return text.startsWith("${", pos) ? explainExpansion(text, pos, pos + 2) : explainSubstitution(text, pos);
}

function demanding(frame: Frame, refusal: Refusal): Frame {
  return { ...frame, demand: stricter(frame.demand, refusal) };
}

/** A refusal around it stays. */
function stricter(outer: Demand, inner: Demand): Demand {
  return typeof outer === "object" ? outer : inner;
}

function isEscapedBy(text: string, at: number, from: number): boolean {
  let first = at;
  while (first > from && text.charAt(first - 1) === "\\") first -= 1;
  return (at - first) % 2 === 1;
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

/** What a variable or positional parameter gives; the others hold no text of ours. */
function readOf(
  name: string,
  part: { readonly pos: number; readonly end: number; readonly text: string },
  frame: Frame,
  isAll: boolean,
): Piece {
  const isPositional = /^(?:[@*]|\d+)$/.test(name);
  if (!isPositional && !/^[A-Za-z_]/.test(name)) return { kind: "unknown" };
  const allParameters = name === "@" || name === "*";
  const holder = isPositional ? `${frame.scope}:${allParameters ? "@" : name}` : name;
  const shown = frame.view.fixed === undefined ? undefined : part.text;
  const list = isAll || allParameters;
  return { kind: "read", holder, shown, split: frame.quoting === "bare", list, ...rangeOf(frame, part) };
}

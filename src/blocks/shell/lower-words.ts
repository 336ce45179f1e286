import type {
  ArithmeticCommandExpansion,
  BraceExpansionPart,
  BracketGlobPart,
  CommandExpansionPart,
  DoubleQuotedChild,
  ExtendedGlobPart,
  ParsedScript,
  ProcessSubstitutionPart,
  SingleQuotedPart,
  Word as SyntaxWord,
  WordPart,
} from "unbash";
import type { Span } from "../../expression/ast.ts";
import type { CommandProblem } from "./command-problem.ts";
import { explainExpansion, explainSubstitution, suspectVariable } from "./explain-foreign-syntax.ts";
import { type Frame, type OpenWord, openWord, rangeOf, readOf, stricter, type View } from "./frame.ts";
import { loopVariable } from "./loop-variables.ts";
import { ArithmeticLowering } from "./lower-arithmetic.ts";
import { ParameterLowering } from "./lower-parameters.ts";
import { explainEscape, explainEscapes } from "./needless-escapes.ts";
import type { Demand } from "./placed-values.ts";
import { insideBackticks, insideExpansion, insideOldArithmetic } from "./refusals.ts";
import type { ScriptBuilder } from "./script-builder.ts";
import { type ParsedWord, type Piece, withoutMarks } from "./shell-syntax.ts";

/** Reads the commands of a substitution into a group of their own. */
export type LowerScript = (script: ParsedScript, frame: Frame, range: Span) => number;

export class WordLowering {
  private readonly script: ScriptBuilder;
  private readonly lowerScript: LowerScript;
  readonly parameters: ParameterLowering;
  readonly arithmetic: ArithmeticLowering;

  constructor(script: ScriptBuilder, lowerScript: LowerScript) {
    this.script = script;
    this.lowerScript = lowerScript;
    this.parameters = new ParameterLowering(script, this);
    this.arithmetic = new ArithmeticLowering(script, this);
  }

  lower(word: SyntaxWord, frame: Frame): ParsedWord {
    const open = openWord();
    if (word.parts === undefined) this.addPlain(open, word, frame);
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

  /** Text as it is, but for `~+`, `~-` and `~1`, which are directories that the shell is or was in. */
  private addPlain(
    open: OpenWord,
    node: { readonly pos: number; readonly end: number; readonly text: string; readonly value: string },
    frame: Frame,
  ): void {
    const [written, directory] = (frame.quoting === "bare" && /(?:^|[=:])~([+-]?\d+|[+-])/.exec(node.text)) || [];
    // What stands behind it is the rest of the path.
    const isPath = written?.startsWith("~") === true && node.value.startsWith(written);
    this.addText(open, node, isPath ? node.value.slice(written.length) : node.value, frame, false);
    if (directory === undefined) return;
    const read = readOf(tildes.get(directory) ?? "DIRSTACK", node, frame, false);
    if (isPath) open.pieces.splice(-1, 0, read);
    else open.pieces.push(read);
  }

  lowerPart(part: WordPart | DoubleQuotedChild, open: OpenWord, frame: Frame): void {
    switch (part.type) {
      case "Literal":
        open.quoted ||= part.text !== part.value;
        this.addPlain(open, part, frame);
        return;
      case "SingleQuoted":
        open.quoted = true;
        if (frame.quoting === "here-document") {
          this.lowerPlainQuotes(part, open, frame);
          return;
        }
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
        this.parameters.lower(part, open, frame);
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
        this.arithmetic.lower(part.expression, { ...frame, demand: stricter(frame.demand, demand) });
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
    const isWritten = frame.view.fixed === undefined;
    if (isWritten) for (const problem of explainEscapes(placed.text, part.pos, part.end)) placed.report(problem);
    const references = isWritten ? placed.within({ start: part.pos, end: part.end }) : [];
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

  /** In the default of an expansion in a here-document, single quotes are plain characters. */
  private lowerPlainQuotes(part: SingleQuotedPart, open: OpenWord, frame: Frame): void {
    const { placed } = this.script;
    let at = part.pos;
    for (const reference of frame.view.fixed === undefined ? placed.within({ start: part.pos, end: part.end }) : []) {
      this.addText(open, { pos: at, end: reference.start }, placed.text.slice(at, reference.start), frame, false);
      open.pieces.push(placed.place(reference, "here-document", frame.demand));
      at = reference.end;
    }
    this.addText(open, { pos: at, end: part.end }, part.text.slice(at - part.pos), frame, false);
  }

  /** `$name`, `$1`, `$?`. */
  lowerVariable(
    part: { readonly pos: number; readonly end: number; readonly text: string },
    open: OpenWord,
    frame: Frame,
  ): void {
    if (frame.view.fixed === undefined) {
      const { text } = this.script.placed;
      if (part.text === "$$") this.script.placed.report(explainEscape(text, part.pos));
      this.script.suspect(suspectVariable(text, part.pos, part.end));
      this.script.suspectInLoop(loopVariable(text, part.pos, part.end));
    }
    open.pieces.push(readOf(part.text.slice(1), part, frame, false));
  }

  lowerSubstitution(
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
}

const tildes: ReadonlyMap<string, string> = new Map([
  ["+", "PWD"],
  ["-", "OLDPWD"],
]);

/** `$(inputs.x)`, `${ input.x }`. */
function explain(text: string, { pos }: CommandExpansionPart): CommandProblem | undefined {
  return text.startsWith("${", pos) ? explainExpansion(text, pos, pos + 2) : explainSubstitution(text, pos);
}

function isEscapedBy(text: string, at: number, from: number): boolean {
  let first = at;
  while (first > from && text.charAt(first - 1) === "\\") first -= 1;
  return (at - first) % 2 === 1;
}

import type {
  CommandNode,
  CompoundCommand,
  CompoundList,
  Coproc,
  For,
  HereDoc,
  ParsedScript,
  PipelineNode,
  Redirected,
  Redirection,
  Select,
  Statement,
  Assignment as SyntaxAssignment,
  Command as SyntaxCommand,
  Function as SyntaxFunction,
  TestCommand,
} from "unbash";
import type { Span } from "../../expression/ast.ts";
import { builtinAt, filledBy } from "./builtin-options.ts";
import { type Frame, rangeOf } from "./frame.ts";
import { lowerHereDocument } from "./lower-here-document.ts";
import { lowerTests } from "./lower-tests.ts";
import { WordLowering } from "./lower-words.ts";
import type { PlacedValues } from "./placed-values.ts";
import { evaluatedNumber, evaluatedSubscript, hereDocumentDelimiter, insideSubscript, loopName } from "./refusals.ts";
import { ScriptBuilder } from "./script-builder.ts";
import {
  type Branch,
  type Command,
  literalText,
  markedText,
  type ParsedRedirect,
  type ParsedWord,
  type Piece,
} from "./shell-syntax.ts";

const topBranch: Branch = { outer: undefined };

/** Reads the syntax tree of a whole command text. */
export function lowerScript(script: ParsedScript, placed: PlacedValues): ScriptBuilder {
  const builder = new ScriptBuilder(placed);
  new ScriptLowering(builder).lowerWhole(script);
  return builder;
}

/** What is known of a command before its parts have been read. */
type Outline = Pick<Command, "parent" | "pipedFrom" | "scope" | "branch"> & { readonly defines?: string };

export class ScriptLowering {
  private readonly script: ScriptBuilder;
  private readonly words: WordLowering;

  constructor(script: ScriptBuilder) {
    this.script = script;
    this.words = new WordLowering(script, (inner, frame, range) => this.lowerGroup(inner.commands, frame, range));
  }

  lowerWhole(script: ParsedScript): void {
    const view = { source: this.script.placed.text, fixed: undefined };
    this.lowerStatements(script.commands, {
      scope: "",
      branch: topBranch,
      group: undefined,
      quoting: "bare",
      demand: "text",
      view,
    });
  }

  /** The commands of a text that another command runs, which stands in the given word. */
  lowerText(script: ParsedScript, source: string, scope: string, branch: Branch, fixed: Span): number {
    const view = { source, fixed };
    const frame: Frame = { scope, branch, group: undefined, quoting: "bare", demand: "text", view };
    return this.lowerGroup(script.commands, frame, fixed);
  }

  private lowerStatements(statements: readonly Statement[], frame: Frame): void {
    for (const { command, background } of statements) {
      const around = background ? inBranch(frame) : frame;
      if (command.type !== "AndOr") {
        this.lowerPipeline(command, around);
        continue;
      }
      command.commands.forEach((node, index) => {
        this.lowerPipeline(node, index === 0 ? around : inBranch(around));
      });
    }
  }

  private lowerPipeline(node: PipelineNode, frame: Frame): void {
    if (node.type !== "Pipeline") {
      this.lowerCommand(node, frame, undefined);
      return;
    }
    let pipedFrom: number | undefined;
    for (const [index, command] of node.commands.entries()) {
      const inner = node.commands.length > 1 ? inBranch(frame) : frame;
      pipedFrom = this.lowerCommand(command, inner, pipedFrom);
      if (node.operators[index] === "|&") this.script.joinedErrors.add(pipedFrom);
    }
  }

  private lowerCommand(node: CommandNode, frame: Frame, pipedFrom: number | undefined): number {
    const { scope, branch, group: parent } = frame;
    const outline: Outline = { parent, pipedFrom, scope, branch };
    switch (node.type) {
      case "Command":
        return this.lowerSimple(node, frame, outline);
      case "Function":
        return this.lowerFunction(node, frame);
      case "Coproc":
        return this.lowerCoprocess(node, frame, outline);
      case "Redirected":
        return this.lowerCompound(node.command, node.redirects, rangeOf(frame, node), frame, outline);
      default:
        return this.lowerCompound(node, [], rangeOf(frame, node), frame, outline);
    }
  }

  private lowerSimple(node: SyntaxCommand, frame: Frame, outline: Outline): number {
    const assignments: ParsedWord[] = [];
    const words: ParsedWord[] = node.name === undefined ? [] : [this.lowerArgument(node.name, frame)];
    for (const part of node.prefix) if (part.type === "Assignment") assignments.push(this.lowerAssignment(part, frame));
    for (const part of node.args)
      words.push(part.type === "Assignment" ? this.lowerAssignment(part, frame) : this.lowerArgument(part, frame));
    const redirects = node.redirects.map((redirect) => this.lowerRedirect(redirect, frame));
    const program = builtinAt(words.map((word) => literalText(word) ?? ""));
    this.noteEvaluations(literalText(words[program]) ?? "", words.slice(program + 1));
    return this.add("simple", rangeOf(frame, node), outline, { assignments, words, redirects });
  }

  /** What builtins calculate with: all of `let`, and subscripts in the names of variables that they are given. */
  private noteEvaluations(name: string, parameters: readonly ParsedWord[]): void {
    const isLet = name === "let";
    if (!isLet && !namingBuiltins.has(name)) return;
    for (const word of [...parameters, ...filledBy(name, parameters)]) {
      const pieces = isLet ? word.pieces : subscriptIn(word.pieces);
      const refusal = isLet ? evaluatedNumber : evaluatedSubscript;
      if (pieces.length > 0) this.script.evaluate({ pieces, names: true, refusal, range: word });
    }
  }

  /** A value that is a whole word is one word per element if it is a list. */
  private lowerArgument(node: Parameters<WordLowering["lower"]>[0], frame: Frame): ParsedWord {
    const word = this.words.lower(node, frame);
    const [only, ...others] = word.pieces;
    if (only?.kind !== "value" || others.length > 0 || only.slot.context !== "bare") return word;
    if (only.slot.start === word.start && only.slot.end === word.end) only.slot.context = "words";
    return word;
  }

  private lowerAssignment(node: SyntaxAssignment, frame: Frame): ParsedWord {
    const { name, value, index } = node;
    const append = node.append === true;
    if (index !== undefined) this.words.parameters.lowerSubscript(index, name, frame);
    const range = rangeOf(frame, node);
    const head: Piece = { kind: "text", text: `${name}${index === undefined ? "" : "[]"}${append ? "+" : ""}=` };
    if (value.type === "Word") {
      const { pieces, consumers, glob } = this.words.lower(value, frame);
      const assigns = { name, append, value: pieces };
      return { ...range, pieces: [head, ...pieces], quoted: false, glob, consumers, assigns, elements: undefined };
    }
    const elements = value.elements.map((element) => this.lowerElement(element, name, frame));
    const pieces = elements.flatMap((element) => element.pieces);
    const assigns = { name, append, value: pieces };
    return { ...range, pieces: [head, ...pieces], quoted: false, glob: false, consumers: [], assigns, elements };
  }

  /** `[key]=value` is read as one word. */
  private lowerElement(node: Parameters<WordLowering["lower"]>[0], array: string, frame: Frame): ParsedWord {
    const word = this.lowerArgument(node, frame);
    const [first] = word.pieces;
    if (first?.kind !== "text" || !first.text.startsWith("[")) return word;
    const close = word.pieces.findIndex((piece) => piece.kind === "text" && /\]\+?=/.test(piece.text));
    if (close === -1) return word;
    const key = word.pieces.slice(0, close + 1).flatMap((piece, index): Piece[] => {
      if (piece.kind !== "text") return [piece];
      const text = index === close ? piece.text.slice(0, piece.text.search(/\]\+?=/)) : piece.text;
      return [{ kind: "text", text: index === 0 ? text.slice(1) : text }];
    });
    this.words.parameters.evaluateSubscript(key, array, frame, word);
    const last = word.pieces[close];
    const rest = last?.kind === "text" ? last.text.replace(/^.*?\]\+?=/s, "") : "";
    return { ...word, pieces: [{ kind: "text", text: rest }, ...word.pieces.slice(close + 1)] };
  }

  private lowerRedirect(node: Redirection, frame: Frame): ParsedRedirect {
    const range = rangeOf(frame, node);
    const { descriptor, operator } = node;
    if (descriptor?.type === "FileDescriptorVariable" && descriptor.name.includes("[")) {
      // `{a[n]}>file` puts the descriptor's number into an array's element.
      if (frame.view.fixed === undefined) this.script.placed.refuseWithin(rangeOf(frame, descriptor), insideSubscript);
      const text = descriptor.name.replaceAll("$", "");
      this.script.evaluate({ pieces: [{ kind: "text", text }], names: true, refusal: evaluatedSubscript, range });
    }
    if (node.type === "HereDoc") return this.lowerHereDocument(node, frame, range);
    const target = node.target === undefined ? emptyWord(range) : this.words.lower(node.target, frame);
    return { ...range, operator, target, body: undefined };
  }

  private lowerHereDocument(node: HereDoc, frame: Frame, range: Span): ParsedRedirect {
    const isLive = frame.view.fixed === undefined;
    if (isLive && node.delimiter !== undefined)
      this.script.placed.refuseWithin(rangeOf(frame, node.delimiter), hereDocumentDelimiter);
    const { parts } = node.body;
    let body: readonly Piece[];
    if (node.delimiter?.quoted) {
      body = isLive
        ? lowerHereDocument(node, this.script.placed, frame.demand)
        : [{ kind: "text", text: node.body.text }];
    } else if (parts === undefined) {
      if (isLive) this.script.placed.noteTemplates(node.body, false);
      body = [{ kind: "text", text: node.body.text }];
    } else body = this.words.lowerBody(parts, frame);
    return { ...range, operator: node.operator, target: emptyWord(range), body };
  }

  private lowerFunction(node: SyntaxFunction, frame: Frame): number {
    const { branch, group: parent } = frame;
    const defines = node.name.value;
    const inner = { ...inBranch(frame), scope: defines };
    const outline: Outline = { parent, pipedFrom: undefined, scope: frame.scope, branch, defines };
    const { body } = node;
    const range = rangeOf(frame, body);
    if (body.type === "Redirected") return this.lowerCompound(body.command, body.redirects, range, inner, outline);
    if (body.type === "CompoundList") return this.lowerGroup(body.commands, inner, range);
    return this.lowerCompound(body, [], range, inner, outline);
  }

  private lowerCoprocess(node: Coproc, frame: Frame, outline: Outline): number {
    const inner = inBranch(frame);
    const range = rangeOf(frame, node);
    const id = this.script.reserve();
    const { body } = node;
    if (body.type === "CompoundList") this.lowerStatements(body.commands, { ...inner, group: id });
    else this.lowerCommand(body, { ...inner, group: id }, undefined);
    this.script.add(this.command(id, "group", range, { ...outline, defines: coprocess }, {}));
    return id;
  }

  /** Commands in a group of their own, as in a substitution. */
  private lowerGroup(statements: readonly Statement[], frame: Frame, range: Span): number {
    const id = this.script.reserve();
    this.lowerStatements(statements, { ...frame, group: id });
    const { scope, branch, group: parent } = frame;
    this.script.add(this.command(id, "group", range, { parent, pipedFrom: undefined, scope, branch }, {}));
    return id;
  }

  private lowerCompound(
    node: CompoundCommand,
    redirections: Redirected["redirects"],
    range: Span,
    frame: Frame,
    outline: Outline,
  ): number {
    const id = this.script.reserve();
    const inner: Frame = { ...frame, group: id };
    this.lowerMembers(node, inner);
    const redirects = redirections.map((redirect) => this.lowerRedirect(redirect, frame));
    this.script.add(this.command(id, "group", range, outline, { redirects }));
    return id;
  }

  private lowerMembers(node: CompoundCommand, frame: Frame): void {
    const conditional = (list: CompoundList | undefined): void => {
      if (list !== undefined) this.lowerStatements(list.commands, inBranch(frame));
    };
    switch (node.type) {
      case "BraceGroup":
        this.lowerStatements(node.body.commands, frame);
        return;
      case "Subshell":
        conditional(node.body);
        return;
      case "If":
        this.lowerStatements(node.clause.commands, frame);
        conditional(node.then);
        for (const { clause, then } of node.elif) {
          conditional(clause);
          conditional(then);
        }
        conditional(node.else);
        return;
      case "While":
        this.lowerStatements(node.clause.commands, frame);
        conditional(node.body);
        return;
      case "For":
      case "Select":
        this.lowerLoop(node, frame);
        conditional(node.body);
        return;
      case "ArithmeticFor":
        for (const part of [node.initialize, node.test, node.update]) this.words.arithmetic.lowerCommand(part, frame);
        conditional(node.body);
        return;
      case "Case":
        this.words.lower(node.word, frame);
        for (const { pattern, body } of node.items) {
          for (const word of pattern) this.words.lower(word, frame);
          conditional(body);
        }
        return;
      case "ArithmeticCommand":
        this.words.arithmetic.lowerCommand(node.expression, frame);
        return;
      case "TestCommand":
        this.addTest(node, frame);
    }
  }

  private lowerLoop(node: For | Select, frame: Frame): void {
    const { scope, branch, group: parent, view } = frame;
    if (view.fixed === undefined) this.script.placed.refuseWithin(rangeOf(frame, node.name), loopName);
    const range = rangeOf(frame, node.name);
    const name: ParsedWord = {
      ...emptyWord(range),
      assigns: { name: node.name.value, append: false, value: [] },
    };
    const parameters: Piece = {
      ...{ kind: "read", holder: `${scope}:@`, shown: "$@", split: false, list: true },
      ...range,
    };
    const words = node.wordlist?.map((word) => this.lowerArgument(word, frame)) ?? [
      { ...emptyWord(range), pieces: [parameters] },
    ];
    if (node.type === "Select" && parent !== undefined) this.script.readInput(parent, "REPLY");
    this.add("loop", range, { parent, pipedFrom: undefined, scope, branch }, { assignments: [name], words });
  }

  private addTest(node: TestCommand, frame: Frame): void {
    const { scope, branch, group: parent } = frame;
    const tests = lowerTests(node.expression, this.script, (word) => this.words.lower(word, frame));
    this.add("test", rangeOf(frame, node), { parent, pipedFrom: undefined, scope, branch }, { tests });
  }

  private add(kind: Command["kind"], range: Span, outline: Outline, parts: Partial<Command>): number {
    const id = this.script.reserve();
    this.script.add(this.command(id, kind, range, outline, parts));
    return id;
  }

  private command(
    id: number,
    kind: Command["kind"],
    { start, end }: Span,
    { defines, ...outline }: Outline,
    parts: Partial<Command>,
  ): Command {
    const none = { assignments: [], words: [], redirects: [], tests: [] };
    return { id, kind, start, end, ...outline, defines, ...none, ...parts };
  }
}

/** Builtins that take an argument for the name of a variable. */
export const namingBuiltins: ReadonlySet<string> = new Set([
  ...["unset", "read", "mapfile", "readarray", "printf", "test", "[", "wait", "getopts"],
  ...["declare", "typeset", "local", "export", "readonly"],
]);

/** In `name[subscript]`, where it is one text: the subscript. */
function subscriptIn(pieces: readonly Piece[]): readonly Piece[] {
  const end = pieces.findIndex((piece) => piece.kind !== "text");
  const texts = end === -1 ? pieces : pieces.slice(0, end);
  const head = markedText(texts);
  const name = /^[A-Za-z_]\w*\[/.exec(head)?.[0];
  if (name === undefined) return [];
  return [{ kind: "text", text: head.slice(name.length) }, ...pieces.slice(texts.length)];
}

/** The name under which a coprocess is known to those who read from it and write to it. */
export const coprocess = "coprocess";

function inBranch(frame: Frame): Frame {
  return { ...frame, branch: { outer: frame.branch } };
}

function emptyWord({ start, end }: Span): ParsedWord {
  return {
    start,
    end,
    pieces: [],
    quoted: false,
    glob: false,
    assigns: undefined,
    elements: undefined,
    consumers: [],
  };
}

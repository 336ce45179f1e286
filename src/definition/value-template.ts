import type { CompiledInput, InputLanguage, InputProblem, Written } from "../block/define-block.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { Range } from "../diagnostic/source.ts";
import type { Expression, Scope, SyntaxProblem, Template, TemplatePart } from "../expression/ast.ts";
import { evaluateTemplate } from "../expression/evaluate-template.ts";
import { formatValue } from "../expression/format-value.ts";
import { parseExpression } from "../expression/parse-expression.ts";
import { hasExpressions, parseTemplate, problemsOf, startsReference } from "../expression/parse-template.ts";
import type { Value } from "../expression/value.ts";
import type { Vars } from "../expression/vars.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { WorkflowEnv } from "./load-env.ts";
import { placeInScalar } from "./scalar-place.ts";
import type { YamlNode, YamlScalar } from "./yaml-node.ts";

/**
 * A value of the definition with its expressions parsed once. Resolving walks the parsed form, never a text, so nothing that
 * comes out of an expression is ever read as one.
 */
export type ValueTemplate = LiteralTemplate | TextTemplate | CompiledTemplate | ListTemplate | MapTemplate;

export interface LiteralTemplate {
  readonly kind: "literal";
  readonly value: Value;
  /** For a map: where its parts stand. */
  readonly entries?: readonly MapEntry[];
  /** The same for a list. */
  readonly items?: readonly ValueTemplate[];
  readonly range: Range;
}

export interface TextTemplate {
  readonly kind: "text";
  readonly template: Template;
  readonly text: PlacedText;
  readonly range: Range;
}

export interface CompiledTemplate {
  readonly kind: "compiled";
  readonly compiled: CompiledInput;
  readonly text: PlacedText;
  readonly range: Range;
}

export interface ListTemplate {
  readonly kind: "list";
  readonly items: readonly ValueTemplate[];
  readonly range: Range;
}

export interface MapTemplate {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
  readonly range: Range;
}

export interface MapEntry {
  readonly key: string;
  readonly keyRange: Range;
  readonly value: ValueTemplate;
}

/** A text of the definition that knows where each of its characters stands in the file. */
export interface PlacedText {
  readonly text: string;
  rangeOf(start: number, end: number): Range;
}

/** Where the problems of a file go, and what else of the file has to be known to read a value in it. */
export interface FileReport extends Report {
  readonly vars?: Vars;
  readonly env?: WorkflowEnv;
}

export function placedText(scalar: YamlScalar): PlacedText {
  const text = typeof scalar.value === "string" ? scalar.value : scalar.written;
  return { text, rangeOf: (start, end) => placeInScalar(scalar, text, start, end) };
}

function reportSyntax(problems: readonly SyntaxProblem[], text: PlacedText, report: Report): void {
  for (const { start, end, code, message, fix } of problems)
    report({ code, level: "error", message, ...defined({ fix }), range: text.rangeOf(start, end) });
}

/** A text that as a whole is one expression. What could be read of a wrong one is given too, so that its references are checked. */
export function compileExpression(text: PlacedText, report: FileReport): Expression | undefined {
  const parsed = parseExpression(text.text, report.vars);
  if (parsed.ok) return parsed.value;
  reportSyntax(problemsOf(parsed.error), text, report);
  return parsed.error.recovered;
}

export function compileValue(node: YamlNode, report: FileReport): ValueTemplate {
  const { range } = node;
  if (node.kind === "scalar") return compileScalar(node, report);
  if (node.kind === "list") {
    const items = node.items.map((item) => compileValue(item, report));
    const known = items.every((item) => item.kind === "literal");
    if (known) return { kind: "literal", value: items.map((item) => (item as LiteralTemplate).value), items, range };
    return { kind: "list", items, range };
  }
  const entries = node.entries.map((entry) => ({ ...entry, value: compileValue(entry.value, report) }));
  if (!entries.every(({ value }) => value.kind === "literal")) return { kind: "map", entries, range };
  const value = emptyMap();
  for (const entry of entries) value[entry.key] = (entry.value as LiteralTemplate).value;
  return { kind: "literal", value, entries, range };
}

function compileScalar(node: YamlScalar, report: FileReport): ValueTemplate {
  const { range, value } = node;
  if (typeof value !== "string" || !value.includes("${")) return { kind: "literal", value, range };
  const text = placedText(node);
  const template = parseTemplate(value, report.vars);
  if (!template.ok) {
    const { problems, recovered } = template.error;
    reportSyntax(problems, text, report);
    return hasExpressions(recovered)
      ? { kind: "text", template: recovered, text, range }
      : { kind: "literal", value, range };
  }
  if (!hasExpressions(template.value)) return { kind: "literal", value: template.value.parts.join(""), range };
  const known = knownValue(template.value.parts);
  if (known !== undefined) return { kind: "literal", value: known, range };
  return { kind: "text", template: template.value, text, range };
}

/** What a text comes to whose expressions are vars without a value of the run. */
function knownValue(parts: readonly TemplatePart[]): Value | undefined {
  const values: Value[] = [];
  for (const part of parts) {
    if (typeof part === "string") values.push(part);
    else if (part.expression.kind === "literal" && part.expression.origin !== undefined)
      values.push(part.expression.value);
    else return undefined;
  }
  return values.length === 1 ? values[0] : values.map(formatValue).join("");
}

const conditionKinds: ReadonlySet<Expression["kind"]> = new Set(["comparison", "logical", "not"]);

/** `${a} == 0` or `${x.succeeded} and ${y.succeeded}`: a text that as a whole asks a question. */
export function wholeCondition(node: YamlNode, report: FileReport): EmbeddedInText | undefined {
  if (node.kind !== "scalar" || typeof node.value !== "string" || !node.value.includes("${")) return undefined;
  const parsed = parseExpression(node.value, report.vars);
  if (!parsed.ok || !conditionKinds.has(parsed.value.kind)) return undefined;
  return { expression: parsed.value, text: placedText(node) };
}

/** Compiles a text in a language of its own, such as a shell command. A stored one that is refused now fails its block. */
export function compileInLanguage(node: YamlScalar, language: InputLanguage, report: FileReport): ValueTemplate {
  const text = placedText(node);
  const compiled = language.compile(text.text, report.vars);
  const notes = compiled.ok ? compiled.value.notes : compiled.error;
  for (const { start, end, input: _, ...note } of notes) {
    report({ ...note, range: start === undefined ? node.range : text.rangeOf(start, end ?? start + 1) });
  }
  const input = compiled.ok ? compiled.value : refusedInput(text.text, compiled.error, report.vars);
  return { kind: "compiled", compiled: input, text, range: node.range };
}

/** Its expressions are kept: they are checked all the same, and the order of the blocks of a stored workflow follows from them. */
function refusedInput(text: string, problems: readonly InputProblem[], vars: Vars | undefined): CompiledInput {
  const template = parseTemplate(text, vars);
  const { parts } = template.ok ? template.value : template.error.recovered;
  const message = problems.find(({ level }) => level === "error")?.message ?? "It can't be compiled.";
  return {
    // In a language of its own, other `${` may mean something else.
    expressions: parts
      .filter((part) => typeof part !== "string")
      .filter(({ start }) => startsReference(text, start, vars)),
    notes: [],
    resolve: () => err({ message }),
    show: () => text,
  };
}

/** Own, enumerable keys only: a map that no key can turn into anything but data. */
export function emptyMap(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>;
}

export interface ResolutionProblem {
  readonly message: string;
}

export function resolveValue(template: ValueTemplate, scope: Scope): Result<Value, ResolutionProblem> {
  switch (template.kind) {
    case "literal":
      return ok(template.value);
    case "text": {
      const value = evaluateTemplate(template.template, scope);
      return value.ok ? value : err({ message: quoteSource(template.text, value.error) });
    }
    case "compiled": {
      const resolved = template.compiled.resolve(scope);
      return resolved.ok ? ok(resolved.value.shown) : resolved;
    }
    case "list": {
      const items: Value[] = [];
      for (const item of template.items) {
        const value = resolveValue(item, scope);
        if (!value.ok) return value;
        items.push(value.value);
      }
      return ok(items);
    }
    case "map": {
      const map = emptyMap();
      for (const entry of template.entries) {
        const value = resolveValue(entry.value, scope);
        if (!value.ok) return value;
        map[entry.key] = value.value;
      }
      return ok(map);
    }
  }
}

/** Names the expression that could not be evaluated in front of the reason. */
export function quoteSource(text: PlacedText, problem: { message: string; start: number; end: number }): string {
  const source = text.text.slice(problem.start, problem.end).replaceAll(/\s+/g, " ");
  return source === "" || problem.message.startsWith(source)
    ? problem.message
    : `${source.length > 120 ? `${source.slice(0, 117)}...` : source}: ${problem.message}`;
}

export function writtenForm(template: ValueTemplate): Written {
  switch (template.kind) {
    case "literal":
      return { known: true, value: template.value };
    case "compiled":
      return { known: false, compiled: template.compiled };
    case "list":
      return { known: false, items: template.items.map(writtenForm) };
    case "map":
      return { known: false, entries: template.entries.map(({ key, value }) => [key, writtenForm(value)]) };
    case "text": {
      const { text } = template.text;
      const pieces = template.template.parts.map((part) =>
        typeof part === "string" ? part : { expression: text.slice(part.start, part.end) },
      );
      return { known: false, pieces };
    }
  }
}

export interface EmbeddedInText {
  readonly expression: Expression;
  readonly text: PlacedText;
}

/** Every expression in a value, in the order of the text. */
export function* expressionsIn(template: ValueTemplate): Generator<EmbeddedInText> {
  switch (template.kind) {
    case "literal":
      return;
    case "text":
      for (const part of template.template.parts) {
        if (typeof part !== "string") yield { expression: part.expression, text: template.text };
      }
      return;
    case "compiled":
      for (const { expression } of template.compiled.expressions) yield { expression, text: template.text };
      return;
    case "list":
      for (const item of template.items) yield* expressionsIn(item);
      return;
    case "map":
      for (const { value } of template.entries) yield* expressionsIn(value);
  }
}

import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { Range } from "../diagnostic/source.ts";
import type { Value } from "../expression/value.ts";
import { suggestDuration } from "../util/duration-text.ts";
import { longestDuration, parseDuration } from "./duration.ts";
import type { Form, JsonSchema } from "./key.ts";
import type { KeyReader } from "./map-reader.ts";
import { parseCount, parseDelay } from "./retry-values.ts";
import { compileExpression, compileValue, placedText, type ValueTemplate } from "./value-template.ts";
import type { PlacedExpression } from "./workflow-definition.ts";
import { describeNode, type YamlNode } from "./yaml-node.ts";

export const expressionSchema: JsonSchema = {
  type: "string",
  pattern: "\\$\\{",
  description: "An expression: ${...}",
};

/** A form whose schema is the same whatever block types there are. */
export interface PlainForm<T> extends Form<T> {
  readonly schema: JsonSchema;
}

export const text: PlainForm<string | undefined> = { schema: { type: "string" }, read: (at) => at.text() };

export const flag: PlainForm<boolean | undefined> = { schema: { type: "boolean" }, read: (at) => at.boolean() };

export const count: PlainForm<number | undefined> = {
  schema: { type: "integer", minimum: 1 },
  read: (at) => at.integer("a whole number above 0", 1),
};

export function choice<T extends string>(choices: readonly T[]): PlainForm<T | undefined> {
  return { schema: { enum: choices }, read: (at) => at.oneOf(choices) };
}

/** A list of words, such as names of programs. */
export function words(what: string): PlainForm<readonly string[] | undefined> {
  return {
    schema: { type: "array", items: { type: "string" } },
    read: (at) => at.listAt()?.items.flatMap((item) => readText(item, what, at.report) ?? []),
  };
}

/** A text, also one that looks like a number. */
export function readText(node: YamlNode, what: string, report: Report): string | undefined {
  if (node.kind === "scalar" && node.value !== null) return placedText(node).text;
  const message = `Here ${what} is expected, not ${describeNode(node)}.`;
  report({ code: "wrong-type", level: "error", message, range: node.range });
  return undefined;
}

export const timeLimit: PlainForm<number | undefined> = {
  schema: { anyOf: [{ type: "number", exclusiveMinimum: 0 }, { type: "string" }] },
  read({ name, node, report }) {
    if (node === undefined) return undefined;
    const value = node.kind === "scalar" ? node.value : null;
    const duration = parseDuration(value);
    if (duration.ok) return duration.value;
    reportTimeLimit(name, value, duration.error, node.range, report);
    return undefined;
  },
};

export function reportTimeLimit(key: string, value: Value, error: string, range: Range, report: Report): void {
  const meant = suggestDuration(value, longestDuration);
  const fix = meant === undefined ? {} : { fix: `Write \`${key}: ${meant}\`.` };
  report({ code: "bad-timeout", level: "error", message: `'${key}': ${error}.`, ...fix, range });
}

/** The form with a value for where there is none. */
export function withDefault<T extends Value>(form: PlainForm<T | undefined>, value: T): PlainForm<T> {
  return {
    schema: { ...form.schema, default: value },
    read: (at, context, before) => form.read(at, context, before) ?? value,
  };
}

/** A count that may be given by an expression; one that is written out is checked here. */
export function countOrExpression(most: number): PlainForm<ValueTemplate | undefined> {
  return {
    schema: { anyOf: [{ type: "integer", minimum: 1, maximum: most }, expressionSchema] },
    read: (at) =>
      readValue(at, (value) => {
        const count = parseCount(value, most);
        if (!count.ok) at.wrongType(`a whole number from 1 to ${most}`, unquotedNumber(value));
      }),
  };
}

function unquotedNumber(value: Value): string | undefined {
  return typeof value === "string" && /^\d+$/.test(value) ? `Remove the quotes: ${value}.` : undefined;
}

/** A delay that may be given by an expression. */
export const delayOrExpression: PlainForm<ValueTemplate | undefined> = {
  schema: { anyOf: [{ type: "number", minimum: 0 }, { type: "string" }] },
  read: (at) =>
    readValue(at, (value, { range }) => {
      const delay = parseDelay(value);
      if (delay.ok) return;
      const meant = suggestDuration(value, longestDuration);
      const fix = meant === undefined ? {} : { fix: `Write \`${at.name}: ${meant}\`.` };
      at.report({
        code: "bad-delay",
        level: "error",
        message: `'${at.name}' of ${at.what}: ${delay.error}.`,
        ...fix,
        range,
      });
    }),
};

function readValue(at: KeyReader, check: (value: Value, node: YamlNode) => void): ValueTemplate | undefined {
  if (at.node === undefined) return undefined;
  const value = compileValue(at.node, at.report);
  if (value.kind === "literal") check(value.value, at.node);
  else if (value.kind !== "text") check(null, at.node);
  return value;
}

/** An expression that gives true or false. */
export const condition: PlainForm<PlacedExpression | undefined> = {
  schema: { type: ["string", "boolean"] },
  read(at) {
    const { node } = at;
    if (node === undefined) return undefined;
    if (node.kind !== "scalar" || node.value === null || typeof node.value === "number") {
      return at.wrongType("an expression that gives true or false");
    }
    const text = placedText(node);
    const expression = compileExpression(text, at.report);
    return expression === undefined ? undefined : { expression, text };
  },
};

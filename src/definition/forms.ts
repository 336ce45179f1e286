import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { Range } from "../diagnostic/source.ts";
import type { Value } from "../expression/value.ts";
import { parseDuration, suggestDuration } from "./duration.ts";
import type { Form, JsonSchema } from "./key.ts";
import { placedText } from "./value-template.ts";
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
  const meant = suggestDuration(value);
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

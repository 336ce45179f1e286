import type { PageField as Field } from "./act-records.ts";

type Schema = Readonly<Record<string, unknown>>;

/**
 * The fields that an answer is entered in: one for each property of a map, else one for the whole. What no field of its own is made
 * for is entered as JSON, so that everything that fits can be given.
 */
export function fieldsOfSchema(schema: unknown, choices?: readonly string[], usual?: unknown): readonly Field[] {
  const given = usual === undefined ? {} : { default: usual };
  if (!isSchema(schema)) {
    const whole = { name: "", label: "Answer", required: true, ...given };
    return [choices === undefined ? { ...whole, kind: "multiline" } : { ...whole, kind: "choice", choices }];
  }
  const { properties, required } = schema;
  if (!isSchema(properties) || !isPlainMap(schema)) return [{ ...fieldOf("", schema, true), ...given }];
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const usuals = isSchema(usual) ? usual : {};
  return Object.entries(properties).map(([name, property]) => {
    const field = fieldOf(name, isSchema(property) ? property : {}, needed.includes(name));
    return usuals[name] === undefined ? field : { ...field, default: usuals[name] };
  });
}

/** Where something else than the names decides what fits, fields could not say it. */
const deciding = [
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "$ref",
  "minProperties",
  "dependentRequired",
  "propertyNames",
];

function isPlainMap(schema: Schema): boolean {
  const { properties, required, additionalProperties } = schema;
  const names = Object.keys(properties as Schema);
  return (
    names.length > 0 &&
    (!Array.isArray(required) || required.every((name) => names.includes(String(name)))) &&
    !isSchema(additionalProperties) &&
    deciding.every((keyword) => schema[keyword] === undefined)
  );
}

function fieldOf(name: string, schema: Schema, isNeeded: boolean): Field {
  const { title, description, default: usual, examples } = schema;
  const [example] = Array.isArray(examples) ? examples : [];
  const limits = limitsOf(schema);
  const about = typeof description === "string" ? description : undefined;
  // Beside a box stands what is ticked.
  const isLabel = schema.type === "boolean" && typeof title !== "string" && about !== undefined;
  return {
    name,
    label: isLabel ? about : typeof title === "string" ? title : wordName(name),
    ...(about === undefined || isLabel ? {} : { description: about }),
    required: isNeeded,
    ...(usual === undefined ? {} : { default: usual }),
    ...(example === undefined ? {} : { placeholder: typeof example === "string" ? example : JSON.stringify(example) }),
    ...(limits === "" ? {} : { limits }),
    ...kindOf(schema, isNeeded || usual !== undefined),
  };
}

/** `dry_run` as people write it. */
function wordName(name: string): string {
  const words = name.replaceAll("_", " ").trim();
  return words === "" ? name || "Answer" : words.charAt(0).toUpperCase() + words.slice(1);
}

/** A short text has a line; any other can have several. */
const longestLine = 120;

function kindOf(schema: Schema, isDecided: boolean): Pick<Field, "kind" | "choices"> {
  const { type, format, maxLength } = schema;
  const choices = "const" in schema ? [schema.const] : schema.enum;
  if (type === "boolean") {
    const both = Array.isArray(choices) ? choices : undefined;
    if (isDecided) return { kind: "boolean", ...(both === undefined ? {} : { choices: both }) };
    return { kind: "choice", choices: both ?? [true, false] };
  }
  if (Array.isArray(choices)) return { kind: "choice", choices };
  if (deciding.some((keyword) => schema[keyword] !== undefined)) return { kind: "json" };
  if (type === "number" || type === "integer") return { kind: type };
  if (type !== "string") return { kind: "json" };
  const isLine = typeof format === "string" || (typeof maxLength === "number" && maxLength <= longestLine);
  return { kind: isLine ? "text" : "multiline" };
}

function limitsOf(schema: Schema): string {
  const { type, format, items } = schema;
  const ofItems = isSchema(items) && typeof items.type === "string" ? ` of ${plurals[items.type] ?? "values"}` : "";
  const kind = type === "array" ? `a list${ofItems}, as JSON` : type === "object" ? "a map, as JSON" : "";
  return [
    kind,
    typeof format === "string" ? format : "",
    bounds(schema.minimum, schema.maximum, ""),
    bounds(schema.minLength, schema.maxLength, " characters"),
    bounds(schema.minItems, schema.maxItems, " elements"),
  ]
    .filter((part) => part !== "")
    .join(", ");
}

const plurals: Readonly<Record<string, string>> = {
  string: "texts",
  number: "numbers",
  integer: "whole numbers",
  boolean: "true or false",
  object: "maps",
  array: "lists",
};

function bounds(least: unknown, most: unknown, what: string): string {
  if (least === undefined && most === undefined) return "";
  if (most === undefined) return `at least ${least}${what}`;
  return least === undefined ? `at most ${most}${what}` : `${least} to ${most}${what}`;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { isMap, type Value, type ValueMap } from "../expression/value.ts";
import type { QuestionData } from "../views/response.ts";

/** What a client shows to a person: a flat form, which is all the protocol allows. */
export interface Form {
  readonly schema: FormSchema;
  /** The answer that a filled form stands for. Whether it fits is checked by whoever asked. */
  read(content: ValueMap): Value;
}

export interface FormSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, ValueMap>>;
  readonly required?: readonly string[];
}

/** A form for a question, whatever its answer looks like. */
export function formFor({ schema, choices, default: fallback }: QuestionData): Form {
  const preset = fallback === undefined ? {} : { default: fallback };
  if (choices !== undefined) return singleField({ type: "string", enum: choices, ...preset });
  if (schema === undefined) return singleField({ type: "string", ...textPreset(fallback) });
  if (isPlainField(schema)) return singleField({ ...keepKnown(schema), ...preset });
  if (isFlatObject(schema)) return { schema: flatForm(schema, fallback), read: (content) => content };
  const description = `JSON that fits ${JSON.stringify(schema)}`;
  return { ...singleField({ type: "string", description, ...textPreset(fallback) }), read: readJson };
}

const fieldName = "answer";

function singleField(field: ValueMap): Form {
  const titled = { title: "Answer", ...field };
  return {
    schema: { type: "object", properties: { [fieldName]: titled }, required: [fieldName] },
    read: (content) => content[fieldName] ?? null,
  };
}

function textPreset(fallback: Value | undefined): { default?: string } {
  if (fallback === undefined) return {};
  return { default: typeof fallback === "string" ? fallback : JSON.stringify(fallback) };
}

/** What is no JSON is left as it is: the check of the answer says what is wrong with it. */
function readJson({ [fieldName]: text = "" }: ValueMap): Value {
  try {
    return JSON.parse(String(text)) as Value;
  } catch {
    return text;
  }
}

const plainTypes = new Set<Value>(["string", "number", "integer", "boolean"]);

function isPlainField(schema: ValueMap): boolean {
  return plainTypes.has(schema.type ?? null) || (schema.type === undefined && isTextList(schema.enum));
}

function isFlatObject({ type, properties }: ValueMap): boolean {
  if (type !== "object" || properties === undefined || !isMap(properties)) return false;
  return Object.values(properties).every((field) => isMap(field) && isPlainField(field));
}

function isTextList(value: Value | undefined): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function flatForm({ properties, required }: ValueMap, fallback: Value | undefined): FormSchema {
  const fields: Record<string, ValueMap> = {};
  for (const [name, field] of Object.entries(properties as ValueMap)) {
    const preset =
      fallback !== undefined && isMap(fallback) && fallback[name] !== undefined ? { default: fallback[name] } : {};
    fields[name] = { ...keepKnown(field as ValueMap), ...preset };
  }
  return { type: "object", properties: fields, ...(isTextList(required) ? { required: required as string[] } : {}) };
}

const knownKeys = ["title", "description", "enum", "default", "minLength", "maxLength", "minimum", "maximum", "format"];
const knownFormats: ReadonlySet<Value> = new Set(["email", "uri", "date", "date-time"]);

/** A form knows few keywords; the others still hold when the answer is checked. */
function keepKnown(schema: ValueMap): ValueMap {
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      knownKeys.includes(key) && (key !== "format" || knownFormats.has(value)) && (key !== "enum" || isTextList(value)),
  );
  return { type: schema.type ?? "string", ...Object.fromEntries(kept) };
}

import { formatValue } from "../../expression/format-value.ts";
import { isList, isMap, type Value, type ValueMap } from "../../expression/value.ts";
import { err, ok, type Result } from "../../util/result.ts";
import type { QuestionData } from "../../views/response.ts";
import type { Choice, ChoiceField, Field, TextField } from "./form.ts";

/** The fields for the answer to a question, and the answer that they stand for. */
export interface QuestionFields {
  readonly fields: readonly Field[];
  read(values: readonly (Value | undefined)[]): Value;
}

export function fieldsFor(question: QuestionData): QuestionFields {
  const { choices, schema, default: preset } = question;
  // A person who approves something decides: nothing is chosen before.
  const first = question.audience === "human" ? undefined : preset;
  if (choices !== undefined) return single(choiceField("", "", choices.map(choiceOf), first));
  if (schema === undefined) return single(plainText("", preset));
  const parts = partsOf(schema, [], preset, question.audience === "human");
  if (parts !== undefined)
    return { fields: parts.map(({ field }) => field), read: (values) => assemble(parts, values) };
  return single(fieldOf("", schema, preset, true, first !== undefined));
}

function single(field: Field): QuestionFields {
  return { fields: [field], read: ([value]) => value ?? null };
}

/** A field for one value somewhere inside of the answer. */
interface Part {
  readonly path: readonly string[];
  readonly field: Field;
}

/** Of a map, each of its values, at any depth; nothing where the schema says something else. */
function partsOf(
  schema: ValueMap,
  path: readonly string[],
  preset: Value | undefined,
  isApproval: boolean,
): Part[] | undefined {
  const { type, properties } = schema;
  if (type !== "object" || properties === undefined || !isMap(properties)) return undefined;
  const names = Object.keys(properties);
  if (names.length === 0) return undefined;
  const required = schema.required !== undefined && isList(schema.required) ? schema.required : [];
  return names.flatMap((name) => {
    const inner = properties[name];
    const at = [...path, name];
    const value = presetOf(preset, name) ?? (inner !== undefined && isMap(inner) ? inner.default : undefined);
    if (inner === undefined || !isMap(inner)) return [{ path: at, field: jsonField(at.join("."), {}, value, false) }];
    const isNeeded = required.includes(name);
    const inside = isNeeded ? partsOf(inner, at, value, isApproval) : undefined;
    return inside ?? [{ path: at, field: fieldOf(at.join("."), inner, value, isNeeded, !isApproval) }];
  });
}

function presetOf(preset: Value | undefined, name: string): Value | undefined {
  return preset !== undefined && isMap(preset) && Object.hasOwn(preset, name) ? preset[name] : undefined;
}

/** What nobody filled in is left out. */
function assemble(parts: readonly Part[], values: readonly (Value | undefined)[]): Value {
  const answer = emptyMap();
  for (const [index, { path }] of parts.entries()) {
    const value = values[index];
    if (value === undefined) continue;
    let inside = answer;
    for (const name of path.slice(0, -1)) {
      inside[name] ??= emptyMap();
      inside = inside[name] as Record<string, Value>;
    }
    inside[path.at(-1) as string] = value;
  }
  return answer;
}

/** Without a prototype, so that a name like `__proto__` is one like any other. */
function emptyMap(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>;
}

/** `isPreset`: whether a choice that is the default is made already. */
function fieldOf(
  label: string,
  schema: ValueMap,
  preset: Value | undefined,
  isNeeded: boolean,
  isPreset: boolean,
): Field {
  const about = aboutOf(schema, isNeeded || label === "");
  const choices = choicesOf(schema);
  if (choices !== undefined) {
    const field = choiceField(label, about, choices, isPreset ? preset : undefined);
    return isNeeded ? field : { ...field, isOptional: true };
  }
  const { type } = schema;
  if (type === "string") return textField(label, about, preset, isNeeded, (text) => ok(text));
  if (type === "number" || type === "integer") return textField(label, about, preset, isNeeded, readNumber);
  const words = wordsOf(schema);
  if (words !== undefined) {
    const said = [
      about,
      `Of ${words.map((word) => formatValue(word)).join(", ")}: as many as you like, with commas between them.`,
    ];
    return textField(label, said.filter(Boolean).join(" "), preset, isNeeded, (text) => readWords(text, words));
  }
  return jsonField(label, schema, preset, isNeeded);
}

function choicesOf(schema: ValueMap): readonly Choice[] | undefined {
  if (schema.enum !== undefined && isList(schema.enum)) return schema.enum.map(choiceOf);
  return schema.type === "boolean"
    ? [
        { value: true, label: "yes" },
        { value: false, label: "no" },
      ]
    : undefined;
}

/** Of a list, the values that may be in it, where they are listed. */
function wordsOf({ type, items }: ValueMap): readonly Value[] | undefined {
  if (type !== "array" || items === undefined || !isMap(items)) return undefined;
  return items.enum !== undefined && isList(items.enum) ? items.enum : undefined;
}

function readWords(text: string, words: readonly Value[]): Result<Value, string> {
  const values: Value[] = [];
  for (const part of text.split(",").map((word) => word.trim())) {
    if (part === "") continue;
    const meant = words.find((word) => formatValue(word) === part);
    if (meant === undefined)
      return err(`'${part}' is not one of: ${words.map((word) => formatValue(word)).join(", ")}.`);
    values.push(meant);
  }
  return ok(values);
}

function readNumber(text: string): Result<Value, string> {
  const value = Number(text.trim());
  return text.trim() !== "" && Number.isFinite(value) ? ok(value) : err(`'${text}' is not a number.`);
}

/** What is no JSON is taken as text: the check of the whole answer says what is wrong with it. */
function jsonField(label: string, schema: ValueMap, preset: Value | undefined, isNeeded: boolean): TextField {
  const about = [aboutOf(schema, isNeeded || label === ""), `JSON that fits ${shortened(JSON.stringify(schema))}`];
  return textField(label, about.filter(Boolean).join(" "), preset, isNeeded, (text) => {
    try {
      return ok(JSON.parse(text) as Value);
    } catch {
      return ok(text);
    }
  });
}

const longestSchema = 200;

function shortened(schema: string): string {
  return schema.length > longestSchema ? `${schema.slice(0, longestSchema)}…` : schema;
}

function plainText(label: string, preset: Value | undefined): TextField {
  return textField(label, "", preset, true, (text) => ok(text));
}

function textField(
  label: string,
  about: string,
  preset: Value | undefined,
  isNeeded: boolean,
  read: (text: string) => Result<Value, string>,
): TextField {
  return {
    kind: "text",
    label,
    about,
    ...(preset === undefined ? {} : { fallback: typeof preset === "string" ? preset : formatValue(preset) }),
    read: (text) => (text === "" && !isNeeded ? ok(undefined) : read(text)),
  };
}

function choiceField(label: string, about: string, choices: readonly Choice[], first: Value | undefined): ChoiceField {
  const index = choices.findIndex(({ value }) => first !== undefined && formatValue(value) === formatValue(first));
  return { kind: "choice", label, about, choices, ...(index < 0 ? {} : { first: index }) };
}

function choiceOf(value: Value): Choice {
  return { value, label: value === null ? "null" : formatValue(value) };
}

const typeWords: Readonly<Record<string, string>> = { number: "a number", integer: "a whole number" };

function aboutOf({ title, description, type, minimum, maximum }: ValueMap, isNeeded: boolean): string {
  const told = description ?? title;
  const rules = [
    ...(typeof type === "string" && typeWords[type] !== undefined ? [typeWords[type]] : []),
    ...(minimum === undefined ? [] : [`at least ${formatValue(minimum)}`]),
    ...(maximum === undefined ? [] : [`at most ${formatValue(maximum)}`]),
    ...(isNeeded ? [] : ["may be left out"]),
  ];
  return [
    ...(told === undefined ? [] : [formatValue(told)]),
    ...(rules.length === 0 ? [] : [`(${rules.join(", ")})`]),
  ].join(" ");
}

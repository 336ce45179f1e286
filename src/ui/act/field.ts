import type { PageField as Field } from "../../views/page/act-records.ts";

/** What stands in each field, as it was entered: a text, or whether a box is ticked. Of a choice, its JSON. */
export type FieldValues = Readonly<Record<string, string | boolean>>;

/** What is wrong, by the name of the field. */
export type FieldProblems = Readonly<Record<string, string>>;

export type ReadFields =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: FieldProblems };

/** What the fields hold before anybody has entered something: what is given, or else the defaults. */
export function fillFields(fields: readonly Field[], given?: unknown): FieldValues {
  return Object.fromEntries(fields.map((field) => [field.name, enter(field, pick(field, given))]));
}

function pick({ name, default: usual }: Field, given: unknown): unknown {
  if (name === "") return given === undefined ? usual : given;
  return isRecord(given) && Object.hasOwn(given, name) ? given[name] : usual;
}

/** A value as somebody would have entered it. */
function enter({ kind }: Field, value: unknown): string | boolean {
  if (kind === "boolean") return value === true;
  if (value === undefined) return "";
  return typeof value === "string" && kind !== "json" && kind !== "choice"
    ? value
    : JSON.stringify(value, null, indent);
}

const indent = 2;

/** What was entered, as a value; or what is missing and what can't be read. What is left empty is left out. */
export function readFields(fields: readonly Field[], values: FieldValues): ReadFields {
  const problems: Record<string, string> = {};
  const read: [string, unknown][] = [];
  for (const field of fields) {
    const found = readField(field, values[field.name] ?? "");
    if ("problem" in found) problems[field.name] = found.problem;
    else if (found.value !== undefined) read.push([field.name, found.value]);
  }
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const isWhole = fields.length === 1 && fields[0]?.name === "";
  return { ok: true, value: isWhole ? read[0]?.[1] : Object.fromEntries(read) };
}

type Found = { readonly value: unknown } | { readonly problem: string };

function readField(field: Field, entered: string | boolean): Found {
  const { kind, required, default: usual, choices } = field;
  if (kind === "boolean") {
    const value = entered === true;
    return choices === undefined || choices.includes(value)
      ? { value }
      : { problem: value ? "Leave this open." : "Tick this to go on." };
  }
  const text = String(entered);
  // A text that was there and was taken out is an empty one; elsewhere nothing is nothing.
  const isCleared = (kind === "text" || kind === "multiline") && typeof usual === "string" && usual !== "";
  if (kind === "text" || kind === "multiline") {
    if (text !== "" || isCleared) return { value: text };
  } else if (text.trim() !== "") return parse(kind, text);
  return required && usual === undefined
    ? { problem: kind === "choice" ? "Choose one." : "Fill this in." }
    : { value: undefined };
}

function parse(kind: "number" | "integer" | "choice" | "json", text: string): Found {
  if (kind === "number" || kind === "integer") {
    const value = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;
    if (kind === "integer" && !Number.isSafeInteger(value)) return { problem: "Write a whole number." };
    return Number.isFinite(value) ? { value } : { problem: "Write a number." };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}.` };
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

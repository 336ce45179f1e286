import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import { describeValue } from "../expression/format-value.ts";
import { type Reference, references } from "../expression/references.ts";
import type { Value } from "../expression/value.ts";
import {
  checkDataType,
  type DataType,
  dataTypeNames,
  findDataType,
  isOneOf,
  mainDataTypeNames,
  suggestSpelling,
  writeValue,
} from "./data-type.ts";
import { MapReader } from "./map-reader.ts";
import { checkName } from "./names.ts";
import { compileValue, expressionsIn, type PlacedText, type ValueTemplate } from "./value-template.ts";
import type { InputDeclaration } from "./workflow-definition.ts";
import type { YamlEntry, YamlNode } from "./yaml-node.ts";

export const inputKeys = ["type", "description", "default", "required", "enum", "secret"] as const;

export function loadInputs(workflow: MapReader, report: Report): Map<string, InputDeclaration> {
  const inputs = new Map<string, InputDeclaration>();
  for (const entry of workflow.mapAt("inputs")?.entries ?? []) {
    inputs.set(entry.key, loadInput(entry, report));
  }
  return inputs;
}

function loadInput(entry: YamlEntry, report: Report): InputDeclaration {
  const { key: name, keyRange, value } = entry;
  const badName = checkName(
    name,
    "an input",
    /^[A-Za-z_][A-Za-z0-9_]*$/,
    "use letters, digits and _, not starting with a digit",
  );
  if (badName !== undefined) report({ code: "bad-name", level: "error", message: badName, range: keyRange });
  if (value.kind !== "map") {
    report({
      code: "wrong-type",
      level: "error",
      message: `Input '${name}' must be a map with at least a type.`,
      fix: `Write ${name}: { type: string, description: ... }.`,
      range: value.range,
    });
    return { name, type: "json", required: false, range: keyRange };
  }
  const reader = new MapReader(value, `input '${name}'`, report);
  reader.refuseUnknown(inputKeys);
  const type = readType(reader, report);
  const description = reader.text("description");
  if (description === undefined) {
    report({
      code: "missing-description",
      level: "warning",
      message: `Input '${name}' has no description.`,
      why: "People and models choose what to pass by it.",
      fix: "Add `description:`.",
      range: keyRange,
    });
  }
  const choices = readEnum(reader, type, report);
  const fallback = readDefault(reader, type, choices, report);
  const required = reader.boolean("required");
  if (required === true && fallback !== undefined) {
    report({
      code: "default-never-used",
      level: "warning",
      message: `Input '${name}' is required and has a default, which is never used.`,
      fix: "Remove `required: true` or the default.",
      range: keyRange,
    });
  }
  const secret = reader.boolean("secret") === true;
  if (secret) checkSecret(reader, type, report);
  return {
    name,
    type,
    ...(description === undefined ? {} : { description }),
    required: required ?? fallback === undefined,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(choices === undefined ? {} : { enum: choices }),
    ...(secret ? { secret } : {}),
    range: keyRange,
  };
}

/** What a secret is comes from outside and is known to nobody here. */
function checkSecret(reader: MapReader, type: DataType, report: Report): void {
  if (type !== "string") {
    const message = `${reader.what} is secret, and a secret is a text.`;
    const range = reader.node("type")?.range ?? reader.map.range;
    report({ code: "wrong-type", level: "error", message, fix: "Write `type: string`.", range });
  }
  for (const key of ["default", "enum"]) {
    const entry = reader.entry(key);
    if (entry === undefined) continue;
    const message = `${reader.what} is secret and can't have '${key}'.`;
    report({
      code: "secret-in-file",
      level: "error",
      message,
      why: "A secret comes from the environment, never from a file.",
      fix: `Remove '${key}'.`,
      range: entry.keyRange,
    });
  }
}

export function readType(reader: MapReader, report: Report): DataType {
  const name = reader.requiredText("type", "string");
  if (name === undefined) return "json";
  const type = findDataType(name);
  if (type !== undefined) return type;
  report({
    code: "unknown-type",
    level: "error",
    message: `There is no type '${name}'.`,
    fix: suggestName(name, dataTypeNames, "type", mainDataTypeNames),
    range: reader.node("type")?.range ?? reader.map.range,
  });
  return "json";
}

function readEnum(reader: MapReader, type: DataType, report: Report): Value[] | undefined {
  const list = reader.listAt("enum");
  if (list === undefined) return undefined;
  const values: Value[] = [];
  for (const item of list.items) {
    const compiled = compileValue(item, report);
    if (compiled.kind !== "literal") {
      report({
        code: "expression-not-allowed",
        level: "error",
        message: "'enum' takes plain values, no ${...}.",
        range: item.range,
      });
      continue;
    }
    const checked = checkDataType(compiled.value, type);
    if (checked.ok) values.push(checked.value);
    else
      report({
        code: "wrong-type",
        level: "error",
        message: `'enum' of ${reader.what}: ${checked.error}.`,
        ...spellingFix(compiled.value, type, item),
        range: item.range,
      });
  }
  if (values.length > 0) return values;
  report({ code: "empty-enum", level: "error", message: `'enum' of ${reader.what} has no values.`, range: list.range });
  return undefined;
}

function readDefault(
  reader: MapReader,
  type: DataType,
  choices: readonly Value[] | undefined,
  report: Report,
): ValueTemplate | undefined {
  const node = reader.node("default");
  if (node === undefined) return undefined;
  const value = compileValue(node, report);
  if (value.kind === "literal") {
    const checked = value.value === null && type !== "json" ? { ok: true as const } : checkDataType(value.value, type);
    if (!checked.ok) {
      report({
        code: "wrong-type",
        level: "error",
        message: `The default of ${reader.what}: ${checked.error}.`,
        ...spellingFix(value.value, type, node),
        range: node.range,
      });
    } else if (choices !== undefined && value.value !== null && !isOneOf(value.value, choices)) {
      report({
        code: "not-in-enum",
        level: "error",
        message: `The default of ${reader.what} can't be ${describeValue(value.value)}.`,
        fix: suggestName(writeValue(value.value), choices.map(writeValue), "value"),
        range: node.range,
      });
    }
  }
  for (const { expression, text } of expressionsIn(value)) {
    for (const reference of references(expression)) checkDefaultReference(reference, text, reader.what, report);
  }
  return value;
}

function spellingFix(value: Value, type: DataType, node: YamlNode): { readonly fix?: string } {
  const fix = suggestSpelling(value, type, node.kind === "scalar" ? node.written : undefined);
  return fix === undefined ? {} : { fix };
}

/** What a run knows of itself before it has begun. */
const earlyMetadata = ["workflow_name", "start_time", "run_id"];

function checkDefaultReference(reference: Reference, text: PlacedText, what: string, report: Report): void {
  const range = text.rangeOf(reference.start, reference.end);
  const field = reference.keys[0];
  if (reference.root !== "metadata") {
    report({
      code: "reference-not-allowed",
      level: "error",
      message: `The default of ${what} can't read ${reference.root}.`,
      why: "Defaults are filled in before anything else is known.",
      fix: "Use ${metadata.*} or a plain value.",
      range,
    });
  } else if (field !== undefined && !earlyMetadata.includes(String(field))) {
    report({
      code: "unknown-metadata",
      level: "error",
      message: `The default of ${what} can't read metadata.${field}.`,
      fix: suggestName(String(field), earlyMetadata, "field"),
      range,
    });
  }
}

import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Range } from "../diagnostic/source.ts";
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
import { flag, type PlainForm, text } from "./forms.ts";
import { type Keys, type LaterKey, readMap } from "./key.ts";
import { type KeyReader, MapReader } from "./map-reader.ts";
import { checkName } from "./names.ts";
import { compileValue, expressionsIn, type PlacedText, type ValueTemplate } from "./value-template.ts";
import type { InputDeclaration } from "./workflow-definition.ts";
import type { YamlEntry, YamlNode } from "./yaml-node.ts";

export const dataType: PlainForm<DataType | undefined> = {
  schema: { enum: dataTypeNames },
  read(at) {
    const name = at.text();
    const type = name === undefined ? undefined : findDataType(name);
    if (name === undefined || type !== undefined) return type;
    at.report({
      code: "unknown-type",
      level: "error",
      message: `There is no type '${name}'.`,
      fix: suggestName(name, dataTypeNames, "type", mainDataTypeNames),
      range: at.range,
    });
    return undefined;
  },
};

interface InputContext {
  readonly name: string;
  readonly nameRange: Range;
}

export const inputKeys: Keys<Omit<InputDeclaration, "name" | "range">, InputContext> = {
  type: {
    name: "type",
    docs: "What values it takes; `json` is any value",
    examples: ["string", "str"],
    required: true,
    schema: dataType.schema,
    read: (at, context, before) => dataType.read(at, context, before) ?? "json",
  },
  description: {
    name: "description",
    docs: "What it is for: people and models choose by it what to pass",
    examples: ["Where it lives"],
    schema: text.schema,
    read(at, { name, nameRange }) {
      const description = at.text();
      if (description !== undefined) return description;
      at.report({
        code: "missing-description",
        level: "warning",
        message: `Input '${name}' has no description.`,
        why: "People and models choose what to pass by it.",
        fix: "Add `description:`.",
        range: nameRange,
      });
      return undefined;
    },
  },
  enum: {
    name: "enum",
    docs: "The values it can have",
    examples: ["[staging, production]"],
    schema: { type: "array", minItems: 1 },
    read: (at, _, { type = "json" }) => readEnum(at, type),
  },
  default: {
    name: "default",
    docs: "Used when nothing is given; may use ${metadata.*}",
    examples: ['"."', "null", '"${metadata.run_id}"'],
    schema: {},
    read: (at, _, { type = "json", enum: choices }) => readDefault(at, type, choices),
  },
  required: {
    name: "required",
    docs: "Whether it has to be given; true unless there is a default",
    examples: ["false", "true"],
    schema: flag.schema,
    read(at, { name, nameRange }, { default: fallback }) {
      const required = at.boolean();
      if (required === true && fallback !== undefined) {
        at.report({
          code: "default-never-used",
          level: "warning",
          message: `Input '${name}' is required and has a default, which is never used.`,
          fix: "Remove `required: true` or the default.",
          range: nameRange,
        });
      }
      return required ?? fallback === undefined;
    },
  },
  secret: {
    name: "secret",
    docs: "Takes a secret, ${secrets.NAME}, from a calling workflow and from nobody else",
    examples: ["true"],
    schema: flag.schema,
    read(at, _, { type = "json" }) {
      if (at.boolean() !== true) return undefined;
      checkSecret(at.map, type);
      return true;
    },
  },
};

export const laterInputKeys: readonly LaterKey[] = [
  {
    names: ["pattern"],
    comesWith: "version 0.2",
    instead: "Until then, use `enum`, or ask in a condition: `regex_match(inputs.NAME, 'PATTERN')`.",
  },
  {
    names: ["minimum", "maximum"],
    comesWith: "version 0.2",
    instead: "Until then, use `enum`, or ask in a condition: `inputs.NAME <= 10`.",
  },
  {
    names: ["items"],
    comesWith: "version 0.2",
    instead: "Until then, say in `description` what the elements are.",
  },
];

export function loadInput({ key: name, keyRange, value }: YamlEntry, report: Report): InputDeclaration {
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
  const map = new MapReader(value, `input '${name}'`, report);
  const fields = readMap(inputKeys, map, { name, nameRange: keyRange }, laterInputKeys);
  return { name, ...fields, range: keyRange };
}

/** What a secret is comes from outside and is known to nobody here. */
function checkSecret(map: MapReader, type: DataType): void {
  if (type !== "string") {
    const message = `${map.what} is secret, and a secret is a text.`;
    const range = map.node("type")?.range ?? map.map.range;
    map.report({ code: "wrong-type", level: "error", message, fix: "Write `type: string`.", range });
  }
  for (const key of ["default", "enum"]) {
    const entry = map.entry(key);
    if (entry === undefined) continue;
    map.report({
      code: "secret-in-file",
      level: "error",
      message: `${map.what} is secret and can't have '${key}'.`,
      why: "A secret comes from the environment, never from a file.",
      fix: `Remove '${key}'.`,
      range: entry.keyRange,
    });
  }
}

function readEnum(at: KeyReader, type: DataType): Value[] | undefined {
  const { report } = at;
  const list = at.listAt();
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
        message: `'enum' of ${at.what}: ${checked.error}.`,
        ...spellingFix(compiled.value, type, item),
        range: item.range,
      });
  }
  if (values.length > 0) return values;
  report({ code: "empty-enum", level: "error", message: `'enum' of ${at.what} has no values.`, range: list.range });
  return undefined;
}

function readDefault(
  { node, what, report }: KeyReader,
  type: DataType,
  choices: readonly Value[] | undefined,
): ValueTemplate | undefined {
  if (node === undefined) return undefined;
  const value = compileValue(node, report);
  if (value.kind === "literal") {
    const checked = value.value === null && type !== "json" ? { ok: true as const } : checkDataType(value.value, type);
    if (!checked.ok) {
      report({
        code: "wrong-type",
        level: "error",
        message: `The default of ${what}: ${checked.error}.`,
        ...spellingFix(value.value, type, node),
        range: node.range,
      });
    } else if (choices !== undefined && value.value !== null && !isOneOf(value.value, choices)) {
      report({
        code: "not-in-enum",
        level: "error",
        message: `The default of ${what} can't be ${describeValue(value.value)}.`,
        fix: suggestName(writeValue(value.value), choices.map(writeValue), "value"),
        range: node.range,
      });
    }
  }
  for (const { expression, text } of expressionsIn(value)) {
    for (const reference of references(expression)) checkDefaultReference(reference, text, what, report);
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

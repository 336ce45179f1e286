import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Range } from "../diagnostic/source.ts";
import { type Reference, references } from "../expression/references.ts";
import type { DataType } from "./data-type.ts";
import { flag, text } from "./forms.ts";
import { type Keys, listKeys, mapSchema, readMap } from "./key.ts";
import { dataType, itemKeys, limitKeys, readItems, spellingFix } from "./load-limits.ts";
import { type KeyReader, MapReader } from "./map-reader.ts";
import { earlyMetadataFields } from "./metadata-fields.ts";
import { checkName } from "./names.ts";
import { findLimitProblems, type ValueLimits } from "./value-limits.ts";
import { compileValue, expressionsIn, type PlacedText, type ValueTemplate } from "./value-template.ts";
import type { InputDeclaration } from "./workflow-definition.ts";
import type { YamlEntry } from "./yaml-node.ts";

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
  ...limitKeys,
  items: {
    name: "items",
    docs: "What each element of a list is",
    examples: ["{ type: string, enum: [unit, e2e] }", "{ type: int, minimum: 0 }"],
    schema: (catalog) => mapSchema(listKeys(itemKeys), catalog),
    read: (at, _, { type }) => readItems(at, type),
  },
  default: {
    name: "default",
    docs: "Used when nothing is given; may use ${metadata.*}",
    examples: ['"."', "null", '"${metadata.run_id}"'],
    schema: {},
    read: (at, _, { type = "json", ...before }) => readDefault(at, { type, ...before }),
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
  const fields = readMap(inputKeys, map, { name, nameRange: keyRange });
  return { name, ...fields, range: keyRange };
}

/** What a secret is comes from outside and is known to nobody here. */
function checkSecret(map: MapReader, type: DataType): void {
  if (type !== "string") {
    const message = `${map.what} is secret, and a secret is a text.`;
    const range = map.node("type")?.range ?? map.map.range;
    map.report({ code: "wrong-type", level: "error", message, fix: "Write `type: string`.", range });
  }
  for (const key of ["default", "enum", "pattern"]) {
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

function readDefault({ node, what, report }: KeyReader, limits: ValueLimits): ValueTemplate | undefined {
  if (node === undefined) return undefined;
  const value = compileValue(node, report);
  if (value.kind === "literal" && (value.value !== null || limits.type === "json")) {
    for (const problem of findLimitProblems(`The default of ${what}`, value.value, limits)) {
      const spelling = problem.code === "wrong-type" ? spellingFix(value.value, limits.type, node) : {};
      report({ ...problem, ...spelling, level: "error", range: node.range });
    }
  }
  for (const { expression, text } of expressionsIn(value)) {
    for (const reference of references(expression)) checkDefaultReference(reference, text, what, report);
  }
  return value;
}

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
  } else if (field !== undefined && !earlyMetadataFields.includes(String(field))) {
    report({
      code: "unknown-metadata",
      level: "error",
      message: `The default of ${what} can't read metadata.${field}.`,
      fix: suggestName(String(field), earlyMetadataFields, "field"),
      range,
    });
  }
}

import { suggestName } from "../diagnostic/did-you-mean.ts";
import { explainPattern } from "../expression/find-pattern.ts";
import type { Value } from "../expression/value.ts";
import {
  type DataType,
  dataTypeNames,
  describeDataType,
  findDataType,
  mainDataTypeNames,
  suggestSpelling,
} from "./data-type.ts";
import type { PlainForm } from "./forms.ts";
import { type Keys, readMap } from "./key.ts";
import { type KeyReader, MapReader } from "./map-reader.ts";
import { findLimitProblems, type ValueLimits } from "./value-limits.ts";
import { compileValue } from "./value-template.ts";
import type { YamlNode } from "./yaml-node.ts";

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

/** The limits of one value; those of a list's elements are said by `items`. */
type OwnLimits = Omit<ValueLimits, "items">;

/** Those beside the type. Each is held against the ones before it, and a default against all. */
export const limitKeys: Keys<Omit<OwnLimits, "type">> = {
  pattern: {
    name: "pattern",
    docs: "A regular expression of RE2's that a text has to match as a whole",
    examples: ["v?[0-9]+(\\.[0-9]+)*"],
    schema: { type: "string" },
    read(at, _, before: Partial<ValueLimits>) {
      const pattern = at.text();
      if (pattern === undefined || !isFor(at, before.type, ["string"])) return undefined;
      const wrong = explainPattern(pattern);
      if (wrong === undefined) return pattern;
      at.report({ code: "invalid-pattern", level: "error", message: `${what(at)}: ${wrong}`, range: at.range });
      return undefined;
    },
  },
  minimum: {
    name: "minimum",
    docs: "The least number it can be",
    examples: ["0", "0.5"],
    schema: { type: "number" },
    read: (at, _, { type }: Partial<ValueLimits>) => readBound(at, type),
  },
  maximum: {
    name: "maximum",
    docs: "The greatest number it can be",
    examples: ["65535"],
    schema: { type: "number" },
    read(at, _, { type, minimum }: Partial<ValueLimits>) {
      const maximum = readBound(at, type);
      if (maximum === undefined || minimum === undefined || minimum <= maximum) return maximum;
      at.report({
        code: "empty-range",
        level: "error",
        message: `${what(at)} is less than its minimum, ${minimum}: no number is left.`,
        fix: "Exchange them.",
        range: at.range,
      });
      return undefined;
    },
  },
  enum: {
    name: "enum",
    docs: "The values it can have",
    examples: ["[staging, production]"],
    schema: { type: "array", minItems: 1 },
    read: (at, _, { type = "json", ...before }: Partial<ValueLimits>) => readEnum(at, { type, ...before }),
  },
};

export const itemKeys: Keys<OwnLimits> = {
  type: {
    name: "type",
    docs: "What values the elements are",
    examples: ["string", "int"],
    required: true,
    schema: dataType.schema,
    read: (at, context, before) => dataType.read(at, context, before) ?? "json",
  },
  ...limitKeys,
};

export function readItems(at: KeyReader, type: DataType | undefined): ValueLimits | undefined {
  const { node } = at;
  if (node?.kind === "scalar" && node.value !== null)
    return at.wrongType("a map", `Write \`items: { type: ${node.written} }\`.`);
  const map = at.mapAt();
  if (map === undefined || !isFor(at, type, ["array"])) return undefined;
  return readMap(itemKeys, new MapReader(map, `the items of ${at.what}`, at.report), undefined);
}

function readBound(at: KeyReader, type: DataType | undefined): number | undefined {
  const { node } = at;
  if (node === undefined) return undefined;
  if (node.kind !== "scalar" || typeof node.value !== "number") return at.wrongType("a number");
  return isFor(at, type, ["integer", "number"]) ? node.value : undefined;
}

/** Whether a limit means anything for the type; it would check nothing otherwise. */
function isFor(at: KeyReader, type: DataType | undefined, types: readonly DataType[]): boolean {
  if (type !== undefined && types.includes(type)) return true;
  const kinds = types.map(describeDataType).join(" or ");
  at.report({
    code: "limit-of-other-type",
    level: "error",
    message: `${what(at)} is for ${kinds}, and its type is ${type ?? "unknown"}.`,
    fix: `Write \`type: ${types[0]}\`, or remove '${at.name}'.`,
    range: at.entry?.keyRange ?? at.range,
  });
  return false;
}

function what(at: KeyReader): string {
  return `'${at.name}' of ${at.what}`;
}

function readEnum(at: KeyReader, limits: ValueLimits): Value[] | undefined {
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
    const problems = findLimitProblems(what(at), compiled.value, limits);
    if (problems.length === 0) values.push(compiled.value);
    for (const problem of problems) {
      const spelling = problem.code === "wrong-type" ? spellingFix(compiled.value, limits.type, item) : {};
      report({ ...problem, ...spelling, level: "error", range: item.range });
    }
  }
  if (values.length > 0) return values;
  report({ code: "empty-enum", level: "error", message: `${what(at)} has no values.`, range: list.range });
  return undefined;
}

export function spellingFix(value: Value, type: DataType, node: YamlNode): { readonly fix?: string } {
  const fix = suggestSpelling(value, type, node.kind === "scalar" ? node.written : undefined);
  return fix === undefined ? {} : { fix };
}

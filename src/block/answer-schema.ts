import { createRequire } from "node:module";
import { nearestName } from "../diagnostic/did-you-mean.ts";
import { isList, isMap, type Value, type ValueMap } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";

/** Says what is wrong with an answer, each problem with its place in it; nothing when it fits. */
export type AnswerCheck = (answer: Value) => readonly string[];

/** A JSON Schema ready to check answers with, or why it can't be one. */
export function compileAnswerSchema(schema: ValueMap): Result<AnswerCheck, string> {
  const problem = findProblem(schema, "schema");
  if (problem !== undefined) return err(problem);
  const { Validator } = loadValidator();
  const validator = new Validator(JSON.parse(JSON.stringify(schema)), "2020-12", false);
  return ok((answer) => explain(validator.validate(answer).errors));
}

type JsonSchemaModule = typeof import("@cfworker/json-schema");

// Few workflows ask for an answer of a certain shape, so the validator is loaded for the first that does.
function loadValidator(): JsonSchemaModule {
  return createRequire(import.meta.url)("@cfworker/json-schema") as JsonSchemaModule;
}

interface SchemaError {
  readonly instanceLocation: string;
  readonly keyword: string;
  readonly error: string;
}

/** Keywords that only say that something inside them does not fit. */
const echoes: ReadonlySet<string> = new Set([
  "properties",
  "items",
  "prefixItems",
  "additionalProperties",
  "$ref",
  "allOf",
]);

function explain(errors: readonly SchemaError[]): string[] {
  const causes = errors.filter(({ keyword }) => !echoes.has(keyword));
  return (causes.length > 0 ? causes : errors).map(({ instanceLocation, keyword, error }) => {
    const place = instanceLocation
      .replace(/^#/, "")
      .replaceAll(/\/(\d+)/g, "[$1]")
      .replaceAll("/", ".");
    return `answer${place} ${inWords(keyword, error)}`;
  });
}

const typeWords: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  null: "nothing",
};

/** The validator's sentences in the words the rest of Frond uses. */
function inWords(keyword: string, error: string): string {
  const quoted = [...error.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? "");
  if (keyword === "type")
    return `must be ${quoted
      .slice(1)
      .map((type) => typeWords[type] ?? type)
      .join(" or ")}`;
  if (keyword === "false") return "is not asked for: leave it out";
  if (keyword === "required") return `needs '${quoted[0]}'`;
  if (keyword === "enum") return `must be one of ${error.replace(/^.*any of /, "").replace(/\.$/, "")}`;
  if (keyword === "minimum" || keyword === "maximum") {
    return `must be at ${keyword === "minimum" ? "least" : "most"} ${error.replace(/^.* than /, "").replace(/\.$/, "")}`;
  }
  return `does not fit: ${error.replace(/\.$/, "")}`;
}

/** Keywords that are understood, by what they hold. What is not understood is refused, for it would check nothing. */
const keywords = {
  schema: ["additionalProperties", "items", "contains", "not", "if", "then", "else", "propertyNames"],
  schemas: ["allOf", "anyOf", "oneOf", "prefixItems"],
  schemaMaps: ["properties", "$defs", "definitions", "dependentSchemas"],
  plain: [
    ...[
      "type",
      "enum",
      "const",
      "required",
      "minimum",
      "maximum",
      "exclusiveMinimum",
      "exclusiveMaximum",
      "multipleOf",
    ],
    ...["minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains"],
    ...["minProperties", "maxProperties", "dependentRequired", "format", "$ref"],
    ...[
      "title",
      "description",
      "default",
      "examples",
      "deprecated",
      "readOnly",
      "writeOnly",
      "$schema",
      "$id",
      "$comment",
    ],
  ],
} as const;
const known: readonly string[] = Object.values(keywords).flat();
const types: readonly Value[] = ["string", "number", "integer", "boolean", "array", "object", "null"];

function findProblem(schema: Value, place: string): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isMap(schema)) return `${place} must be a map`;
  for (const [keyword, value] of Object.entries(schema)) {
    const problem = findKeywordProblem(keyword, value, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findKeywordProblem(keyword: string, value: Value, place: string): string | undefined {
  const inner = `${place}.${keyword}`;
  // Patterns would run on the built-in engine, where a hostile one can take for ever.
  if (keyword === "pattern" || keyword === "patternProperties") {
    return `'${keyword}' is not supported: check the answer with regex_match in a condition instead`;
  }
  if (!known.includes(keyword)) {
    const nearest = nearestName(keyword, known);
    return `${place} has no keyword '${keyword}'${nearest === undefined ? "" : `; did you mean '${nearest}'?`}`;
  }
  if (keyword === "type" && !(isList(value) ? value : [value]).every((type) => types.includes(type))) {
    return `${inner} must be one of ${types.join(", ")}`;
  }
  if (keyword === "$ref" && !(typeof value === "string" && value.startsWith("#"))) {
    return `${inner} can only refer to the schema itself (#/$defs/...)`;
  }
  if (isAmong(keywords.schema, keyword)) return findProblem(value, inner);
  if (isAmong(keywords.schemas, keyword)) {
    if (!isList(value)) return `${inner} must be a list`;
    return value.map((item, index) => findProblem(item, `${inner}[${index}]`)).find((problem) => problem !== undefined);
  }
  if (!isAmong(keywords.schemaMaps, keyword)) return undefined;
  if (!isMap(value)) return `${inner} must be a map`;
  return Object.entries(value)
    .map(([name, item]) => findProblem(item, `${inner}.${name}`))
    .find((problem) => problem !== undefined);
}

function isAmong(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

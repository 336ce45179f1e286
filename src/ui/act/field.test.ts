import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PageField as Field } from "../../views/page/act-records.ts";
import { fieldsOfSchema } from "../../views/page/fields-of-schema.ts";
import { fillFields, readFields } from "./field.ts";

interface Fitting {
  readonly schema: Record<string, unknown>;
  readonly value: unknown;
}

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const integer = fc.maxSafeInteger();
/** Nothing is nothing: an empty text that is needed can't be told from one that is missing. */
const text = fc.string({ minLength: 1, unit: "grapheme" });
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

/** A schema, and a value that fits it. */
const fitting: fc.Arbitrary<Fitting> = fc.oneof(
  text.map((value) => ({ schema: { type: "string" }, value })),
  text.map((value) => ({ schema: { type: "string", maxLength: 100_000, title: "Reason" }, value })),
  number.map((value) => ({ schema: { type: "number" }, value })),
  integer.map((value) => ({ schema: { type: "integer", minimum: value }, value })),
  fc.boolean().map((value) => ({ schema: { type: "boolean" }, value })),
  fc.constant({ schema: { type: "boolean", const: true }, value: true }),
  fc
    .uniqueArray(json, { minLength: 1, maxLength: 6, selector: (value) => JSON.stringify(value) })
    .chain((choices) => fc.constantFrom(...choices).map((value) => ({ schema: { enum: choices }, value }))),
  fc.array(json).map((value) => ({ schema: { type: "array" }, value })),
  fc.dictionary(fc.string(), json).map((value) => ({ schema: { type: "object" }, value: { ...value } })),
  json.map((value) => ({ schema: {}, value })),
  json.map((value) => ({ schema: { anyOf: [{ type: "string" }, {}] }, value })),
  fc.option(text, { nil: null }).map((value) => ({ schema: { type: ["string", "null"] }, value })),
);

const properties = fc.dictionary(
  fc.string({ minLength: 1 }).filter((name) => name !== "__proto__"),
  fc.record({ is: fitting, isNeeded: fc.boolean(), isGiven: fc.boolean(), hasDefault: fc.boolean(), other: fc.nat() }),
  { minKeys: 1, maxKeys: 5 },
);

/** A map of these: what is not needed may be left out, unless it has a default, which would be there then. */
const map: fc.Arbitrary<Fitting> = properties.map((parts) => {
  const entries = Object.entries(parts);
  const isThere = ({ isNeeded, isGiven, hasDefault }: (typeof parts)[string]): boolean =>
    isNeeded || isGiven || hasDefault;
  return {
    schema: {
      type: "object",
      additionalProperties: false,
      required: entries.filter(([, { isNeeded }]) => isNeeded).map(([name]) => name),
      properties: Object.fromEntries(
        entries.map(([name, { is, hasDefault }]) => [
          name,
          hasDefault && is.value !== "" ? { ...is.schema, default: is.value } : is.schema,
        ]),
      ),
    },
    value: Object.fromEntries(entries.filter(([, part]) => isThere(part)).map(([name, { is }]) => [name, is.value])),
  };
});

describe("fields of a schema", () => {
  test("any value that fits the schema can be entered and read back", () => {
    fc.assert(
      fc.property(fc.oneof(fitting, map), ({ schema, value }) => {
        expect(new Validator(schema, "2020-12").validate(value).valid).toBe(true);
        const fields = fieldsOfSchema(schema);
        expect(readFields(fields, fillFields(fields, value))).toEqual({ ok: true, value });
      }),
      { numRuns: 500 },
    );
  });

  test("defaults stand there before anybody enters something", () => {
    const schema = {
      properties: { environment: { enum: ["staging", "production"], default: "staging" }, dry: { type: "boolean" } },
      required: ["environment", "dry"],
    };
    const fields = fieldsOfSchema(schema);
    expect(readFields(fields, fillFields(fields))).toEqual({ ok: true, value: { environment: "staging", dry: false } });
  });

  test("the default of the question counts for each of its fields", () => {
    const fields = fieldsOfSchema({ properties: { who: { type: "string" } } }, undefined, { who: "Ada" });
    expect(fillFields(fields)).toEqual({ who: "Ada" });
  });

  test("without a schema there is one field: a text, or the choices", () => {
    expect(fieldsOfSchema(undefined)).toMatchObject([{ name: "", kind: "multiline", required: true }]);
    expect(fieldsOfSchema(undefined, ["yes", "no"])).toMatchObject([{ name: "", kind: "choice" }]);
  });

  test("a field is named as people write it, and a box by what is ticked", () => {
    const schema = {
      properties: { dry_run: { type: "string" }, looked: { type: "boolean", description: "I have looked" } },
      required: ["looked"],
    };
    expect(fieldsOfSchema(schema).map(({ label }) => label)).toEqual(["Dry run", "I have looked"]);
  });

  test("limits are told in words", () => {
    const schema = {
      properties: {
        count: { type: "integer", minimum: 1, maximum: 9 },
        names: { type: "array", items: { type: "string" }, minItems: 2 },
      },
    };
    expect(fieldsOfSchema(schema).map(({ limits }) => limits)).toEqual([
      "1 to 9",
      "a list of texts, as JSON, at least 2 elements",
    ]);
  });
});

describe("reading fields", () => {
  const read = (kind: Field["kind"], entered: string | boolean, more: Partial<Field> = {}) =>
    readFields([{ name: "it", label: "It", kind, required: true, ...more }], { it: entered });

  test.each([
    ["text", "", "Fill this in."],
    ["choice", "", "Choose one."],
    ["number", "two", "Write a number."],
    ["number", "0x10", "Write a number."],
    ["number", "1e999", "Write a number."],
    ["integer", "1.5", "Write a whole number."],
  ] as const)("a %s with '%s' in it has a problem", (kind, entered, problem) => {
    expect(read(kind, entered)).toEqual({ ok: false, problems: { it: problem } });
  });

  test("JSON that can't be read says why", () => {
    expect(read("json", "{")).toMatchObject({ problems: { it: expect.stringMatching(/^This is not JSON: /) } });
  });

  test("a box that has to be ticked says so", () => {
    const more = { choices: [true] };
    expect(read("boolean", false, more)).toEqual({ ok: false, problems: { it: "Tick this to go on." } });
    expect(read("boolean", true, more)).toEqual({ ok: true, value: { it: true } });
  });

  test("what is optional and left empty is left out; a default that is taken out of a text is an empty text", () => {
    expect(read("text", "", { required: false })).toEqual({ ok: true, value: {} });
    expect(read("json", " ", { required: false })).toEqual({ ok: true, value: {} });
    expect(read("text", "", { default: "main" })).toEqual({ ok: true, value: { it: "" } });
  });
});

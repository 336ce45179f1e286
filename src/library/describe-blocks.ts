import type { Catalog } from "../block/catalog.ts";
import type { BlockType, DefaultRetry, UndoOfType } from "../block/define-block.ts";
import { formatSeconds } from "../definition/duration.ts";
import { expressionSchema } from "../definition/forms.ts";
import { table } from "../util/markdown-table.ts";
import { blockTypeSchema } from "./json-schema.ts";

interface Property {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: string;
  readonly anyOf?: readonly Property[];
  readonly oneOf?: readonly Properties[];
  readonly items?: Property;
}

interface Properties {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

/** The block types as a page of Markdown, made from the objects themselves. `example` gives a workflow that shows a type. */
export function describeBlockTypes(catalog: Catalog, example: (type: string) => string | undefined): string {
  const types = [...catalog.types].sort((one, other) => (one.type < other.type ? -1 : 1));
  return [
    "# Block types",
    "Any input can be given by an expression, `${...}`. Besides its own inputs every block takes `condition`, `depends_on`, `for_each`, `repeat`, `retry`, `expect`, `timeout`, `on_failure`, `undo` and `on_interrupted`: see [language.md](language.md). A file block keeps what it replaces or removes with the run, up to 50 MB a file, so that it can be undone: see [undo.md](undo.md).",
    table(
      ["type", "what it does"],
      types.map(({ type, summary }) => [`[${type}](#${type.toLowerCase()})`, summary]),
    ),
    ...types.map((type) => describeBlockType(type, example(type.type))),
    "",
  ].join("\n\n");
}

/** All that a block type takes and gives. */
export function describeBlockType(type: BlockType, example: string | undefined): string {
  const { properties } = blockTypeSchema(type) as { properties: { inputs: Properties; outputs: Properties } };
  const outputs = Object.entries(properties.outputs.properties ?? {});
  return [
    `## ${type.type}`,
    type.summary,
    describeTraits(type),
    table(["input", "type", "default", ""], describeFields(properties.inputs)),
    ...Object.entries(properties.inputs.properties ?? {}).flatMap(([name, property]) => describeForms(name, property)),
    ...(outputs.length === 0
      ? []
      : [
          table(
            ["output", "type", ""],
            outputs.map(([name, property]) => [`\`${name}\``, describeProperty(property), property.description ?? ""]),
          ),
        ]),
    ...(example === undefined ? [] : [`\`\`\`yaml\n${example.trimEnd()}\n\`\`\``]),
  ].join("\n\n");
}

function describeFields({ properties = {}, required = [] }: Properties): string[][] {
  return Object.entries(properties).map(([name, property]) => [
    `\`${name}\``,
    describeProperty(property),
    property.default === undefined ? (required.includes(name) ? "required" : "") : code(property.default),
    property.description ?? "",
  ]);
}

/** What the elements of an input can be, where they are maps told apart by their `type`. */
function describeForms(name: string, property: Property): string[] {
  const forms = findForms(property);
  if (forms.length === 0) return [];
  const rows = forms.flatMap(({ properties: { type, ...properties } = {}, required = [] }) => {
    const fields = describeFields({ properties, required });
    return fields.map((cells, index) => [index === 0 ? `\`${type?.const}\`` : "", ...cells]);
  });
  return [`Each of \`${name}\` is one of these:`, table(["`type`", "with", "type", "default", ""], rows)];
}

function findForms({ anyOf = [], oneOf = [], items }: Property): readonly Properties[] {
  return [...oneOf, ...anyOf.flatMap(findForms), ...(items === undefined ? [] : findForms(items))];
}

const undoWords: Readonly<Record<UndoOfType, string>> = {
  not_needed: "nothing to undo",
  automatic: "automatic",
  irreversible: "by `undo:` alone",
};

function describeUndo({ undo, effects, behaviour }: BlockType): string {
  if (behaviour.kind === "nested") return "by the blocks in it";
  if (effects === true) return "as its `effects` says";
  return typeof undo === "function" ? "by its inputs" : undoWords[undo];
}

function describeTraits(type: BlockType): string {
  const { aliases = [], capabilities, pure = false, onInterrupted, defaultTimeout, defaultRetry } = type;
  const rule = typeof onInterrupted === "string" ? `\`${onInterrupted}\`` : "by its inputs";
  const traits = [
    ...(aliases.length === 0 ? [] : [`Also called ${aliases.map((name) => `\`${name}\``).join(", ")}.`]),
    `Touches: ${capabilities.length === 0 ? "nothing" : capabilities.join(", ")}.`,
    ...(pure === false ? [] : [pure === true ? "Only computes." : "Only computes where it touches no file."]),
    `When interrupted: ${rule}.`,
    `Undo: ${describeUndo(type)}.`,
    ...(defaultTimeout === undefined ? [] : [`Time limit: ${formatSeconds(defaultTimeout)} unless it says otherwise.`]),
    ...(defaultRetry === undefined ? [] : [describeRetry(defaultRetry)]),
  ];
  return traits.join(" ");
}

function describeRetry({ attempts, delay, statusCodes = [], messages = [] }: DefaultRetry): string {
  const reasons = [...statusCodes.map((code) => `http:${code}`), ...messages]
    .map((on) => JSON.stringify(on))
    .join(", ");
  return `Tried again as with \`retry: { attempts: ${attempts}, delay: ${delay}s, on: [${reasons}] }\` unless it has a \`retry\` of its own.`;
}

function describeProperty({ type, enum: choices, anyOf }: Property): string {
  if (choices !== undefined) return choices.map((choice) => `\`${String(choice)}\``).join(", ");
  if (typeof type === "string") return type;
  if (type !== undefined) return type.join(" or ");
  const ways = (anyOf ?? []).filter((way) => way !== expressionSchema);
  const kinds = new Set(ways.map(describeProperty));
  return ways.length === 0 ? "any" : [...kinds].join(" or ");
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

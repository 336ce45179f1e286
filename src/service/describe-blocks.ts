import type { Catalog } from "../block/catalog.ts";
import type { BlockType } from "../block/define-block.ts";
import { formatSeconds } from "../definition/duration.ts";
import { blockTypeSchema } from "./json-schema.ts";

interface Property {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Property[];
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
    "Inputs without a default are required unless the text says otherwise. Besides its own inputs every block takes `condition`, `depends_on`, `for_each`, `timeout` and `on_interrupted`: see [language.md](language.md).",
    table(
      ["type", "what it does"],
      types.map(({ type, summary }) => [`[${type}](#${type.toLowerCase()})`, summary]),
    ),
    ...types.map((type) => describeType(type, example(type.type))),
    "",
  ].join("\n\n");
}

function describeType(type: BlockType, example: string | undefined): string {
  const { properties } = blockTypeSchema(type) as { properties: { inputs: Properties; outputs: Properties } };
  const outputs = Object.entries(properties.outputs.properties ?? {});
  return [
    `## ${type.type}`,
    type.summary,
    describeTraits(type),
    table(
      ["input", "type", "default", ""],
      Object.entries(properties.inputs.properties ?? {}).map(([name, property]) => [
        `\`${name}\``,
        describeProperty(property),
        property.default === undefined ? "" : `\`${JSON.stringify(property.default)}\``,
        property.description ?? "",
      ]),
    ),
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

function describeTraits({ aliases = [], capabilities, undo, onInterrupted, defaultTimeout }: BlockType): string {
  const rule = typeof onInterrupted === "string" ? `\`${onInterrupted}\`` : "by its inputs";
  const traits = [
    ...(aliases.length === 0 ? [] : [`Also called ${aliases.map((name) => `\`${name}\``).join(", ")}.`]),
    `Touches: ${capabilities.length === 0 ? "nothing" : capabilities.join(", ")}.`,
    `Undo: ${undo.replaceAll("_", " ")}.`,
    `When interrupted: ${rule}.`,
    ...(defaultTimeout === undefined ? [] : [`Time limit: ${formatSeconds(defaultTimeout)} unless it says otherwise.`]),
  ];
  return traits.join(" ");
}

function describeProperty({ type, enum: choices, anyOf }: Property): string {
  if (choices !== undefined) return choices.map((choice) => `\`${String(choice)}\``).join(", ");
  if (typeof type === "string") return type;
  if (type !== undefined) return type.join(" or ");
  const kinds = new Set((anyOf ?? []).map(describeProperty).filter((kind) => kind !== ""));
  return [...kinds].join(" or ");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

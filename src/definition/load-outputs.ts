import { defined } from "../util/defined.ts";
import { text } from "./forms.ts";
import { type Key, type Keys, listKeys, mapSchema, readMap } from "./key.ts";
import { dataType } from "./load-limits.ts";
import { MapReader } from "./map-reader.ts";
import { checkName } from "./names.ts";
import { compileExpression, compileValue, type FileReport, placedText, wholeCondition } from "./value-template.ts";
import type { OutputDeclaration, WorkflowDefinition } from "./workflow-definition.ts";
import type { YamlEntry, YamlNode } from "./yaml-node.ts";

interface DeclaredOutput extends Pick<OutputDeclaration, "type" | "description"> {
  readonly content: OutputValue;
}

export const outputKeys: Keys<DeclaredOutput> = {
  type: {
    name: "type",
    docs: "What it is; converted where that loses nothing",
    examples: ["integer", "bool"],
    ...dataType,
  },
  content: {
    name: "value",
    docs: "A value with expressions; one that is a comparison as a whole gives true or false",
    examples: ['"${blocks.count.stdout}"', "[1, 2]"],
    schema: {},
    read(at, _, { type }) {
      const node = at.node as YamlNode;
      return type === "boolean" ? booleanValue(node, at.report) : plainValue(node, at.report);
    },
  },
  description: { name: "description", docs: "What it is for", examples: ["Lines of code"], ...text },
};

/** What a workflow gives, and a block that holds blocks. */
export const outputs: Key<WorkflowDefinition["outputs"]> = {
  name: "outputs",
  docs: "What the workflow gives",
  examples: ['{ passed: "${blocks.test.succeeded}" }', '{ lines: { value: "${blocks.count.stdout}", type: integer } }'],
  schema: (catalog) => {
    // A map without `value` is a value itself, whatever its keys are.
    const { additionalProperties: _, ...declared } = mapSchema(listKeys(outputKeys), catalog);
    const plain = { type: ["string", "number", "boolean", "array", "null"] };
    return { type: "object", additionalProperties: { anyOf: [plain, declared] } };
  },
  read: (at) => new Map(at.mapAt()?.entries.map((entry) => [entry.key, loadOutput(entry, at.report)])),
};

function loadOutput({ key: name, keyRange: range, value: node }: YamlEntry, report: FileReport): OutputDeclaration {
  const badName = checkName(name, "an output", /^[A-Za-z_][A-Za-z0-9_-]*$/, "use letters, digits, _ and -");
  if (badName !== undefined) report({ code: "bad-name", level: "error", message: badName, range });
  const declared = node.kind === "map" && node.entries.some((entry) => entry.key === "value");
  if (!declared) return { name, ...plainValue(node, report), range };
  const { content, ...rest } = readMap(outputKeys, new MapReader(node, `output '${name}'`, report), undefined);
  return { name, ...content, ...rest, range };
}

type OutputValue = Pick<OutputDeclaration, "value" | "condition">;

function plainValue(node: YamlNode, report: FileReport): OutputValue {
  const condition = wholeCondition(node, report);
  return { value: compileValue(node, report), ...defined({ condition }) };
}

/** Declared as true or false: the text is an expression, with or without `${}`. */
function booleanValue(node: YamlNode, report: FileReport): OutputValue {
  if (node.kind !== "scalar" || typeof node.value !== "string") return { value: compileValue(node, report) };
  const text = placedText(node);
  const expression = compileExpression(text, report);
  const value = { kind: "literal", value: node.value, range: node.range } as const;
  return { value, ...(expression === undefined ? {} : { condition: { expression, text } }) };
}

import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { Expression } from "../expression/ast.ts";
import { parseExpression } from "../expression/parse-expression.ts";
import { readType } from "./load-inputs.ts";
import { MapReader } from "./map-reader.ts";
import { checkName } from "./names.ts";
import { compileValue, placedText, reportSyntax } from "./value-template.ts";
import type { OutputDeclaration, PlacedExpression } from "./workflow-definition.ts";
import type { YamlEntry, YamlNode } from "./yaml-node.ts";

export const outputKeys = ["value", "type", "description"] as const;

export function loadOutputs(workflow: MapReader, report: Report): Map<string, OutputDeclaration> {
  const outputs = new Map<string, OutputDeclaration>();
  for (const entry of workflow.mapAt("outputs")?.entries ?? []) {
    const badName = checkName(entry.key, "an output", /^[A-Za-z_][A-Za-z0-9_-]*$/, "use letters, digits, _ and -");
    if (badName !== undefined) report({ code: "bad-name", level: "error", message: badName, range: entry.keyRange });
    outputs.set(entry.key, loadOutput(entry, report));
  }
  return outputs;
}

function loadOutput({ key: name, keyRange: range, value: node }: YamlEntry, report: Report): OutputDeclaration {
  const declared = node.kind === "map" && node.entries.some((entry) => entry.key === "value");
  if (!declared) return { name, ...plainValue(node, report), range };
  const reader = new MapReader(node, `output '${name}'`, report);
  reader.refuseUnknown(outputKeys);
  const valueNode = reader.node("value") as YamlNode;
  const type = reader.node("type") === undefined ? undefined : readType(reader, report);
  const description = reader.text("description");
  return {
    name,
    ...(type === "boolean" ? booleanValue(valueNode, report) : plainValue(valueNode, report)),
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    range,
  };
}

type OutputValue = Pick<OutputDeclaration, "value" | "condition">;

function plainValue(node: YamlNode, report: Report): OutputValue {
  const condition = wholeCondition(node);
  return { value: compileValue(node, report), ...(condition === undefined ? {} : { condition }) };
}

/** Declared as true or false: the text is an expression, with or without `${}`. */
function booleanValue(node: YamlNode, report: Report): OutputValue {
  if (node.kind !== "scalar" || typeof node.value !== "string") return { value: compileValue(node, report) };
  const text = placedText(node);
  const parsed = parseExpression(node.value);
  if (!parsed.ok) reportSyntax(parsed.error, text, report);
  const value = { kind: "literal", value: node.value, range: node.range } as const;
  return { value, ...(parsed.ok ? { condition: { expression: parsed.value, text } } : {}) };
}

const conditionKinds: ReadonlySet<Expression["kind"]> = new Set(["comparison", "logical", "not"]);

/** `${a} == 0` or `${x.succeeded} and ${y.succeeded}`: a text that as a whole asks a question. */
function wholeCondition(node: YamlNode): PlacedExpression | undefined {
  if (node.kind !== "scalar" || typeof node.value !== "string" || !node.value.includes("${")) return undefined;
  const parsed = parseExpression(node.value);
  if (!parsed.ok || !conditionKinds.has(parsed.value.kind)) return undefined;
  return { expression: parsed.value, text: placedText(node) };
}

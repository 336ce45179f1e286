import type { Catalog } from "../block/catalog.ts";
import {
  type BlockType,
  type FileOutputType,
  fileOutputTypes,
  type OnInterrupted,
  onInterruptedChoices,
} from "../block/define-block.ts";
import type { SandboxLimits } from "../block/sandbox.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Range } from "../diagnostic/source.ts";
import { parseExpression } from "../expression/parse-expression.ts";
import type { Value } from "../expression/value.ts";
import { parseDuration, suggestDuration } from "./duration.ts";
import { explainBlockKey, explainDependencyKey } from "./foreign-keys.ts";
import { loadBlockInputs } from "./load-block-inputs.ts";
import { readSandbox } from "./load-sandbox.ts";
import { firstLine, type LaterKeys, MapReader } from "./map-reader.ts";
import { checkName } from "./names.ts";
import { compileValue, placedText, reportSyntax, type ValueTemplate } from "./value-template.ts";
import type {
  BlockDefinition,
  Dependency,
  FileOutputDeclaration,
  ForEach,
  PlacedExpression,
  Timeout,
} from "./workflow-definition.ts";
import { describeNode, type YamlEntry, type YamlNode } from "./yaml-node.ts";

export const blockKeys = [
  "id",
  "type",
  "description",
  "inputs",
  "depends_on",
  "condition",
  "outputs",
  "for_each",
  "for_each_mode",
  "max_parallel",
  "on_error",
  "timeout",
  "on_interrupted",
  "sandbox",
] as const;

const laterBlockKeys: LaterKeys = {
  retry: "undo, plans and budgets",
  retries: "undo, plans and budgets",
  expect: "undo, plans and budgets",
  on_failure: "undo, plans and budgets",
  undo: "undo, plans and budgets",
  effects: "undo, plans and budgets",
  writes: "undo, plans and budgets",
  commit_point: "undo, plans and budgets",
  cost: "undo, plans and budgets",
  runs_on: "many machines",
  workspace: "many machines",
};

/** The block, or its id when that is all that can be read of it. */
export function loadBlock(node: YamlNode, catalog: Catalog, report: Report): BlockDefinition | string | undefined {
  if (node.kind !== "map") {
    const message = `A block is a map with id and type, not ${describeNode(node)}.`;
    report({ code: "wrong-type", level: "error", message, range: node.range });
    return undefined;
  }
  const idNode = node.entries.find((entry) => entry.key === "id")?.value;
  const shownId = idNode?.kind === "scalar" && idNode.value !== null ? `block '${placedText(idNode).text}'` : "a block";
  const reader = new MapReader(node, shownId, report);
  reader.refuseUnknown(blockKeys, laterBlockKeys, explainBlockKey(node, catalog));
  const id = readId(reader, report);
  const type = readBlockType(reader, catalog, report);
  if (id === undefined || type === undefined) return id;
  const description = reader.text("description");
  const condition = readCondition(reader, report);
  const forEach = readForEach(reader, report);
  const timeout = readTimeout(reader, type, report);
  const onInterrupted = readOnInterrupted(reader, type, report);
  const sandbox = readBlockSandbox(reader, type, report);
  return {
    id,
    type,
    ...(description === undefined ? {} : { description }),
    inputs: loadBlockInputs(reader, type, report),
    dependsOn: readDependencies(reader, report),
    ...(condition === undefined ? {} : { condition }),
    ...(forEach === undefined ? {} : { forEach }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(onInterrupted === undefined ? {} : { onInterrupted }),
    ...(sandbox === undefined ? {} : { sandbox }),
    fileOutputs: readFileOutputs(reader, type, report),
    range: reader.node("id")?.range ?? firstLine(node.range),
  };
}

function readId(reader: MapReader, report: Report): string | undefined {
  const id = reader.requiredText("id", "build");
  if (id === undefined) return undefined;
  const bad = checkName(id, "a block's id", /^[a-z_][a-z0-9_]*$/, "use lower-case letters, digits and _");
  if (bad === undefined) return id;
  const better = id.toLowerCase().replaceAll(/[^a-z0-9_]+/g, "_");
  const fix = /^[a-z_]/.test(better) && better !== id ? { fix: `Call it '${better}'.` } : {};
  report({ code: "bad-name", level: "error", message: bad, ...fix, range: (reader.node("id") as YamlNode).range });
  return id;
}

function readBlockType(reader: MapReader, catalog: Catalog, report: Report): BlockType | undefined {
  const name = reader.requiredText("type", "Shell");
  if (name === undefined) return undefined;
  const type = catalog.find(name);
  if (type !== undefined) return type;
  report({
    code: "unknown-block-type",
    level: "error",
    message: `There is no block type '${name}'.`,
    fix: suggestName(
      name,
      catalog.names,
      "block type",
      catalog.types.map(({ type: own }) => own),
    ),
    range: (reader.node("type") as YamlNode).range,
  });
  return undefined;
}

function readCondition(reader: MapReader, report: Report): PlacedExpression | undefined {
  const node = reader.node("condition");
  if (node === undefined) return undefined;
  if (node.kind !== "scalar" || node.value === null || typeof node.value === "number") {
    reader.wrongType("condition", "an expression that gives true or false");
    return undefined;
  }
  const text = placedText(node);
  const parsed = parseExpression(text.text);
  if (parsed.ok) return { expression: parsed.value, text };
  reportSyntax(parsed.error, text, report);
  return undefined;
}

function readDependencies(reader: MapReader, report: Report): Dependency[] {
  const node = reader.node("depends_on");
  const items =
    node?.kind === "scalar" && typeof node.value === "string" ? [node] : (reader.listAt("depends_on")?.items ?? []);
  const dependencies = new Map<string, Dependency>();
  for (const item of items) {
    const dependency = readDependency(item, reader.what, report);
    if (dependency === undefined) continue;
    if (dependencies.has(dependency.block)) {
      const message = `${reader.what} depends on '${dependency.block}' twice.`;
      report({ code: "duplicate-dependency", level: "warning", message, fix: "Remove one.", range: item.range });
      continue;
    }
    dependencies.set(dependency.block, dependency);
  }
  return [...dependencies.values()];
}

function readDependency(item: YamlNode, what: string, report: Report): Dependency | undefined {
  if (item.kind === "scalar" && typeof item.value === "string") return { block: item.value, range: item.range };
  if (item.kind === "map") {
    const reader = new MapReader(item, `a dependency of ${what}`, report);
    reader.refuseUnknown(["block", "required"], {}, explainDependencyKey);
    const block = reader.requiredText("block", "build");
    const required = reader.boolean("required");
    if (block === undefined) return undefined;
    return { block, ...(required === undefined ? {} : { required }), range: (reader.node("block") as YamlNode).range };
  }
  report({
    code: "wrong-type",
    level: "error",
    message: `A dependency is a block's id or { block: id, required: false }, not ${describeNode(item)}.`,
    range: item.range,
  });
  return undefined;
}

const defaultLoopParallel = 5;

function readForEach(reader: MapReader, report: Report): ForEach | undefined {
  const mode = reader.oneOf("for_each_mode", ["parallel", "sequential"]);
  const maxParallel = reader.positiveInteger("max_parallel");
  const onError = reader.oneOf("on_error", ["continue", "stop"]);
  const node = reader.node("for_each");
  if (node === undefined) {
    for (const key of ["for_each_mode", "max_parallel", "on_error"]) {
      const entry = reader.entry(key);
      if (entry === undefined) continue;
      const message = `'${key}' of ${reader.what} needs a for_each beside it.`;
      report({
        code: "needs-for-each",
        level: "error",
        message,
        fix: "Add `for_each:` or remove it.",
        range: entry.keyRange,
      });
    }
    return undefined;
  }
  const items = compileValue(node, report);
  if (items.kind === "literal" && (typeof items.value !== "object" || items.value === null)) {
    const fix = typeof items.value === "string" ? suggestBraces(items.value) : undefined;
    reader.wrongType("for_each", "a list, a map or an expression that gives one", fix);
  }
  return {
    items,
    mode: mode ?? "parallel",
    maxParallel: maxParallel ?? defaultLoopParallel,
    onError: onError ?? "continue",
  };
}

/** For a text that is an expression but for its braces. */
function suggestBraces(text: string): string | undefined {
  const parsed = parseExpression(text);
  const isExpression = parsed.ok && ["path", "call", "access"].includes(parsed.value.kind);
  return isExpression ? `Write \${${text.trim()}}.` : undefined;
}

function readTimeout(reader: MapReader, type: BlockType, report: Report): Timeout | undefined {
  const alias = type.timeoutInput;
  const own = reader.entry("timeout");
  const inputs = reader.node("inputs");
  const other = inputs?.kind === "map" && alias ? inputs.entries.find((entry) => entry.key === alias.name) : undefined;
  if (own !== undefined && other !== undefined) {
    report({
      code: "two-timeouts",
      level: "error",
      message: `${reader.what} has a timeout twice.`,
      fix: `Keep \`timeout\` on the block and remove inputs.${other.key}.`,
      range: other.keyRange,
    });
  }
  const entry = own ?? other;
  if (entry === undefined) return undefined;
  if (type.timeoutHint !== undefined) {
    const message = `${reader.what}: a time limit has no effect on a ${type.type} block.`;
    report({ code: "timeout-without-effect", level: "hint", message, why: type.timeoutHint, range: entry.keyRange });
  }
  const unit = own === undefined && alias?.unit === "ms" ? "ms" : "s";
  const value = compileValue(entry.value, report);
  if (value.kind === "literal") {
    const checked = parseDuration(value.value, unit);
    if (!checked.ok) reportTimeout(entry.key, value.value, checked.error, value.range, report);
  }
  return { value, unit };
}

export function reportTimeout(key: string, value: Value, error: string, range: Range, report: Report): void {
  const meant = suggestDuration(value);
  report({
    code: "bad-timeout",
    level: "error",
    message: `'${key}': ${error}.`,
    ...(meant === undefined ? {} : { fix: `Write \`${key}: ${meant}\`.` }),
    range,
  });
}

function readOnInterrupted(reader: MapReader, type: BlockType, report: Report): OnInterrupted | undefined {
  const choice = reader.oneOf("on_interrupted", onInterruptedChoices);
  if (choice === undefined || type.behaviour.kind === "leaf") return choice;
  report({
    code: "on-interrupted-without-effect",
    level: "hint",
    message: `${reader.what}: on_interrupted has no effect on a block of type ${type.type}.`,
    why: "It is never interrupted itself, only the blocks of its workflow are.",
    fix: "Set it on those blocks.",
    range: (reader.entry("on_interrupted") as YamlEntry).keyRange,
  });
  return undefined;
}

/** Whoever asks for a sandbox relies on it, so where there can be none the file is refused. */
function readBlockSandbox(reader: MapReader, type: BlockType, report: Report): SandboxLimits | undefined {
  const entry = reader.entry("sandbox");
  if (entry === undefined || type.sandbox === true) return readSandbox(reader, report);
  report({
    code: "no-sandbox",
    level: "error",
    message: `${reader.what}: there is no sandbox for a block of type ${type.type}.`,
    why: "A sandbox is for commands, and it runs none itself.",
    fix: "Remove `sandbox`; on a workflow it holds for all commands in it.",
    range: entry.keyRange,
  });
  return undefined;
}

function readFileOutputs(reader: MapReader, type: BlockType, report: Report): FileOutputDeclaration[] {
  const entries = reader.mapAt("outputs")?.entries ?? [];
  if (entries.length > 0 && type.fileOutputs !== true) {
    report({
      code: "no-file-outputs",
      level: "error",
      message: `A ${type.type} block has no file outputs.`,
      fix: "Remove `outputs:`; what the block gives is listed in its documentation.",
      range: reader.entry("outputs")?.keyRange ?? reader.map.range,
    });
    return [];
  }
  return entries.flatMap((entry) => readFileOutput(entry, type, report) ?? []);
}

export const fileOutputKeys = ["type", "path", "required", "unsafe", "description"] as const;

function readFileOutput(entry: YamlEntry, type: BlockType, report: Report): FileOutputDeclaration | undefined {
  const { key: name, keyRange: range, value: node } = entry;
  const bad = checkName(name, "an output", /^[A-Za-z_][A-Za-z0-9_]*$/, "use letters, digits and _");
  if (bad !== undefined) report({ code: "bad-name", level: "error", message: bad, range });
  if (Object.hasOwn(type.outputs().shape, name)) {
    const message = `Every ${type.type} block has an output '${name}' already.`;
    report({ code: "output-taken", level: "error", message, fix: "Choose another name.", range });
  }
  if (node.kind !== "map") {
    const message = `Output '${name}' must be a map with type and path.`;
    report({
      code: "wrong-type",
      level: "error",
      message,
      fix: `Write ${name}: { type: json, path: "$SCRATCH/${name}.json" }.`,
      range,
    });
    return undefined;
  }
  const reader = new MapReader(node, `output '${name}'`, report);
  reader.refuseUnknown(fileOutputKeys);
  const fileType: FileOutputType | undefined = reader.oneOf("type", fileOutputTypes);
  const path = reader.requiredText("path", '"$SCRATCH/result.txt"');
  const description = reader.text("description");
  if (path === undefined) return undefined;
  const unsafe = reader.boolean("unsafe") ?? false;
  return {
    name,
    type: fileType ?? "str",
    path: compilePath(reader.node("path") as YamlNode, unsafe, report),
    required: reader.boolean("required") ?? true,
    unsafe,
    ...(description === undefined ? {} : { description }),
    range,
  };
}

/** A path that is written out is held to the rules of paths before the run, any other when it is known. */
function compilePath(node: YamlNode, unsafe: boolean, report: Report): ValueTemplate {
  const path = compileValue(node, report);
  const broken = path.kind === "literal" ? brokenPathRule(String(path.value), unsafe) : undefined;
  if (broken !== undefined) report({ code: "bad-path", level: "error", ...broken, range: node.range });
  return path;
}

function brokenPathRule(path: string, unsafe: boolean): { readonly message: string; readonly fix: string } | undefined {
  if (path === "~" || path.startsWith("~/")) {
    return { message: "A path can't start with ~: only $SCRATCH is expanded.", fix: relativePath };
  }
  if (path.split("/").includes("..")) return { message: "A path can't contain `..`.", fix: relativePath };
  if (!path.startsWith("/") || unsafe) return undefined;
  const message = `'${path}' is an absolute path.`;
  return { message, fix: `${relativePath} Or set \`unsafe: true\` on the output.` };
}

const relativePath = "Use a path relative to the working directory, or under $SCRATCH.";

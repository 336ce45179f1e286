import { MapReader } from "../definition/map-reader.ts";
import { describeNode, type YamlEntry, type YamlMap, type YamlNode } from "../definition/yaml-node.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Expectation } from "./expectation.ts";
import { loadArgument, loadExpectation, loadExpectations } from "./load-expectation.ts";
import { readWords } from "./read-words.ts";
import {
  blockOutcomes,
  blockStatuses,
  type ExpectedBlock,
  type ExpectedFile,
  type ExpectedOutcome,
  type ExpectedPrompt,
  expectedStatuses,
} from "./test-file.ts";
import { checkWorkspacePath } from "./workspace-path.ts";

export const expectKeys = [
  "status",
  "error",
  "outputs",
  "blocks",
  "order",
  "prompts",
  "files",
  "commands",
  "run",
] as const;

export const nothingExpected: ExpectedOutcome = {
  status: "success",
  outputs: new Map(),
  blocks: new Map(),
  files: new Map(),
  commands: new Map(),
};

export function loadExpected(map: YamlMap, fakes: ReadonlySet<string>, report: Report): ExpectedOutcome {
  const reader = new MapReader(map, "expect", report);
  reader.refuseUnknown(expectKeys);
  const error = reader.node("error");
  const run = reader.text("run");
  const prompts = reader.listAt("prompts");
  const order = reader.listAt("order") && readWords(reader, "order", "the address of a block", report);
  return {
    status: reader.oneOf("status", expectedStatuses) ?? "success",
    ...(error === undefined ? {} : { error: loadExpectation(error, report) }),
    outputs: loadExpectations(reader.mapAt("outputs"), report),
    blocks: new Map(reader.mapAt("blocks")?.entries.map((entry) => [entry.key, loadBlock(entry, report)])),
    ...(order === undefined ? {} : { order }),
    ...(prompts === undefined ? {} : { prompts: prompts.items.map((item) => loadPrompt(item, report)) }),
    files: new Map(reader.mapAt("files")?.entries.map((entry) => [entry.key, loadFile(entry, report)])),
    commands: new Map(reader.mapAt("commands")?.entries.map((entry) => [entry.key, loadCalls(entry, fakes, report)])),
    ...(run === undefined ? {} : { run }),
  };
}

export const blockKeys = ["status", "outcome", "message", "inputs", "outputs"] as const;

/** Words that a run or another tool has for it; one of them looks more like `paused`. */
const otherWords: ReadonlyMap<string, ExpectedBlock["status"]> = new Map([
  ["passed", "succeeded"],
  ["success", "succeeded"],
  ["failure", "failed"],
]);

function loadBlock({ key, value: node }: YamlEntry, report: Report): ExpectedBlock {
  const anything = { inputs: new Map(), outputs: new Map() };
  if (node.kind === "scalar") {
    const status = blockStatuses.find((word) => word === node.value);
    if (status !== undefined) return { ...anything, status };
    const message = `A block can't be expected to be ${describeNode(node)}.`;
    const meant = otherWords.get(node.written);
    const fix = meant === undefined ? suggestName(node.written, blockStatuses, "word") : `Did you mean '${meant}'?`;
    report({ code: "unknown-value", level: "error", message, fix, range: node.range });
    return anything;
  }
  if (node.kind === "list") {
    const message = `What is expected of '${key}' must be a word or a map, not a list.`;
    report({ code: "wrong-type", level: "error", message, range: node.range });
    return anything;
  }
  const reader = new MapReader(node, `what is expected of '${key}'`, report);
  reader.refuseUnknown(blockKeys);
  const status = reader.oneOf("status", blockStatuses);
  const outcome = reader.oneOf("outcome", blockOutcomes);
  const message = reader.node("message");
  return {
    ...(status === undefined ? {} : { status }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(message === undefined ? {} : { message: loadExpectation(message, report) }),
    inputs: loadExpectations(reader.mapAt("inputs"), report),
    outputs: loadExpectations(reader.mapAt("outputs"), report),
  };
}

export const promptKeys = ["block", "prompt", "audience"] as const;

function loadPrompt(node: YamlNode, report: Report): ExpectedPrompt {
  if (node.kind !== "map") {
    const message = `A question is expected as a map with block and prompt, not as ${describeNode(node)}.`;
    report({ code: "wrong-type", level: "error", message, range: node.range });
    return {};
  }
  const reader = new MapReader(node, "the expected question", report);
  reader.refuseUnknown(promptKeys);
  const block = reader.text("block");
  const prompt = reader.node("prompt");
  const audience = reader.oneOf("audience", ["llm", "human"]);
  return {
    ...(block === undefined ? {} : { block }),
    ...(prompt === undefined ? {} : { prompt: loadExpectation(prompt, report) }),
    ...(audience === undefined ? {} : { audience }),
  };
}

function loadFile({ key, keyRange, value: node }: YamlEntry, report: Report): ExpectedFile {
  checkWorkspacePath(key, keyRange, report);
  if (node.kind === "scalar" && node.value === "absent") return { kind: "absent" };
  const text = node.kind === "scalar" && node.value !== null && typeof node.value !== "string";
  const content: Expectation = text ? { kind: "equals", value: node.written } : loadExpectation(node, report);
  if (content.kind === "map" || content.kind === "list" || (content.kind === "equals" && content.value === null)) {
    const message = `A file is expected as a text, \`absent\` or a matcher, not as ${describeNode(node)}.`;
    const fix = "Write { json: ... } for what a file of JSON is to hold.";
    report({ code: "wrong-type", level: "error", message, fix, range: node.range });
  }
  return { kind: "content", content };
}

function loadCalls(
  { key, keyRange, value: node }: YamlEntry,
  fakes: ReadonlySet<string>,
  report: Report,
): (readonly Expectation[])[] {
  if (!fakes.has(key)) {
    const message = `'${key}' is no fake of this case, so that nobody knows how it is called.`;
    const fix = `Add it to the \`commands\` of the case, or: ${suggestName(key, fakes, "fake")}`;
    report({ code: "unknown-command", level: "error", message, fix, range: keyRange });
  }
  const calls = node.kind === "list" ? node.items : [];
  const wrong = node.kind === "list" ? calls.find((call) => call.kind !== "list") : node;
  if (wrong !== undefined) {
    const message = `The calls of '${key}' are a list of lists of arguments; this is ${describeNode(wrong)}.`;
    const fix = `Write ${key}: [[--version]], or ${key}: [] if it is not to be called.`;
    report({ code: "wrong-type", level: "error", message, fix, range: wrong.range });
  }
  return calls.map((call) => (call.kind === "list" ? call.items.map((item) => loadArgument(item, report)) : []));
}

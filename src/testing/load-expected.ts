import { choice, text, withDefault, words } from "../definition/forms.ts";
import { type Keys, listKeys, mapSchema, readMap } from "../definition/key.ts";
import { type KeyReader, MapReader } from "../definition/map-reader.ts";
import { describeNode, type YamlEntry, type YamlNode } from "../definition/yaml-node.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Expectation } from "./expectation.ts";
import { looseText, readEach } from "./forms.ts";
import { expectation, expectations, loadArgument, loadExpectation } from "./load-expectation.ts";
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

const textOrMatcher = { anyOf: [looseText.schema, { $ref: "#/$defs/matcher" }] };

/** The context is the names of the fakes. */
export const expectKeys: Keys<ExpectedOutcome, ReadonlySet<string>> = {
  status: {
    name: "status",
    docs: "How the run ends",
    examples: ["failure", "success", "paused"],
    ...withDefault(choice(expectedStatuses), "success"),
  },
  error: {
    name: "error",
    docs: "Of the run, or why it was refused: invalid inputs, a missing secret",
    examples: ["{ contains: no route }", "no route to production"],
    ...expectation,
  },
  outputs: {
    name: "outputs",
    docs: "Those that are named; others may be anything",
    examples: ["{ deployed: true, list: { contains: a } }"],
    ...expectations,
  },
  blocks: {
    name: "blocks",
    docs: "By address; * stands for one part of it",
    examples: ["{ build: succeeded, check/*: { outputs: { exit_code: 0 } } }"],
    schema: (catalog) => ({
      type: "object",
      additionalProperties: { anyOf: [{ enum: blockStatuses }, mapSchema(listKeys(expectedBlockKeys), catalog)] },
    }),
    read: (at) => readEach(at, (entry) => loadBlock(entry, at.report)),
  },
  order: {
    name: "order",
    docs: "These ended in this order; others may have ended in between",
    examples: ["[build, test]"],
    ...words("the address of a block"),
  },
  prompts: {
    name: "prompts",
    docs: "Exactly these were asked, in this order",
    examples: ["[{ block: approve, audience: human }]", "[]"],
    schema: (catalog) => ({ type: "array", items: mapSchema(listKeys(promptKeys), catalog) }),
    read: (at) => at.listAt()?.items.map((item) => loadPrompt(item, at.report)),
  },
  files: {
    name: "files",
    docs: "In the workspace: a text, `absent`, or a matcher",
    examples: ["{ out.txt: hello, no.txt: absent, a.json: { json: { a: 1 } } }"],
    schema: { type: "object", additionalProperties: textOrMatcher },
    read: (at) => readEach(at, (entry) => loadFile(entry, at.report)),
  },
  commands: {
    name: "commands",
    docs: "How fakes were called: lists of arguments, in order",
    examples: ["{ npm: [[--version], [install, { contains: fern }]] }", "{ npm: [] }"],
    schema: {
      type: "object",
      additionalProperties: { type: "array", items: { type: "array", items: textOrMatcher } },
    },
    read: (at, fakes) => readEach(at, (entry) => loadCalls(entry, fakes, at.report)),
  },
  run: {
    name: "run",
    docs: "Shell commands that must succeed in the workspace afterwards",
    examples: ["test -e dist/app.js"],
    ...text,
  },
};

const nothingExpected: ExpectedOutcome = {
  status: "success",
  outputs: new Map(),
  blocks: new Map(),
  files: new Map(),
  commands: new Map(),
};

export function loadExpected(at: KeyReader, fakes: ReadonlySet<string>): ExpectedOutcome {
  const map = at.mapAt();
  return map === undefined ? nothingExpected : readMap(expectKeys, new MapReader(map, "expect", at.report), fakes);
}

export const expectedBlockKeys: Keys<ExpectedBlock> = {
  status: {
    name: "status",
    docs: "Whether it ran: `failed` is either kind of failure, `not_run` what was never reached",
    examples: ["completed"],
    ...choice(blockStatuses),
  },
  outcome: { name: "outcome", docs: "How its operation ended", examples: ["failure", "n/a"], ...choice(blockOutcomes) },
  message: { name: "message", docs: "What it said of its end", examples: ["{ contains: nobody }"], ...expectation },
  attempts: { name: "attempts", docs: "How many attempts it took", examples: ["2"], ...expectation },
  inputs: { name: "inputs", docs: "What it was given", examples: ["{ command: ls }"], ...expectations },
  outputs: { name: "outputs", docs: "What it gave", examples: ["{ exit_code: 4 }"], ...expectations },
};

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
  return readMap(expectedBlockKeys, new MapReader(node, `what is expected of '${key}'`, report), undefined);
}

export const promptKeys: Keys<ExpectedPrompt> = {
  block: { name: "block", docs: "Address of the block that asks", examples: ["approve"], ...text },
  prompt: { name: "prompt", docs: "What it asks", examples: ["{ contains: production }"], ...expectation },
  audience: { name: "audience", docs: "Whom it asks", examples: ["human", "llm"], ...choice(["llm", "human"]) },
};

function loadPrompt(node: YamlNode, report: Report): ExpectedPrompt {
  if (node.kind === "map") return readMap(promptKeys, new MapReader(node, "the expected question", report), undefined);
  const message = `A question is expected as a map with block and prompt, not as ${describeNode(node)}.`;
  report({ code: "wrong-type", level: "error", message, range: node.range });
  return {};
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
    const message = `'${key}' is not faked in this case, so its calls are not known.`;
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

import type { Catalog } from "../block/catalog.ts";
import { parseDuration } from "../definition/duration.ts";
import { firstLine, MapReader } from "../definition/map-reader.ts";
import { plainValue } from "../definition/plain-value.ts";
import { describeNode, type YamlEntry, type YamlMap, type YamlNode } from "../definition/yaml-node.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { loadExpected, nothingExpected } from "./load-expected.ts";
import { loadMock } from "./load-mock.ts";
import { loadStandIn } from "./load-stand-in.ts";
import { readText, readWords } from "./read-words.ts";
import type { FakeCommand, GivenFile, TestCase } from "./test-file.ts";
import { checkWorkspacePath } from "./workspace-path.ts";

export const caseKeys = [
  "name",
  "uses",
  "inputs",
  "files",
  "setup",
  "env",
  "commands",
  "without",
  "workflows",
  "mocks",
  "answers",
  "expect",
  "timeout",
] as const;

const defaultTimeoutSeconds = 60;

export function loadCase(
  node: YamlNode,
  uses: readonly string[],
  catalog: Catalog,
  report: Report,
): TestCase | undefined {
  if (node.kind !== "map") {
    const message = `A case is a map with a name, not ${describeNode(node)}.`;
    report({ code: "wrong-type", level: "error", message, range: node.range });
    return undefined;
  }
  const name = nameOf(node);
  const reader = new MapReader(node, name === undefined ? "the case" : `the case '${name}'`, report);
  reader.refuseUnknown(caseKeys);
  reader.requiredText("name", "does what it says");
  const setup = reader.text("setup");
  const commands = readEach(reader, "commands", (entry) => readFake(entry, report));
  const expected = reader.mapAt("expect");
  return {
    name: name ?? "",
    range: reader.node("name")?.range ?? firstLine(node.range),
    uses: [...new Set([...uses, ...readWords(reader, "uses", "the name of a program", report)])],
    inputs: valuesAt(reader, "inputs"),
    files: readEach(reader, "files", (entry) => readGivenFile(entry, report)),
    ...(setup === undefined ? {} : { setup }),
    env: Object.fromEntries(readEach(reader, "env", ({ value }) => readText(value, "the value of a variable", report))),
    commands,
    without: readWords(reader, "without", "the name of a program", report),
    workflows: readEach(reader, "workflows", (entry) => loadStandIn(entry, catalog, report)),
    mocks: readEach(reader, "mocks", (entry) => loadMock(entry, report)),
    answers: readEach(reader, "answers", ({ value }) => plainValue(value)),
    expected: expected === undefined ? nothingExpected : loadExpected(expected, new Set(commands.keys()), report),
    timeoutSeconds: readTimeout(reader, report),
  };
}

function nameOf({ entries }: YamlMap): string | undefined {
  const value = entries.find(({ key }) => key === "name")?.value;
  return value?.kind === "scalar" && value.value !== null ? String(value.value) : undefined;
}

/** The entries of a map that can be read; what is wrong with the others has been reported. */
function readEach<T>(reader: MapReader, key: string, read: (entry: YamlEntry) => T | undefined): Map<string, T> {
  const all = new Map<string, T>();
  for (const entry of reader.mapAt(key)?.entries ?? []) {
    const value = read(entry);
    if (value !== undefined) all.set(entry.key, value);
  }
  return all;
}

function valuesAt(reader: MapReader, key: string): ValueMap {
  const map = reader.mapAt(key);
  return map === undefined ? {} : (plainValue(map) as ValueMap);
}

export const givenFileKeys = ["content", "json", "mode"] as const;

function readGivenFile({ key, keyRange, value: node }: YamlEntry, report: Report): GivenFile | undefined {
  checkWorkspacePath(key, keyRange, report);
  if (node.kind !== "map") {
    const content = readText(node, "the text of a file", report);
    return content === undefined ? undefined : { content };
  }
  const reader = new MapReader(node, `the file '${key}'`, report);
  reader.refuseUnknown(givenFileKeys);
  const [content, json] = [reader.node("content"), reader.node("json")];
  const given = content ?? json;
  if (given === undefined || (content !== undefined && json !== undefined)) {
    const message = `the file '${key}' has ${given === undefined ? "neither" : "both"} content ${given === undefined ? "nor" : "and"} json.`;
    report({ code: "bad-file", level: "error", message, fix: "Give it one of the two.", range: keyRange });
    return undefined;
  }
  const text = given === json ? formatJson(plainValue(given)) : readText(given, "the text of a file", report);
  const mode = readMode(reader, report);
  return text === undefined ? undefined : { content: text, ...(mode === undefined ? {} : { mode }) };
}

function formatJson(value: Value): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function readMode(reader: MapReader, report: Report): number | undefined {
  const text = reader.text("mode");
  if (text === undefined) return undefined;
  if (/^0?[0-7]{3}$/.test(text)) return Number.parseInt(text, 8);
  const message = `'${text}' is not the mode of a file.`;
  const fix = 'Write three digits in quotes, such as "755".';
  report({ code: "bad-mode", level: "error", message, fix, range: reader.node("mode")?.range ?? reader.map.range });
  return undefined;
}

export const fakeKeys = ["stdout", "stderr", "exit_code", "script"] as const;

function readFake({ key, keyRange, value: node }: YamlEntry, report: Report): FakeCommand | undefined {
  if (!/^[^/\s]+$/.test(key) || key === "." || key === "..") {
    const message = `'${key}' can't be the name of a program.`;
    report({ code: "bad-name", level: "error", message, range: keyRange });
    return undefined;
  }
  if (node.kind !== "map") {
    const message = `The command '${key}' must be a map with stdout, stderr and exit_code, or with a script, not ${describeNode(node)}.`;
    report({ code: "wrong-type", level: "error", message, fix: `Write ${key}: { stdout: "" }.`, range: node.range });
    return undefined;
  }
  const reader = new MapReader(node, `the command '${key}'`, report);
  reader.refuseUnknown(fakeKeys);
  const script = reader.text("script");
  if (script === undefined) {
    const text = (name: "stdout" | "stderr"): string => readOptional(reader.node(name), report) ?? "";
    return { kind: "answers", stdout: text("stdout"), stderr: text("stderr"), exitCode: readExitCode(reader) ?? 0 };
  }
  const other = node.entries.find((entry) => entry.key !== "script");
  if (other !== undefined && fakeKeys.some((known) => known === other.key)) {
    const message = `The command '${key}' has a script, which says by itself what '${other.key}' would.`;
    report({ code: "bad-command", level: "error", message, fix: "Give it one of the two.", range: other.keyRange });
  }
  return { kind: "script", script };
}

function readOptional(node: YamlNode | undefined, report: Report): string | undefined {
  return node === undefined ? undefined : readText(node, "a text", report);
}

function readExitCode(reader: MapReader): number | undefined {
  const node = reader.node("exit_code");
  if (node === undefined) return undefined;
  const code = node.kind === "scalar" ? node.value : undefined;
  if (typeof code === "number" && Number.isInteger(code) && code >= 0 && code <= 255) return code;
  reader.wrongType("exit_code", "a whole number from 0 to 255");
  return undefined;
}

function readTimeout(reader: MapReader, report: Report): number {
  const node = reader.node("timeout");
  if (node === undefined) return defaultTimeoutSeconds;
  const duration = parseDuration(node.kind === "scalar" ? node.value : null);
  if (duration.ok) return duration.value;
  report({ code: "bad-timeout", level: "error", message: `timeout: ${duration.error}.`, range: node.range });
  return defaultTimeoutSeconds;
}

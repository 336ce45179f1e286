import { type DataType, parseAsDataType } from "../definition/data-type.ts";
import { plainValue } from "../definition/plain-value.ts";
import { readYaml } from "../definition/read-yaml.ts";
import { emptyMap } from "../definition/value-template.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { describeNode } from "../definition/yaml-node.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { problem } from "../diagnostic/problem.ts";
import type { Source } from "../diagnostic/source.ts";
import { bindInputs } from "../engine/bind-inputs.ts";
import { startMetadata } from "../engine/start-metadata.ts";
import { isMap, type Value, type ValueMap } from "../expression/value.ts";
import type { Plan } from "../plan/plan.ts";
import { err, ok, type Result } from "../util/result.ts";
import { explainInput } from "./explain-input.ts";
import type { Workflows } from "./workflows.ts";

export interface GivenInputs {
  /** `name=value`, from the command line; they win over the file. */
  readonly pairs: readonly string[];
  /** Path of a JSON or YAML file. */
  readonly file?: string;
}

/** What was given, from both places together, or all that is wrong with it. */
export function readInputs(
  given: GivenInputs,
  { definition }: Plan,
  workflows: Workflows,
): Result<ValueMap, readonly Diagnostic[]> {
  const pairs = parseInputPairs(given.pairs, definition);
  const file = given.file === undefined ? ok(emptyMap()) : readInputsFile(given.file, workflows);
  if (!file.ok) {
    const others = otherProblems(pairs.values, pairs.unread, definition);
    // What is missing may be in the file.
    return err([...pairs.problems, ...file.error, ...others.filter(({ code }) => code !== "missing-input")]);
  }
  const values: ValueMap = Object.assign(emptyMap(), file.value, pairs.values);
  if (pairs.problems.length === 0) return ok(values);
  return err([...pairs.problems, ...otherProblems(values, pairs.unread, definition)]);
}

/** What would be refused next of the inputs that could be read: everything is told at once. */
function otherProblems(values: ValueMap, unread: ReadonlySet<string>, definition: WorkflowDefinition): Diagnostic[] {
  const bound = bindInputs(definition, values, startMetadata(definition.name, "", ""));
  // A default may hold what only a run that has begun knows.
  const isAbsent = (input: string, code: string): boolean => !Object.hasOwn(values, input) && code !== "missing-input";
  const others = bound.ok ? [] : bound.error.filter(({ input, code }) => !unread.has(input) && !isAbsent(input, code));
  return others.map(explainInput);
}

interface ReadPairs {
  readonly values: ValueMap;
  readonly problems: readonly Diagnostic[];
  /** Names of the inputs that are given, and can't be read. */
  readonly unread: ReadonlySet<string>;
}

/** `name=text` pairs, each text read as the type the workflow declares for the name. The last one of a name wins. */
function parseInputPairs(pairs: readonly string[], definition: WorkflowDefinition): ReadPairs {
  const values = emptyMap();
  const problems: Diagnostic[] = [];
  const unread = new Set<string>();
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    if (equals < 1) {
      unread.add(pair);
      const lacks = equals === 0 ? "name: there is nothing before" : "value: there is no";
      const advice = { kind: "write-input", input: "name", sample: "value" } as const;
      problems.push(problem("bad-input", `Input '${pair}' has no ${lacks} '='.`, advice));
      continue;
    }
    const name = pair.slice(0, equals);
    const text = pair.slice(equals + 1);
    // A name that is not declared is refused later, with the names that are.
    const type = definition.inputs.get(name)?.type ?? "string";
    const parsed = readInputText(text, type);
    if (parsed.ok) values[name] = parsed.value;
    else {
      unread.add(name);
      const advice = { kind: "write-input", input: name, sample: samples[type] } as const;
      problems.push(problem("wrong-type", `Input '${name}': ${parsed.error}.`, advice));
    }
  }
  return { values, problems, unread };
}

const samples: Record<DataType, string> = {
  string: "text",
  integer: "3",
  number: "2.5",
  boolean: "true",
  array: '["a","b"]',
  object: '{"key":"value"}',
  json: '{"key":"value"}',
};

function readInputText(text: string, type: DataType): Result<Value, string> {
  const parsed = parseAsDataType(text, type);
  // Any value fits `json`, so what is not JSON is text.
  return parsed.ok || type !== "json" ? parsed : ok(text);
}

/** Inputs from a JSON or YAML file: a map of names to values, taken as they are. */
function readInputsFile(path: string, workflows: Workflows): Result<ValueMap, readonly Diagnostic[]> {
  const source = workflows.readSource(path);
  if (!("text" in source)) {
    const { code, level, message } = source;
    if (code === "limit-exceeded") {
      const fix =
        "Write what is large into a file of the workspace, give its path as the input, and read it in a block.";
      return err([{ code, level, message, why: "A file with inputs has a limit of 2 MB.", fix }]);
    }
    const advice = { kind: "give-inputs-file", ...(path.includes("=") ? { pair: path } : {}) } as const;
    return err([{ code, level, message, advice }]);
  }
  if (source.text.trim() === "")
    return err([problem("empty-file", `'${path}' is empty.`, { kind: "give-inputs-file" })]);
  const yaml = readYaml(source satisfies Source);
  if (!yaml.ok) return yaml;
  const values = plainValue(yaml.value);
  if (isMap(values)) return ok(values);
  const message = `'${path}' is ${describeNode(yaml.value)}, not a map of input names to values.`;
  return err([{ ...problem("bad-inputs-file", message, { kind: "give-inputs-file" }), range: yaml.value.range }]);
}

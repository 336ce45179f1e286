import type { Catalog } from "../block/catalog.ts";
import type { BlockType } from "../block/define-block.ts";
import type { OnFailure } from "../definition/workflow-definition.ts";
import { isList, isMap, type Value, type ValueMap } from "../expression/value.ts";
import { printableJson } from "../util/printable-json.ts";
import type { PlannedBlock } from "./action.ts";
import { type PlanHead, planTag, type StructuredPlan, type StructuredStep, usualStep } from "./structured-plan.ts";
import { writeEntries } from "./write-yaml.ts";

/** What a plan comes to. */
export interface CompiledPlan {
  readonly name: string;
  /** An ordinary workflow. */
  readonly text: string;
}

/** The workflow that does what a plan says. Nothing that the plan says becomes an expression. */
export function compilePlan({ head, steps }: StructuredPlan, catalog: Catalog): CompiledPlan {
  const name = workflowName(head);
  const onFailure = head.onFailure ?? (steps.some(wantsRollback) ? "rollback" : undefined);
  const types = new Map(steps.map(({ block }) => [block, catalog.find(block.type)]));
  const inputs = declareInputs(head.inputs ?? {});
  const usesEnv = [...types.values()].some((type) => type?.envInput !== undefined);
  const top: Record<string, Value | undefined> = {
    name,
    description:
      firstLine(head.overview ?? head.name) ?? `A plan of ${steps.length} ${steps.length === 1 ? "step" : "steps"}`,
    tags: [planTag],
    on_failure: onFailure,
    budget: head.budget,
    max_parallel: head.maxParallel,
    inputs: Object.keys(inputs).length === 0 ? undefined : inputs,
    env: usesEnv && Object.keys(inputs).length > 0 ? readAll(inputs) : undefined,
  };
  const lines = steps.flatMap((step) => writeStep(step, types.get(step.block), onFailure));
  return { name, text: `${[...writeEntries(withoutUndefined(top)), "blocks:", ...lines].join("\n")}\n` };
}

function wantsRollback({ rollbackOnFail = usualStep.rollbackOnFail }: Pick<StructuredStep, "rollbackOnFail">): boolean {
  return rollbackOnFail;
}

const longestName = 60;

/** From what the plan calls itself: lower-case words with hyphens between them. */
function workflowName({ name, overview }: PlanHead): string {
  const words =
    (name ?? overview ?? "")
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  let chosen = "";
  for (const word of words) {
    if (chosen.length + word.length >= longestName) break;
    chosen = chosen === "" ? word : `${chosen}-${word}`;
  }
  return chosen === "" ? "plan" : chosen;
}

function firstLine(text: string | undefined): string | undefined {
  const line = text?.trim();
  return line === "" ? undefined : line;
}

/** A declaration as a workflow has it; whatever is none is the default. */
function declareInputs(inputs: ValueMap): ValueMap {
  const declared = Object.entries(inputs).map(([name, said]): [string, Value] => {
    const isDeclaration = isMap(said) && Object.keys(said).every((key) => declarationKeys.includes(key));
    const given: ValueMap = isDeclaration && isMap(said) ? said : { default: said };
    const { description = `Input of the plan`, default: fallback, ...rest } = given;
    const type = rest.type ?? typeOf(fallback);
    const value = fallback === undefined || fallback === null ? {} : { default: literal(fallback) };
    return [name, { ...rest, type, description, ...value }];
  });
  return Object.fromEntries(declared);
}

const declarationKeys = [
  "type",
  "description",
  "default",
  "required",
  "enum",
  "pattern",
  "minimum",
  "maximum",
  "items",
];

function typeOf(value: Value | undefined): string {
  if (value === undefined || value === null || typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return isList(value) ? "array" : "object";
}

/** Commands find inputs as variables. */
function readAll(inputs: ValueMap): ValueMap {
  return Object.fromEntries(Object.keys(inputs).map((name) => [name, `\${inputs.${name}}`]));
}

function writeStep(step: StructuredStep, type: BlockType | undefined, onFailure: OnFailure | undefined): string[] {
  const { id, blockId, description, block, success } = step;
  const notes = [
    ...(id === undefined || [id, `step_${id}`].includes(blockId) ? [] : [`# step_id ${comment(id)}`]),
    ...(success?.unchecked ?? []).map((condition) => `# not checked: ${comment(condition)}`),
  ];
  const keys: Record<string, Value | undefined> = {
    id: blockId,
    type: block.type,
    description: firstLine(description),
    inputs: writeInputs(block, type),
    depends_on: step.dependsOn.length === 0 ? undefined : step.dependsOn,
    retry: retryOf(step, type),
    timeout: timeoutOf(step, type),
    on_failure: isRollback(onFailure) && !wantsRollback(step) ? "continue" : undefined,
    // So that it can be undone; a rollback asks for it by itself.
    effects: type?.effects === true && onFailure !== "rollback" ? "observe" : undefined,
    expect: expectOf(step),
    cost: step.cost,
  };
  const [first = "", ...rest] = writeEntries(withoutUndefined(keys), "    ");
  return [...notes.map((note) => `  ${note}`), `  - ${first.trimStart()}`, ...rest];
}

function isRollback(onFailure: OnFailure | undefined): boolean {
  return onFailure === "rollback" || onFailure === "rollback_block";
}

/** In a command `${HOME}` is the shell's. */
function writeInputs({ inputs }: PlannedBlock, type: BlockType | undefined): ValueMap | undefined {
  if (inputs.length === 0) return undefined;
  const isOther = (name: string): boolean => hasOwnBraces(type, name);
  return Object.fromEntries(inputs.map(([name, value]) => [name, isOther(name) ? value : literal(value)]));
}

/** Whether `${...}` in an input means something to another language. */
export function hasOwnBraces(type: BlockType | undefined, input: string): boolean {
  const { languages = {} } = type ?? {};
  return Object.hasOwn(languages, input) && languages[input]?.hasOwnBraces === true;
}

/** What waits for an answer or a time is not tried again because it took long. */
function retryOf({ maxRetries }: StructuredStep, type: BlockType | undefined): Value | undefined {
  const retries = maxRetries ?? (waits(type) ? 0 : usualStep.maxRetries);
  return retries === 0 ? undefined : { max_retries: retries };
}

function timeoutOf({ timeoutSeconds }: StructuredStep, type: BlockType | undefined): Value | undefined {
  return waits(type) ? undefined : (timeoutSeconds ?? usualStep.timeoutSeconds);
}

function waits(type: BlockType | undefined): boolean {
  return type?.timeoutHint !== undefined || type?.refusesTimeout !== undefined;
}

function expectOf({ success }: StructuredStep): Value | undefined {
  if (success === undefined) return undefined;
  const {
    exitCodes,
    files: [file],
    conditions,
  } = success;
  const expected = withoutUndefined({
    exit_code: exitCodes.length > 1 ? exitCodes : exitCodes[0],
    file_exists: file === undefined ? undefined : literal(file),
    condition: conditions.length === 0 ? undefined : conditions.join(" and "),
  });
  return Object.keys(expected).length === 0 ? undefined : expected;
}

/** Data that says what it says: `$${` is how a text of a workflow says `${`. */
function literal(value: Value): Value {
  if (typeof value === "string") return value.replaceAll("${", () => "$${");
  if (isList(value)) return value.map(literal);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, literal(inner)]));
}

function comment(text: string): string {
  return printableJson(text);
}

function withoutUndefined(map: Readonly<Record<string, Value | undefined>>): ValueMap {
  return Object.fromEntries(Object.entries(map).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

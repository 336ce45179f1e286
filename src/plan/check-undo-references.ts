import { allBlocks } from "../definition/all-blocks.ts";
import { outcomes, statuses } from "../definition/metadata-fields.ts";
import { expressionsIn, type MapEntry, type ValueTemplate } from "../definition/value-template.ts";
import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import { type Report, reportIn } from "../diagnostic/collect-diagnostics.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import { inferType, type PathTexts, type PathTypes, typeProblems } from "../expression/infer-type.ts";
import { writePath } from "../expression/read-path.ts";
import { type Reference, references } from "../expression/references.ts";
import { type BlockShape, type FindWorkflow, singleShape } from "./block-shape.ts";
import type { ReferenceProblem } from "./check-own-references.ts";
import { blockExpressions, referencesOf, reportReference } from "./collect-references.ts";
import { isSecret } from "./secret-references.ts";
import { walkShape } from "./walk-shape.ts";

/**
 * What the expressions under `undo:` read: the block that is undone, by its inputs, outputs and how its attempt went, and secrets.
 * They are evaluated in another run, perhaps days later, where nothing else of this one is known. Yields for every block.
 */
export function* checkUndoReferences(
  definition: WorkflowDefinition,
  find: FindWorkflow,
  report: Report,
): Generator<void> {
  for (const block of allBlocks(definition)) {
    if (block.undo === undefined) continue;
    yield;
    checkCompensation(block, block.undo.definition, definition, find, reportIn(block.id, report));
  }
}

function checkCompensation(
  undone: BlockDefinition,
  compensation: BlockDefinition,
  definition: WorkflowDefinition,
  find: FindWorkflow,
  report: Report,
): void {
  // Of a loop each pass is undone by itself.
  const shape = singleShape(undone, find);
  const typeOf = pathTypes(shape, find);
  for (const use of blockExpressions(compensation)) {
    let sound = true;
    for (const placed of referencesOf([use])) {
      const problem = problemOf(placed.reference, undone, shape, definition, find);
      if (problem === undefined) continue;
      sound = false;
      reportReference(problem, placed, undone, report);
    }
    if (!sound) continue;
    for (const { start, end, ...problem } of typeProblems(use.expression, typeOf, pathTexts))
      report({ ...problem, range: use.text.rangeOf(start, end) });
  }
  const { condition } = compensation;
  const type = condition === undefined ? "boolean" : inferType(condition.expression, typeOf);
  if (condition === undefined || type === "boolean" || type === "any") return;
  const { start, end } = condition.expression;
  report({
    code: "wrong-type",
    level: "error",
    message: "condition must give true or false.",
    fix: "Compare it with something, e.g. `== 'x'`.",
    range: condition.text.rangeOf(start, end),
  });
}

const parts = ["inputs", "outputs", "attempt"] as const;
const ofAttempt: readonly string[] = ["outcome", "status", "number"];

function problemOf(
  reference: Reference,
  undone: BlockDefinition,
  shape: BlockShape,
  definition: WorkflowDefinition,
  find: FindWorkflow,
): ReferenceProblem | undefined {
  const { root, steps } = reference;
  if (root === "secrets") return undefined;
  if (root !== "block") return unknownInUndo(reference, undone);
  const [part, field, ...rest] = steps;
  if (part === "attempt") return attemptProblem(field, rest);
  if (part !== "inputs" && part !== "outputs") return partProblem(part, shape);
  const walked = walkShape(shape, steps, "block", find);
  if (!walked.ok) return walked.code === "no-success-output" ? { ...walked, fix: howItWent } : walked;
  return part === "inputs" ? secretProblem(reference, undone, definition) : undefined;
}

const howItWent = "Write block.attempt.outcome == 'success': how it went is not in its outputs.";

/** The same for a block of an undo plan: what it undoes is data there, and what is missing in that is null. */
export function undoneProblem({ steps: [part] }: Reference): ReferenceProblem | undefined {
  if ((parts as readonly unknown[]).includes(part)) return undefined;
  return partProblem(part, { stateOutputs: [], children: { kind: "none" } });
}

/** What is kept of an input that holds a secret is the reference to it, which is only a text there. */
function secretProblem(
  { keys }: Reference,
  { inputs }: BlockDefinition,
  definition: WorkflowDefinition,
): ReferenceProblem | undefined {
  const [, ...way] = keys;
  const values = way.length === 0 ? [...inputs.values()].map(({ value }) => value) : valuesAt(inputs, way);
  for (const value of values) {
    for (const { expression } of expressionsIn(value)) {
      const secret = references(expression).find((reference) => isSecret(reference, definition));
      if (secret === undefined) continue;
      const name = writePath(secret.root, secret.keys);
      return {
        code: "secret-not-kept",
        message: `${writePath("block", keys)} holds ${name}, whose value is kept nowhere.`,
        fix: secret.root === "secrets" ? `Write \${${name}} itself.` : "Write ${secrets.NAME} itself.",
      };
    }
  }
  return undefined;
}

function valuesAt(inputs: BlockDefinition["inputs"], [name, ...way]: readonly (string | number)[]): ValueTemplate[] {
  let value = inputs.get(String(name))?.value;
  for (const step of way) {
    if (value?.kind === "map") value = value.entries.find(({ key }: MapEntry) => key === String(step))?.value;
    else if (value?.kind === "list") value = value.items[Number(step)];
    else break;
  }
  return value === undefined ? [] : [value];
}

function unknownInUndo({ root, keys }: Reference, { id, inputs }: BlockDefinition): ReferenceProblem {
  const isItself = root === "blocks" && keys[0] === id;
  const own = [...inputs.values()].find(({ value }) => isReading(value, root, keys));
  const fix = isItself
    ? `Write ${writePath("block", keys.slice(1))}.`
    : own === undefined
      ? "Give the block an input with it, and write block.inputs.NAME; or let it be one of its outputs."
      : `Write block.inputs.${own.name}, which holds it.`;
  return {
    code: "reference-not-allowed",
    message: `${writePath(root, keys)} can't be read in \`undo\`: only \`block\` and \`secrets\` are known there.`,
    fix,
  };
}

/** Whether a value is this reference and nothing else. */
function isReading(value: ValueTemplate, root: string, keys: readonly (string | number)[]): boolean {
  if (value.kind !== "text" || value.template.parts.length !== 1) return false;
  const [only] = value.template.parts;
  if (typeof only !== "object" || only.expression.kind !== "path") return false;
  const [read] = references(only.expression);
  return read?.complete === true && writePath(read.root, read.keys) === writePath(root, keys);
}

function attemptProblem(
  field: Reference["steps"][number] | undefined,
  rest: Reference["steps"],
): ReferenceProblem | undefined {
  if (field === undefined || field === null || (ofAttempt.includes(String(field)) && rest.length === 0))
    return undefined;
  if (ofAttempt.includes(String(field))) {
    const path = `block.attempt.${field}`;
    return { code: "nothing-inside", message: `${path} has no fields.`, fix: `Write ${path} alone.` };
  }
  const fix = suggestName(String(field), ofAttempt, "field");
  return { code: "unknown-field", message: `There is no block.attempt.${field}.`, fix };
}

function partProblem(part: Reference["steps"][number] | undefined, shape: BlockShape): ReferenceProblem | undefined {
  const name = String(part);
  const message = part === undefined ? "`block` alone is no value." : `There is no block.${name}.`;
  const code = "unknown-field";
  if (ofAttempt.includes(name)) return { code, message, fix: `Write block.attempt.${name}.` };
  if (shape.outputs?.has(name)) return { code, message, fix: `Write block.outputs.${name}.` };
  if (shape.inputs?.includes(name)) return { code, message, fix: `Write block.inputs.${name}.` };
  if (name === "succeeded" || name === "failed") {
    const outcome = name === "succeeded" ? "success" : "failure";
    return { code, message, fix: `Write block.attempt.outcome == '${outcome}'.` };
  }
  return { code, message, fix: part === undefined ? "Write block.inputs.NAME." : suggestName(name, parts, "field") };
}

function pathTypes(shape: BlockShape, find: FindWorkflow): PathTypes {
  return ({ root, keys, complete }) => {
    if (root !== "block" || !complete) return "any";
    if (keys[0] === "attempt") return keys[1] === "number" ? "number" : keys.length === 2 ? "string" : "any";
    // What a failed attempt did not come to is null.
    const walked = keys[0] === "outputs" && keys.length > 1 ? undefined : walkShape(shape, keys, "block", find);
    return walked?.ok ? walked.type : "any";
  };
}

const pathTexts: PathTexts = ({ root, keys }) => {
  if (root !== "block" || keys[0] !== "attempt") return undefined;
  if (keys[1] === "outcome") return { texts: outcomes };
  return keys[1] === "status" ? { texts: statuses } : undefined;
};

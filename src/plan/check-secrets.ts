import { allBlocks } from "../definition/all-blocks.ts";
import type { MapEntry, ValueTemplate } from "../definition/value-template.ts";
import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import { type Report, reportIn } from "../diagnostic/collect-diagnostics.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { Reference } from "../expression/references.ts";
import { type FindWorkflow, knownChild } from "./block-shape.ts";
import {
  blockExpressions,
  givenExpressions,
  type PlacedUse,
  referencesOf,
  reportReference,
} from "./collect-references.ts";
import { isSecret, isSecretAlone, isWholeSecret, writeSecret } from "./secret-references.ts";

/**
 * Secrets may stand only where nothing records or shows them, each as it is: of what is computed from one nobody would know later
 * that it has to be hidden.
 */
export function* checkSecrets(definition: WorkflowDefinition, find: FindWorkflow, report: Report): Generator<void> {
  checkUses(givenExpressions(definition), definition, undefined, report);
  for (const block of allBlocks(definition)) {
    yield;
    const inBlock = reportIn(block.id, report);
    checkUses(blockExpressions(block), definition, block, inBlock);
    if (block.group !== undefined) checkUses(givenExpressions(block.group), definition, undefined, inBlock);
    for (const problem of keyProblems(block, definition)) inBlock(problem);
    const child = knownChild(block, find);
    const problems = child === undefined ? [] : secretArgumentProblems(block, definition, child);
    for (const problem of problems) inBlock(problem);
  }
}

function checkUses(
  uses: Iterable<PlacedUse>,
  definition: WorkflowDefinition,
  block: BlockDefinition | undefined,
  report: Report,
): void {
  for (const use of uses) {
    for (const placed of referencesOf([use])) {
      const problem = problemOf(placed.reference, use, definition, block);
      if (problem !== undefined) reportReference(problem, placed, block, report);
    }
  }
}

type Problem = Pick<Diagnostic, "code" | "message" | "why" | "fix">;

export const secretNamePattern: RegExp = /^[A-Z_][A-Z0-9_]*$/;

function problemOf(
  reference: Reference,
  use: PlacedUse,
  definition: WorkflowDefinition,
  block: BlockDefinition | undefined,
): Problem | undefined {
  if (!isSecret(reference, definition)) return computedProblem(reference, definition);
  const name = String(reference.keys[0]);
  if (reference.root === "secrets" && !secretNamePattern.test(name)) return nameProblem(name);
  const place = placeProblem(use, block, definition);
  if (place !== undefined) return place;
  if (isSecretAlone(use.expression, definition)) return undefined;
  return {
    code: "secret-in-expression",
    message: "A secret can only be used as it is.",
    why: "What is computed from a secret could not be kept out of the record.",
    fix: `Write \${${reference.root}.${name}} by itself; text may stand around it.`,
  };
}

/** Which input it will be is not known, so it could be one that holds a secret. */
function computedProblem({ root, keys, complete }: Reference, { inputs }: WorkflowDefinition): Problem | undefined {
  const secret = [...inputs.values()].find((input) => input.secret);
  if (root !== "inputs" || complete || keys.length > 0 || secret === undefined) return undefined;
  return {
    code: "computed-input",
    message: `The name of an input can't be computed here, because '${secret.name}' is secret.`,
    fix: "Write the name out.",
  };
}

function nameProblem(name: string): Problem {
  const better = name.toUpperCase().replaceAll(/[^A-Z0-9_]+/g, "_");
  const isBetter = secretNamePattern.test(better);
  return {
    code: "bad-name",
    message: `'${name}' can't be the name of a secret: use capitals, digits and _.`,
    fix: isBetter ? `Write ${writeSecret(better)} and set FROND_SECRET_${better}.` : `Write ${writeSecret("API_KEY")}.`,
  };
}

function placeProblem(
  { where, text }: PlacedUse,
  block: BlockDefinition | undefined,
  definition: WorkflowDefinition,
): Problem | undefined {
  if (block === undefined) return notAllowed(`A secret can't be in ${where}: what a workflow gives is recorded.`);
  const { type, secretInputs = [], behaviour } = block.type;
  if (secretInputs.some((input) => where === `inputs.${input}`)) return undefined;
  if (behaviour.kind === "nested" && where === `inputs.${behaviour.argumentsInput}`) {
    const isWhole = entriesOf(argumentsOf(block)).some(
      ({ value }) => value.kind === "text" && value.text === text && isWholeSecret(value, definition),
    );
    return isWhole ? undefined : notAllowed("A secret for another workflow must be the whole of one of its inputs.");
  }
  const allowed =
    secretInputs.length === 0 ? undefined : `In a block of type ${type} it can be in ${secretInputs.join(", ")}.`;
  return notAllowed(`A secret can't be in '${where}' of a block of type ${type}.`, allowed);
}

const anywhere =
  "Use it where it is needed: in `env` of a Shell block, in `headers` of an HttpCall, or for an input of another workflow " +
  "that is declared `secret: true`.";

function notAllowed(message: string, fix: string = anywhere): Problem {
  return { code: "secret-not-allowed", message, fix };
}

function argumentsOf({ type, inputs }: BlockDefinition): ValueTemplate | undefined {
  return type.behaviour.kind === "nested" ? inputs.get(type.behaviour.argumentsInput)?.value : undefined;
}

function entriesOf(given: ValueTemplate | undefined): readonly MapEntry[] {
  return given?.kind === "map" || given?.kind === "literal" ? (given.entries ?? []) : [];
}

/** What is no secret as a whole would be recorded with the other inputs. */
function keyProblems({ type, inputs }: BlockDefinition, definition: WorkflowDefinition): Diagnostic[] {
  return (type.onlySecretInputs ?? []).flatMap((name): Diagnostic[] => {
    const value = inputs.get(name)?.value;
    if (value === undefined || isWholeSecret(value, definition)) return [];
    if (value.kind === "literal" && value.value === null) return [];
    return [
      {
        code: "secret-needed",
        level: "error",
        message: `'${name}' of a block of type ${type.type} takes a secret and nothing else.`,
        why: "Anything else would be recorded with the run.",
        fix: `Write \`${name}: ${writeSecret("API_KEY")}\`, with the name of the secret.`,
        range: value.range,
      },
    ];
  });
}

/** Secrets go to inputs that are declared for them, and to those goes nothing else. */
export function secretArgumentProblems(
  block: BlockDefinition,
  definition: WorkflowDefinition,
  child: WorkflowDefinition,
): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  const given = argumentsOf(block);
  const secret = [...child.inputs.values()].find((input) => input.secret);
  if (given !== undefined && given.kind !== "map" && given.kind !== "literal" && secret !== undefined) {
    const message = `The inputs for '${child.name}' must be written out, because '${secret.name}' is secret.`;
    const fix = `Write them one by one, with \`${secret.name}: ${writeSecret("NAME")}\`.`;
    problems.push({ code: "secret-needed", level: "error", message, fix, range: given.range });
  }
  for (const { key, value } of entriesOf(given)) {
    const declared = child.inputs.get(key);
    if (declared === undefined) continue;
    const isGivenSecret = isWholeSecret(value, definition);
    const isGivenNothing = value.kind === "literal" && value.value === null;
    const input = `Input '${key}' of '${child.name}'`;
    if (isGivenSecret && declared.secret !== true) {
      const message = `${input} is not declared for secrets.`;
      const fix = `Add \`secret: true\` to '${key}' in ${child.name}.`;
      problems.push({ code: "secret-not-allowed", level: "error", message, fix, range: value.range });
    } else if (!isGivenSecret && !isGivenNothing && declared.secret === true) {
      const message = `${input} takes a secret and nothing else.`;
      const fix = `Write \`${key}: ${writeSecret("NAME")}\`, with the name of the secret.`;
      problems.push({ code: "secret-needed", level: "error", message, fix, range: value.range });
    }
  }
  return problems;
}

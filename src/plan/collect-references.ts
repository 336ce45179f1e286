import { expressionsIn, type PlacedText, type ValueTemplate } from "../definition/value-template.ts";
import type { BlockDefinition, OutputDeclaration, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { Expression } from "../expression/ast.ts";
import { type Reference, references } from "../expression/references.ts";

/** A reference to something outside an expression, and the key of the block or workflow that holds it. */
export interface PlacedReference {
  readonly reference: Reference;
  readonly text: PlacedText;
  readonly where: string;
}

export interface PlacedUse {
  readonly expression: Expression;
  readonly text: PlacedText;
  readonly where: string;
}

/** Every expression of a block, with the key it stands under. */
export function* blockExpressions(block: BlockDefinition): Generator<PlacedUse> {
  for (const input of block.inputs.values()) yield* within(input.value, `inputs.${input.name}`);
  if (block.condition !== undefined) yield { ...block.condition, where: "condition" };
  if (block.forEach !== undefined) yield* within(block.forEach.items, "for_each");
  if (block.timeout !== undefined) yield* within(block.timeout.value, "timeout");
  const { cost, retry, expect, repeat } = block;
  if (cost?.usd !== undefined) yield* within(cost.usd, "cost.usd");
  if (cost?.tokens !== undefined) yield* within(cost.tokens, "cost.tokens");
  if (retry !== undefined) {
    yield* within(retry.attempts, "retry.attempts");
    if (retry.delay !== undefined) yield* within(retry.delay, "retry.delay");
    if (retry.maxDelay !== undefined) yield* within(retry.maxDelay, "retry.max_delay");
  }
  if (expect?.fileExists !== undefined) yield* within(expect.fileExists, "expect.file_exists");
  if (expect?.condition !== undefined) yield { ...expect.condition, where: "expect.condition" };
  if (repeat !== undefined) {
    yield* within(repeat.max, "repeat.max");
    if (repeat.until !== undefined) yield { ...repeat.until, where: "repeat.until" };
    if (repeat.delay !== undefined) yield* within(repeat.delay, "repeat.delay");
  }
  for (const output of block.fileOutputs) yield* within(output.path, `outputs.${output.name}.path`);
}

/** Every expression of an output of a workflow. */
function* outputExpressions({ name, value, condition }: OutputDeclaration): Generator<PlacedUse> {
  const where = `outputs.${name}`;
  if (condition === undefined) yield* within(value, where);
  else yield { ...condition, where };
}

/** Every expression of what a workflow or a group gives. */
export function* givenExpressions({ outputs }: Pick<WorkflowDefinition, "outputs">): Generator<PlacedUse> {
  for (const output of outputs.values()) yield* outputExpressions(output);
}

/** Every expression of a block and of what is inside it. */
export function* expressionsWithin(block: BlockDefinition): Generator<PlacedUse> {
  yield* blockExpressions(block);
  if (block.group === undefined) return;
  for (const inner of block.group.blocks) yield* expressionsWithin(inner);
  yield* givenExpressions(block.group);
}

export function* within(template: ValueTemplate, where: string): Generator<PlacedUse> {
  for (const use of expressionsIn(template)) yield { ...use, where };
}

export function* referencesOf(uses: Iterable<PlacedUse>): Generator<PlacedReference> {
  for (const { expression, text, where } of uses) {
    for (const reference of references(expression)) yield { reference, text, where };
  }
}

/** A problem of a reference, where it is written: one that is a part of a var stands there, and what reads the var is told. */
export function reportReference(
  problem: Omit<Diagnostic, "range" | "level">,
  { reference: { start, end, origin }, text, where }: PlacedReference,
  block: BlockDefinition | undefined,
  report: Report,
): void {
  if (origin === undefined) return report({ level: "error", ...problem, range: text.rangeOf(start, end) });
  const reader = block === undefined ? where : `${where} of block '${block.id}'`;
  const use = `${reader} reads it as ${text.text.slice(start, end)}.`;
  const why = problem.why === undefined ? use : `${problem.why} ${use}`;
  report({ level: "error", ...problem, why, range: origin.text.rangeOf(origin.start, origin.end) });
}

export function referenceText({ reference, text }: PlacedReference): string {
  return text.text.slice(reference.start, reference.end).replaceAll(/\s+/g, " ");
}

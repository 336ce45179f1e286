import { allBlocks } from "../definition/all-blocks.ts";
import { suggestSpelling } from "../definition/data-type.ts";
import { findLimitProblems } from "../definition/value-limits.ts";
import type { LiteralTemplate, MapEntry, ValueTemplate } from "../definition/value-template.ts";
import type { BlockDefinition, InputDeclaration, WorkflowDefinition } from "../definition/workflow-definition.ts";
import { isSameFile, isWorkflowPath, nameOfKey, ownKey, pathProblem } from "../definition/workflow-path.ts";
import { type Report, reportIn } from "../diagnostic/collect-diagnostics.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import { defined } from "../util/defined.ts";
import { childKey, type FindWorkflow, writtenChild } from "./block-shape.ts";

/** Why a workflow that is called can't be found, in the words of whoever looked for it. */
export type ExplainMissing = (key: string) => Omit<Diagnostic, "range">;

export const missingWorkflow: ExplainMissing = (key) => ({
  code: "unknown-workflow",
  level: "warning",
  message: `No workflow here is named '${nameOfKey(key)}'; the block fails if it is still missing when it runs.`,
  advice: { kind: "list-workflows" },
});

export const callCycle = "workflow-cycle";

/** Calls of other workflows, as far as they are known: the child exists, gets the inputs it asks for, and does not call back. */
export function* checkCalls(
  definition: WorkflowDefinition,
  find: FindWorkflow,
  explainMissing: ExplainMissing,
  report: Report,
): Generator<void> {
  const cycles = new Map<string, string[] | undefined>();
  for (const block of allBlocks(definition)) {
    yield;
    const written = writtenChild(block);
    const name = childKey(block);
    if (written === undefined || name === undefined || block.type.behaviour.kind !== "nested") continue;
    const range = block.inputs.get(block.type.behaviour.nameInput)?.value.range ?? block.range;
    const inBlock = reportIn(block.id, report);
    const refused = isWorkflowPath(written) ? pathProblem(written, block.range.source) : undefined;
    if (refused !== undefined) {
      inBlock({ level: "error", ...refused, range });
      continue;
    }
    if (!cycles.has(name)) cycles.set(name, findCallCycle(definition, name, find));
    const cycle = cycles.get(name);
    if (cycle !== undefined) {
      inBlock({
        code: callCycle,
        level: "error",
        message: `Circular call: the workflow calls itself: ${cycle.map(nameOfKey).join(" -> ")}.`,
        fix: "A loop over data is written with for_each; a workflow can't contain itself.",
        range,
      });
      continue;
    }
    const child = find(name);
    if (child === undefined) {
      inBlock({ ...explainMissing(name), range });
      continue;
    }
    checkArguments(block, block.inputs.get(block.type.behaviour.argumentsInput)?.value, child, inBlock);
  }
}

/** The keys on the way back to the workflow itself, if calling this one leads there. */
function findCallCycle(root: WorkflowDefinition, first: string, find: FindWorkflow): string[] | undefined {
  const isRoot = (key: string): boolean =>
    key === ownKey(root.source) || (key === root.name && isSameFile((find(key) ?? root).source, root.source));
  if (isRoot(first)) return [root.name, root.name];
  const cameFrom = new Map<string, string>([[first, root.name]]);
  const queue = [first];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    for (const block of allBlocks(find(name) ?? { blocks: [] })) {
      const next = childKey(block);
      if (next === undefined || cameFrom.has(next)) continue;
      cameFrom.set(next, name);
      if (isRoot(next)) return wayBack(root.name, name, cameFrom);
      queue.push(next);
    }
  }
  return undefined;
}

function wayBack(root: string, last: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [root];
  for (let name: string | undefined = last; name !== undefined && name !== root; name = cameFrom.get(name))
    way.unshift(name);
  return [root, ...way];
}

function checkArguments(
  block: BlockDefinition,
  given: ValueTemplate | undefined,
  child: WorkflowDefinition,
  report: Report,
): void {
  const entries = argumentEntries(given);
  if (entries === undefined) return;
  for (const { key, keyRange, value } of entries) {
    const declared = child.inputs.get(key);
    if (declared === undefined) {
      report({
        code: "unknown-input",
        level: "error",
        message: `The workflow '${child.name}' has no input '${key}'.`,
        fix: suggestName(key, child.inputs.keys(), "input"),
        range: keyRange,
      });
    } else if (value.kind === "literal") checkArgument(value, declared, child, report);
  }
  for (const input of child.inputs.values()) {
    if (!input.required || entries.some(({ key }) => key === input.name)) continue;
    report({
      code: "missing-input",
      level: "error",
      message: `block '${block.id}' calls '${child.name}' without its required input '${input.name}'.`,
      fix: `Add \`${input.name}:\` under inputs.inputs.`,
      range: given?.range ?? block.range,
    });
  }
}

/** The arguments, or nothing when they are only known at run time. */
function argumentEntries(given: ValueTemplate | undefined): readonly MapEntry[] | undefined {
  if (given === undefined) return [];
  return given.kind === "map" || given.kind === "literal" ? given.entries : undefined;
}

/** What a call writes out is held to what a value given at run time is held to. */
function checkArgument(
  { value, range }: LiteralTemplate,
  declared: InputDeclaration,
  child: WorkflowDefinition,
  report: Report,
): void {
  const { name, type, required } = declared;
  if (value === null && !required) return;
  const input = `Input '${name}' of '${child.name}'`;
  if (required && value === "" && type === "string") {
    report({ code: "missing-input", level: "error", message: `${input} is empty.`, fix: "Give it a text.", range });
    return;
  }
  for (const problem of findLimitProblems(input, value, declared)) {
    const spelling = problem.code === "wrong-type" ? defined({ fix: suggestSpelling(value, type) }) : {};
    report({ ...problem, ...spelling, level: "error", range });
  }
}

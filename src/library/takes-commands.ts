import { writtenInputs } from "../definition/load-block-inputs.ts";
import { expressionsIn, type ValueTemplate } from "../definition/value-template.ts";
import type { BlockDefinition, InputDeclaration, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Expression } from "../expression/ast.ts";
import { parseEmbedded } from "../expression/parse-template.ts";
import { type Reference, references } from "../expression/references.ts";
import { type FindWorkflow, findBlock, knownChild } from "../plan/block-shape.ts";
import { blockExpressions } from "../plan/collect-references.ts";
import { knownWorkflows } from "./known-workflows.ts";

/** From where somebody who calls a workflow can decide which program runs in it. */
export interface CommandSources {
  /** Names of inputs. */
  readonly inputs: ReadonlySet<string>;
  /** Whether the answer to one of its questions does. */
  readonly answers: boolean;
}

/**
 * What of a workflow decides which program runs in it, or in what it calls: a value that reaches the name of a command, a
 * script's file, or a program's text. Values are followed through the outputs of blocks, each of which may give what it was given.
 */
export function commandSources(definition: WorkflowDefinition, find: FindWorkflow): CommandSources {
  return new CommandSearch(find).sourcesOf(definition);
}

/** Whether it takes commands, as a capability. */
export function takesCommands(definition: WorkflowDefinition, find: FindWorkflow): boolean {
  const { inputs, answers } = commandSources(definition, find);
  return answers || inputs.size > 0;
}

const none: CommandSources = { inputs: new Set(), answers: false };

class CommandSearch {
  private readonly find: FindWorkflow;
  private readonly known = new Map<WorkflowDefinition, CommandSources>();

  constructor(find: FindWorkflow) {
    this.find = find;
  }

  sourcesOf(definition: WorkflowDefinition): CommandSources {
    const known = this.known.get(definition);
    if (known !== undefined) return known;
    // A workflow that calls itself adds nothing to what it is found to take.
    this.known.set(definition, none);
    const search = new WorkflowSearch(definition, this.find);
    for (const block of definition.blocks) this.searchBlock(block, search);
    this.known.set(definition, search.found);
    return search.found;
  }

  private searchBlock(block: BlockDefinition, search: WorkflowSearch): void {
    for (const text of block.type.chosenPrograms?.(writtenInputs(block.inputs)) ?? []) {
      const parsed = parseEmbedded(text, 0, { filters: ["raw"] });
      if (parsed.ok) search.follow(references(parsed.value.expression), block);
    }
    const { behaviour } = block.type;
    if (behaviour.kind !== "nested") return;
    const child = knownChild(block, this.find);
    const given = block.inputs.get(behaviour.argumentsInput)?.value;
    if (child === undefined) {
      // The workflow is chosen during the run, so it may be one that takes commands: from its inputs, or by asking.
      const name = block.inputs.get(behaviour.nameInput)?.value;
      const chosen = name === undefined ? [] : referencesIn(name);
      search.follow([...chosen, ...(given === undefined ? [] : referencesIn(given))], block);
      search.found.answers ||= chosen.length > 0;
      return;
    }
    const { inputs, answers } = this.sourcesOf(child);
    search.found.answers ||= answers;
    for (const name of inputs) search.follow(givenFor(name, given), block);
  }
}

/** The references that decide what a child's input is. */
function givenFor(name: string, given: ValueTemplate | undefined): Reference[] {
  if (given === undefined || given.kind === "literal") return [];
  if (given.kind !== "map") return referencesIn(given);
  const entry = given.entries.find(({ key }) => key === name);
  return entry === undefined ? [] : referencesIn(entry.value);
}

function referencesIn(template: ValueTemplate): Reference[] {
  return [...expressionsIn(template)].flatMap(({ expression }) => references(expression));
}

/** Follows references of one workflow to its inputs and questions. */
class WorkflowSearch {
  readonly found: { readonly inputs: Set<string>; answers: boolean } = { inputs: new Set(), answers: false };
  private readonly definition: WorkflowDefinition;
  private readonly find: FindWorkflow;
  private readonly followed = new Set<BlockDefinition>();

  constructor(definition: WorkflowDefinition, find: FindWorkflow) {
    this.definition = definition;
    this.find = find;
  }

  follow(found: readonly Reference[], block: BlockDefinition): void {
    for (const { root, keys } of found) {
      const [first] = keys;
      if (root === "inputs") this.addInput(first);
      else if (root === "each" && block.forEach !== undefined) this.follow(referencesIn(block.forEach.items), block);
      else if (root === "blocks") this.followBlock(String(first));
    }
  }

  private addInput(name: string | number | undefined): void {
    for (const [declared, declaration] of this.definition.inputs) {
      if ((name === undefined || name === declared) && isFree(declaration)) this.found.inputs.add(declared);
    }
  }

  private followBlock(id: string): void {
    const block = findBlock(this.definition, id);
    if (block === undefined || this.followed.has(block)) return;
    this.followed.add(block);
    const child = knownChild(block, this.find);
    const called = child === undefined ? [] : knownWorkflows(child, this.find);
    const within = [block, ...[...called].flatMap(({ blocks }) => blocks)];
    if (within.some(({ type }) => type.capabilities.includes("prompts"))) this.found.answers = true;
    const expressions: Expression[] = [...blockExpressions(block)].map(({ expression }) => expression);
    this.follow(expressions.flatMap(references), block);
  }
}

/** Whether an input can be any text: one of a fixed set, a number or a truth value names no program of the caller's choice. */
function isFree({ type, enum: choices }: InputDeclaration): boolean {
  return choices === undefined && type !== "integer" && type !== "number" && type !== "boolean";
}

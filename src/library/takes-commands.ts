import { posix } from "node:path";
import type { BlockPrograms, FileName } from "../block/define-block.ts";
import { allBlocks } from "../definition/all-blocks.ts";
import { writtenInputs } from "../definition/load-block-inputs.ts";
import { expressionsIn, type ValueTemplate } from "../definition/value-template.ts";
import type { BlockDefinition, InputDeclaration, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Expression } from "../expression/ast.ts";
import { parseEmbedded } from "../expression/parse-template.ts";
import { type Reference, references } from "../expression/references.ts";
import { knowingBlock } from "../expression/vars.ts";
import { type FindWorkflow, knownChild } from "../plan/block-shape.ts";
import { blockExpressions, givenExpressions } from "../plan/collect-references.ts";
import { knownWorkflows } from "./known-workflows.ts";

/** From where somebody who calls a workflow can decide which program runs in it. */
export interface CommandSources {
  /** Names of inputs. */
  readonly inputs: ReadonlySet<string>;
  /** Whether the answer to one of its questions does. */
  readonly answers: boolean;
  /** Whether the directory it works in decides what runs: one that holds a Makefile or a script. */
  readonly workspace: boolean;
}

/**
 * What of a workflow decides which program runs in it, or in what it calls: a value that reaches the name of a command, a
 * script's file, a program's text, or the directory that a program takes its commands from. Values are followed through the
 * outputs of blocks, each of which may give what it was given, and into files that are run.
 */
export function commandSources(definition: WorkflowDefinition, find: FindWorkflow): CommandSources {
  const { sources, files } = new CommandSearch(find).search(definition);
  const { inputs, answers } = sources;
  return { inputs, answers, workspace: files.length > 0 };
}

/** Whether it takes commands, as a capability. */
export function takesCommands(definition: WorkflowDefinition, find: FindWorkflow): boolean {
  const { inputs, answers } = commandSources(definition, find);
  return answers || inputs.size > 0;
}

/** Inputs and answers. */
class Sources {
  readonly inputs: Set<string> = new Set();
  answers = false;

  add({ inputs, answers }: Sources): void {
    for (const name of inputs) this.inputs.add(name);
    this.answers ||= answers;
  }
}

/** What is known of a workflow. */
interface Found {
  /** What decides which program runs. */
  readonly sources: Sources;
  /** What it runs of the workspace. */
  readonly files: readonly FileName[];
  /** The files that it writes what it is given to. */
  readonly writes: readonly Write[];
}

interface Write {
  /** Empty when it is computed: it may be any file. */
  readonly name: string;
  readonly sources: Sources;
}

const nothing: Found = { sources: new Sources(), files: [], writes: [] };

class CommandSearch {
  private readonly find: FindWorkflow;
  private readonly known = new Map<WorkflowDefinition, Found>();

  constructor(find: FindWorkflow) {
    this.find = find;
  }

  search(definition: WorkflowDefinition): Found {
    const known = this.known.get(definition);
    if (known !== undefined) return known;
    // A workflow that calls itself adds nothing to what it is found to take.
    this.known.set(definition, nothing);
    const follow = new ValueSources(definition, this.find);
    const sources = new Sources();
    const files: FileName[] = [];
    const writes: Write[] = [];
    for (const block of allBlocks(definition)) {
      const part = block.type.behaviour.kind === "nested" ? this.ofCall(block, follow) : ofLeaf(block, follow);
      sources.add(part.sources);
      files.push(...part.files);
      writes.push(...part.writes);
    }
    // Whichever comes first: what is written is still there when the workflow runs again.
    for (const write of writes) if (files.some((file) => isNamed(file, write.name))) sources.add(write.sources);
    const found = { sources, files, writes };
    this.known.set(definition, found);
    return found;
  }

  private ofCall(block: BlockDefinition, follow: ValueSources): Found {
    const { behaviour } = block.type;
    if (behaviour.kind !== "nested") return nothing;
    const given = block.inputs.get(behaviour.argumentsInput)?.value;
    const place =
      behaviour.workspaceInput === undefined ? undefined : block.inputs.get(behaviour.workspaceInput)?.value;
    const placed = place === undefined ? [] : referencesIn(place);
    const child = knownChild(block, this.find);
    if (child === undefined) {
      // The workflow is chosen during the run, so it may be one that takes commands: from its inputs, or by asking.
      const name = block.inputs.get(behaviour.nameInput)?.value;
      const chosen = name === undefined ? [] : referencesIn(name);
      const sources = follow.from([...chosen, ...placed, ...(given === undefined ? [] : referencesIn(given))], block);
      sources.answers ||= chosen.length > 0;
      return { ...nothing, sources };
    }
    const { sources, files, writes } = this.search(child);
    const passed = (of: Sources): Sources => {
      const found = follow.from(
        [...of.inputs].flatMap((name) => givenFor(name, given)),
        block,
      );
      found.answers ||= of.answers;
      return found;
    };
    const found = passed(sources);
    if (files.length > 0) found.add(follow.from(placed, block));
    return { sources: found, files, writes: writes.map((write) => ({ ...write, sources: passed(write.sources) })) };
  }
}

function ofLeaf(block: BlockDefinition, follow: ValueSources): Found {
  const { type, inputs } = block;
  const { chosen, files, written } = type.programs?.(writtenInputs(inputs)) ?? noPrograms;
  const sources = follow.from(chosen.flatMap(follow.referencesOfText), block);
  const writes: Write[] = written.map(({ name, value }) => ({
    name,
    sources: follow.from(follow.referencesOfText(value), block),
  }));
  if (type.writes !== undefined) {
    const path = inputs.get(type.writes.path)?.value;
    const content = type.writes.content.flatMap((name) => inputs.get(name)?.value ?? []).flatMap(referencesIn);
    if (path !== undefined) writes.push({ name: fileNameOf(path), sources: follow.from(content, block) });
  }
  return { sources, files, writes };
}

const noPrograms: BlockPrograms = { chosen: [], files: [], written: [] };

function fileNameOf(path: ValueTemplate): string {
  return path.kind === "literal" ? posix.basename(String(path.value)) : "";
}

/** Whether a file that is run may be the one of the name. */
function isNamed(file: FileName, name: string): boolean {
  if (name === "") return true;
  return typeof file === "string" ? file === name : file.test(name);
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
class ValueSources {
  private readonly definition: WorkflowDefinition;
  private readonly find: FindWorkflow;
  /** By id, which blocks in different groups may share: then any of them may be meant. */
  private readonly blocks = new Map<string, BlockDefinition[]>();
  private readonly holders = new Map<BlockDefinition, BlockDefinition>();

  constructor(definition: WorkflowDefinition, find: FindWorkflow) {
    this.definition = definition;
    this.find = find;
    for (const block of allBlocks(definition)) {
      this.blocks.set(block.id, [...(this.blocks.get(block.id) ?? []), block]);
      for (const inner of block.group?.blocks ?? []) this.holders.set(inner, block);
    }
  }

  /** The `${...}` of a text. */
  readonly referencesOfText = (text: string): readonly Reference[] => {
    const parsed = parseEmbedded(text, 0, { filters: ["raw"], vars: knowingBlock(this.definition.vars) });
    return parsed.ok ? references(parsed.value.expression) : [];
  };

  from(found: readonly Reference[], block: BlockDefinition): Sources {
    const sources = new Sources();
    this.follow(found, block, sources, new Set());
    return sources;
  }

  private follow(found: readonly Reference[], block: BlockDefinition, sources: Sources, followed: Set<object>): void {
    for (const { root, keys } of found) {
      const [first] = keys;
      if (root === "inputs") this.addInput(first, sources);
      else if (root === "each") this.followEach(first, block, sources, followed);
      else if (root === "blocks") this.followBlock(String(first), sources, followed);
      // What undoes a block has its id.
      else if (root === "block") this.followBlock(block.id, sources, followed);
    }
  }

  /** An element of a loop that the block is or stands in, or what was made in the pass before. */
  private followEach(
    field: string | number | undefined,
    block: BlockDefinition,
    sources: Sources,
    followed: Set<object>,
  ): void {
    for (let at: BlockDefinition | undefined = block; at !== undefined; at = this.holders.get(at)) {
      if (at.forEach !== undefined && !followed.has(at.forEach)) {
        followed.add(at.forEach);
        // There `each` is still that of the loop around.
        this.follow(referencesIn(at.forEach.items), this.holders.get(at) ?? at, sources, followed);
      }
      const isLoop = at.forEach !== undefined || at.repeat !== undefined;
      const mayBePrevious = field === undefined || field === "previous" || field === "outer";
      if (isLoop && mayBePrevious) this.followInto(at, sources, followed);
    }
  }

  private addInput(name: string | number | undefined, sources: Sources): void {
    for (const [declared, declaration] of this.definition.inputs) {
      if ((name === undefined || name === declared) && isFree(declaration)) sources.inputs.add(declared);
    }
  }

  private followBlock(id: string, sources: Sources, followed: Set<object>): void {
    for (const block of this.blocks.get(id) ?? []) this.followInto(block, sources, followed);
  }

  private followInto(block: BlockDefinition, sources: Sources, followed: Set<object>): void {
    if (followed.has(block)) return;
    followed.add(block);
    const child = knownChild(block, this.find);
    const called = child === undefined ? [] : knownWorkflows(child, this.find);
    const within = [block, ...[...called].flatMap((definition) => [...allBlocks(definition)])];
    if (within.some(({ type }) => type.capabilities.includes("prompts"))) sources.answers = true;
    const expressions: Expression[] = [...blockExpressions(block)].map(({ expression }) => expression);
    this.follow(expressions.flatMap(references), block, sources, followed);
    if (block.group === undefined) return;
    for (const inner of block.group.blocks) this.followInto(inner, sources, followed);
    const given = [...givenExpressions(block.group)].flatMap(({ expression }) => references(expression));
    this.follow(given, block, sources, followed);
  }
}

/** Whether an input can be any text: one of a fixed set, a number or a truth value names no program of the caller's choice. */
function isFree({ type, enum: choices }: InputDeclaration): boolean {
  return choices === undefined && type !== "integer" && type !== "number" && type !== "boolean";
}

import { resolveValue, type ValueTemplate } from "../definition/value-template.ts";
import type { BlockDefinition, Repeat, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { Range } from "../diagnostic/source.ts";
import type { Scope } from "../expression/ast.ts";
import { isList, isMap } from "../expression/value.ts";
import { type BlockHolder, childKey, type FindWorkflow } from "./block-shape.ts";
import { expressionsWithin, referencesOf, within } from "./collect-references.ts";

export const tooManyNodes = "too-many-nodes";

/**
 * Counts the nodes that a run of a workflow is sure to have, if nothing fails: without building them, and each workflow once, for
 * one that calls another twice at every level grows beyond all bounds. What a condition or a value decides counts as little as it
 * can be.
 */
export class NodeCounter {
  readonly #counts = new Map<BlockHolder, number>();

  /** What is wrong with a workflow whose runs are sure to be too large. `find` knows the workflows that it calls. */
  *check(definition: WorkflowDefinition, find: FindWorkflow, most: number): Generator<void, readonly Diagnostic[]> {
    const count = yield* this.#count(definition, find);
    if (count <= most) return [];
    let largest: { readonly block: BlockDefinition; readonly count: number } | undefined;
    for (const block of certainBlocks(definition)) {
      const own = yield* this.#countBlock(block, find);
      if (own > (largest?.count ?? 0)) largest = { block, count: own };
    }
    return [
      {
        code: tooManyNodes,
        level: "error",
        message: `A run of '${definition.name}' would have ${show(count)} nodes (blocks and loop elements); the limit is ${show(most)}.`,
        ...(largest === undefined
          ? {}
          : { why: `block '${largest.block.id}' alone stands for ${show(largest.count)}.` }),
        fix: "Split the work into several runs, or raise FROND_MAX_NODES.",
        ...(largest === undefined ? {} : { range: loopRange(largest.block) ?? largest.block.range }),
      },
    ];
  }

  *#count(definition: BlockHolder, find: FindWorkflow): Generator<void, number> {
    const known = this.#counts.get(definition);
    if (known !== undefined) return known;
    // A workflow that calls itself is refused elsewhere; here it only has to come to an end.
    this.#counts.set(definition, 1);
    let count = 1 + definition.blocks.length;
    for (const block of certainBlocks(definition)) count += (yield* this.#countBlock(block, find)) - 1;
    this.#counts.set(definition, count);
    return count;
  }

  *#countBlock(block: BlockDefinition, find: FindWorkflow): Generator<void, number> {
    yield;
    const name = childKey(block);
    const child = block.group ?? (name === undefined ? undefined : find(name));
    // The root of what is inside is the block itself.
    const single = child === undefined ? 1 : yield* this.#count(child, find);
    if (block.forEach !== undefined) return 1 + countElements(block.forEach.items) * single;
    return block.repeat === undefined ? single : 1 + countPasses(block.repeat) * single;
  }
}

/** Blocks that no condition keeps from running: neither their own nor one of a block they wait for. */
function certainBlocks(definition: BlockHolder): readonly BlockDefinition[] {
  const dependents = new Map<string, BlockDefinition[]>();
  for (const block of definition.blocks) {
    for (const id of dependenciesOf(block)) {
      const known = dependents.get(id);
      if (known === undefined) dependents.set(id, [block]);
      else known.push(block);
    }
  }
  const uncertain = new Set(definition.blocks.filter(({ condition }) => condition !== undefined));
  for (const { id } of uncertain) for (const dependent of dependents.get(id) ?? []) uncertain.add(dependent);
  return definition.blocks.filter((block) => !uncertain.has(block));
}

function dependenciesOf(block: BlockDefinition): ReadonlySet<string> {
  const ids = new Set(block.dependsOn.map((dependency) => dependency.block));
  for (const { reference } of referencesOf(expressionsWithin(block))) {
    if (reference.root === "blocks") ids.add(String(reference.keys[0]));
  }
  return ids;
}

const nothing: Scope = { read: () => ({ found: false, message: "Nothing is known yet." }) };

/** How many elements a loop has, as far as its text alone tells. */
function countElements(items: ValueTemplate): number {
  if (items.kind === "list") return items.items.length;
  if (items.kind === "map") return items.entries.length;
  if (!referencesOf(within(items, "for_each")).next().done) return 0;
  const resolved = resolveValue(items, nothing);
  if (!resolved.ok) return 0;
  const { value } = resolved;
  return isList(value) ? value.length : isMap(value) ? Object.keys(value).length : 0;
}

/** It may end after the first pass if it has an end at all. */
function countPasses({ max, until }: Repeat): number {
  return until === undefined && max.kind === "literal" && typeof max.value === "number" ? max.value : 1;
}

function loopRange({ forEach, repeat }: BlockDefinition): Range | undefined {
  return forEach?.items.range ?? repeat?.max.range;
}

function show(count: number): string {
  const most = 1_000_000_000_000;
  return count > most ? `more than ${most.toLocaleString("en-US")}` : count.toLocaleString("en-US");
}

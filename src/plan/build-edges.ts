import type { BlockDefinition, OutputDeclaration, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import { type BlockShape, type FindWorkflow, shapeOf } from "./block-shape.ts";
import {
  blockExpressions,
  outputExpressions,
  type PlacedReference,
  type PlacedUse,
  referencesOf,
  referenceText,
} from "./collect-references.ts";
import type { IsUpstream } from "./order-blocks.ts";
import type { Edge } from "./plan.ts";
import { walkShape } from "./walk-shape.ts";

/** The edges of every block, in the order of the blocks: first those the author declared, then those its references add. */
export class EdgeBuilder {
  readonly #blocks: readonly BlockDefinition[];
  readonly #unreadable: ReadonlySet<string>;
  readonly #indexOf: ReadonlyMap<string, number>;
  readonly #shapes: (BlockShape | undefined)[] = [];
  readonly #mentioned: (ReadonlySet<number> | undefined)[] = [];
  readonly #find: FindWorkflow;
  readonly #report: Report;

  constructor(
    definition: WorkflowDefinition,
    indexOf: ReadonlyMap<string, number>,
    find: FindWorkflow,
    report: Report,
  ) {
    this.#blocks = definition.blocks;
    this.#unreadable = definition.unreadable;
    this.#indexOf = indexOf;
    this.#find = find;
    this.#report = report;
  }

  shape(index: number): BlockShape {
    this.#shapes[index] ??= shapeOf(this.#blocks[index] as BlockDefinition, this.#find);
    return this.#shapes[index];
  }

  /** The blocks whose state a block's condition mentions. */
  mentioned(index: number): ReadonlySet<number> {
    this.#mentioned[index] ??= this.#findMentioned(this.#blocks[index] as BlockDefinition);
    return this.#mentioned[index];
  }

  #findMentioned({ condition }: BlockDefinition): Set<number> {
    return condition === undefined ? new Set() : this.#read([{ ...condition, where: "condition" }], "state");
  }

  /** The blocks whose state a block reads anywhere. */
  readsStateOf(index: number): ReadonlySet<number> {
    return this.#read(blockExpressions(this.#blocks[index] as BlockDefinition), "state");
  }

  /** The blocks of which the workflow's outputs read something they made. */
  usedByOutputs(outputs: Iterable<OutputDeclaration>): ReadonlySet<number> {
    const uses = [...outputs].flatMap((output) => [...outputExpressions(output)]);
    return this.#read(uses, "outputs");
  }

  #read(uses: Iterable<PlacedUse>, what: "state" | "outputs"): Set<number> {
    const read = new Set<number>();
    for (const placed of referencesOf(uses)) {
      const on = this.#target(placed);
      if (on !== undefined && this.#mentionsState(placed, on) === (what === "state")) read.add(on);
    }
    return read;
  }

  /** Yields for every block. */
  *declared(): Generator<void, Edge[][]> {
    const all: Edge[][] = [];
    for (const [index, block] of this.#blocks.entries()) {
      yield;
      const mentioned = this.mentioned(index);
      const edges = block.dependsOn.flatMap((dependency): Edge[] => {
        const on = this.#indexOf.get(dependency.block);
        if (on === undefined) {
          if (this.#unreadable.has(dependency.block)) return [];
          this.#report({
            code: "unknown-block",
            level: "error",
            message: `block '${block.id}' depends on '${dependency.block}', which does not exist.`,
            fix: suggestName(dependency.block, this.#indexOf.keys(), "block"),
            range: dependency.range,
          });
          return [];
        }
        const misplaced = this.#acrossFinally(block, on);
        if (misplaced !== undefined) {
          this.#report({ code: "finally-dependency", level: "error", ...misplaced, range: dependency.range });
          return [];
        }
        return [
          {
            on,
            required: dependency.required ?? true,
            conditionDecides: dependency.required !== true && mentioned.has(on),
            reason: { kind: "depends_on" },
            range: dependency.range,
          },
        ];
      });
      all.push(edges);
    }
    return all;
  }

  #acrossFinally(block: BlockDefinition, on: number): { readonly message: string; readonly fix: string } | undefined {
    const other = this.#blocks[on] as BlockDefinition;
    if (isFinally(block) === isFinally(other)) return undefined;
    if (!isFinally(block)) return readsFinally(other.id);
    return {
      message: `block '${block.id}' is under \`finally\`, which runs when '${other.id}' has ended anyway.`,
      fix: `Remove '${other.id}' from its \`depends_on\`; it can read it without.`,
    };
  }

  /** Edges for references to blocks that are not upstream yet, so that nothing can read a block that has not run. */
  fromReferences(index: number, isUpstream: IsUpstream): Edge[] {
    const block = this.#blocks[index] as BlockDefinition;
    const byTarget = new Map<number, { first: PlacedReference; mentionsState: boolean }>();
    for (const placed of referencesOf(blockExpressions(block))) {
      const on = this.#target(placed);
      // When `finally` begins, everything else has ended.
      if (on === undefined || on === index || isFinally(block) !== isFinally(this.#blocks[on])) continue;
      const seen = byTarget.get(on);
      const mentionsState = this.#mentionsState(placed, on);
      if (seen === undefined) byTarget.set(on, { first: placed, mentionsState });
      else seen.mentionsState ||= mentionsState;
    }
    const mentioned = this.mentioned(index);
    const edges: Edge[] = [];
    for (const [on, { first, mentionsState }] of byTarget) {
      if (isUpstream(index, on)) continue;
      const range = first.text.rangeOf(first.reference.start, first.reference.end);
      edges.push({
        on,
        required: !mentionsState,
        conditionDecides: mentioned.has(on),
        reason: { kind: "reference", text: referenceText(first), where: first.where },
        range,
      });
    }
    return edges;
  }

  #target({ reference }: PlacedReference): number | undefined {
    return reference.root === "blocks" ? this.#indexOf.get(String(reference.keys[0])) : undefined;
  }

  #mentionsState({ reference }: PlacedReference, on: number): boolean {
    const walked = walkShape(this.shape(on), reference.steps.slice(1), "", this.#find);
    return walked.ok && walked.mentionsState;
  }
}

function isFinally(block: BlockDefinition | undefined): boolean {
  return block?.isFinally === true;
}

/** What is wrong with a block, or an output, that wants something of a block under `finally`. */
export function readsFinally(id: string): { readonly message: string; readonly fix: string } {
  return {
    message: `block '${id}' is under \`finally\`, which runs when everything else has ended.`,
    fix: `Only blocks under \`finally\` can use it. Move '${id}' to \`blocks:\` if its result is needed.`,
  };
}

import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { type BlockShape, type FindWorkflow, shapeOf } from "./block-shape.ts";
import {
  blockExpressions,
  givenExpressions,
  type PlacedReference,
  referencesOf,
  referenceText,
} from "./collect-references.ts";
import { fixDependency, isInside } from "./explain-unknown.ts";
import { groupDefinition } from "./group-definition.ts";
import type { IsUpstream } from "./order-blocks.ts";
import type { Edge } from "./plan.ts";
import { walkShape } from "./walk-shape.ts";

/** A block by where it stands: so many levels further out than whoever names it. */
export interface Located {
  readonly builder: EdgeBuilder;
  readonly index: number;
  readonly levels: number;
}

/** All that some expressions ask of one block. */
export interface Demand {
  readonly first: PlacedReference;
  mentionsState: boolean;
}

/**
 * The edges of the blocks of a workflow or of a group, in the order of the blocks: first those the author declared, then those that
 * references add. A reference from inside a group to a block around it is one of the group.
 */
export class EdgeBuilder {
  readonly definition: WorkflowDefinition;
  readonly indexOf: ReadonlyMap<string, number>;
  /** The group whose blocks these are, where it stands. */
  readonly holder: { readonly builder: EdgeBuilder; readonly index: number } | undefined;
  /** By what authors declare; known once that has been read. */
  isUpstream: IsUpstream = () => false;
  readonly #find: FindWorkflow;
  readonly #report: Report;
  readonly #shapes: (BlockShape | undefined)[] = [];
  readonly #inside: (EdgeBuilder | undefined)[] = [];
  readonly #mentioned: (ReadonlySet<string> | undefined)[] = [];
  readonly #mentionedInside: (ReadonlySet<string> | undefined)[] = [];
  readonly #leadingOut: (readonly PlacedReference[] | undefined)[] = [];

  constructor(definition: WorkflowDefinition, find: FindWorkflow, report: Report, holder?: EdgeBuilder["holder"]) {
    this.definition = definition;
    this.indexOf = new Map(definition.blocks.map((block, index) => [block.id, index]));
    this.holder = holder;
    this.#find = find;
    this.#report = report;
  }

  /** Of the blocks inside a block; nothing if it holds none. */
  inside(index: number): EdgeBuilder | undefined {
    const { group } = this.#block(index);
    if (group === undefined) return undefined;
    const definition = groupDefinition(this.definition, group);
    this.#inside[index] ??= new EdgeBuilder(definition, this.#find, this.#report, { builder: this, index });
    return this.#inside[index];
  }

  /** The groups around these blocks, innermost first. */
  holders(): readonly BlockDefinition[] {
    const { holder } = this;
    return holder === undefined ? [] : [holder.builder.#block(holder.index), ...holder.builder.holders()];
  }

  /** The block that an id means here: one beside, else one around. */
  locate(id: string, levels: number = 0): Located | undefined {
    const index = this.indexOf.get(id);
    if (index !== undefined) return { builder: this, index, levels };
    return this.holder?.builder.locate(id, levels + 1);
  }

  /** Whether a block of that id is in the file, but too broken to be known. */
  isUnreadable(id: string): boolean {
    return this.definition.unreadable.has(id) || this.holder?.builder.isUnreadable(id) === true;
  }

  shape(index: number): BlockShape {
    this.#shapes[index] ??= shapeOf(this.#block(index), this.#find);
    return this.#shapes[index];
  }

  /** The blocks beside it whose state a block's condition mentions. */
  mentioned(index: number): ReadonlySet<number> {
    return this.#beside(this.mentionedIds(index));
  }

  /** The same with those around. */
  mentionedIds(index: number): ReadonlySet<string> {
    this.#mentioned[index] ??= this.#findMentioned(this.#block(index));
    return this.#mentioned[index];
  }

  #findMentioned({ condition }: BlockDefinition): ReadonlySet<string> {
    return condition === undefined ? noIds : this.#read(referencesOf([{ ...condition, where: "condition" }]), "state");
  }

  /** The blocks beside it whose state a block, or one inside it, reads anywhere. */
  readsStateOf(index: number): ReadonlySet<number> {
    return this.#beside([
      ...this.#read(this.ownReferences(index), "state"),
      ...this.#read(this.leadingOut(index), "state"),
    ]);
  }

  /** The blocks of which outputs read something they made. */
  usedByOutputs(): ReadonlySet<number> {
    return this.#beside(this.#read(referencesOf(givenExpressions(this.definition)), "outputs"));
  }

  #read(placed: Iterable<PlacedReference>, what: "state" | "outputs"): ReadonlySet<string> {
    const read = new Set<string>();
    for (const one of placed) {
      const id = targetOf(one);
      if (id !== undefined && this.#mentionsState(one) === (what === "state")) read.add(id);
    }
    return read;
  }

  #beside(ids: Iterable<string>): ReadonlySet<number> {
    return new Set([...ids].flatMap((id) => this.indexOf.get(id) ?? []));
  }

  /** The blocks outside of it whose state conditions inside a block mention. */
  mentionedInside(index: number): ReadonlySet<string> {
    this.#mentionedInside[index] ??= this.#findMentionedInside(this.inside(index));
    return this.#mentionedInside[index];
  }

  #findMentionedInside(inside: EdgeBuilder | undefined): ReadonlySet<string> {
    if (inside === undefined) return noIds;
    const ids = new Set<string>();
    for (const index of inside.definition.blocks.keys()) {
      for (const id of [...inside.mentionedIds(index), ...inside.mentionedInside(index)]) {
        if (!inside.indexOf.has(id)) ids.add(id);
      }
    }
    return ids;
  }

  /** Yields for every block. */
  *declared(): Generator<void, Edge[][]> {
    const all: Edge[][] = [];
    for (const [index, block] of this.definition.blocks.entries()) {
      yield;
      const mentioned = this.mentionedIds(index);
      const mentionedInside = this.mentionedInside(index);
      const edges = block.dependsOn.flatMap((dependency): Edge[] => {
        const on = this.indexOf.get(dependency.block);
        if (on === undefined) {
          this.#reportUnknown(block, dependency);
          return [];
        }
        const misplaced = this.#acrossFinally(block, on);
        if (misplaced !== undefined) {
          const { range } = dependency;
          this.#report({ code: "finally-dependency", level: "error", block: block.id, ...misplaced, range });
          return [];
        }
        const isMentioned = mentioned.has(dependency.block) || mentionedInside.has(dependency.block);
        return [
          {
            on,
            required: dependency.required ?? true,
            conditionDecides: dependency.required !== true && isMentioned,
            reason: { kind: "depends_on" },
            range: dependency.range,
          },
        ];
      });
      all.push(edges);
    }
    return all;
  }

  #reportUnknown(block: BlockDefinition, { block: id, range }: BlockDefinition["dependsOn"][number]): void {
    const { holder } = this;
    if (holder !== undefined && this.locate(id) !== undefined) {
      const around = holder.builder.#block(holder.index).id;
      this.#report({
        block: block.id,
        code: "depends-on-outside",
        level: "error",
        message: `block '${block.id}' can't depend on '${id}', which is not in '${around}' like itself.`,
        why: "`depends_on` names blocks beside it only.",
        fix:
          id === around
            ? "Remove it."
            : `Remove it: reading '${id}' makes '${around}' wait for it, and so does naming it there.`,
        range,
      });
      return;
    }
    if (this.isUnreadable(id)) return;
    const standing = isInside(id, this) ? "is not beside it" : "does not exist";
    const message = `block '${block.id}' depends on '${id}', which ${standing}.`;
    this.#report({
      block: block.id,
      code: "unknown-block",
      level: "error",
      message,
      fix: fixDependency(id, this),
      range,
    });
  }

  #acrossFinally(block: BlockDefinition, on: number): { readonly message: string; readonly fix: string } | undefined {
    const other = this.#block(on);
    if (isFinally(block) === isFinally(other)) return undefined;
    if (!isFinally(block)) return readsFinally(other.id);
    return {
      message: `block '${block.id}' is under \`finally\`, which runs when '${other.id}' has ended anyway.`,
      fix: `Remove '${other.id}' from its \`depends_on\`; it can read it without.`,
    };
  }

  /** When `finally` begins, everything else has ended, whatever became of it: so reading that asks for nothing. */
  asksForNothing(index: number, { levels, builder, index: on }: Located): boolean {
    if (levels === 0) return isFinally(this.#block(index)) !== isFinally(builder.#block(on));
    const { holder } = this;
    return (
      holder === undefined || holder.builder.asksForNothing(holder.index, { levels: levels - 1, builder, index: on })
    );
  }

  /** Edges for references to blocks that are not upstream yet, so that nothing can read a block that has not run. */
  fromReferences(index: number): Edge[] {
    const own = this.demands(this.ownReferences(index));
    const inside = this.demands(this.leadingOut(index));
    const mentioned = this.mentionedIds(index);
    const mentionedInside = this.mentionedInside(index);
    const edges: Edge[] = [];
    for (const [id, { first, mentionsState }] of new Map([...inside, ...own])) {
      const on = this.indexOf.get(id);
      if (on === undefined || on === index || this.isUpstream(index, on)) continue;
      if (this.asksForNothing(index, { builder: this, index: on, levels: 0 })) continue;
      edges.push({
        on,
        required: !mentionsState,
        conditionDecides: own.has(id) ? mentioned.has(id) : mentionedInside.has(id),
        reason: { kind: "reference", text: referenceText(first), where: first.where },
        range: first.text.rangeOf(first.reference.start, first.reference.end),
      });
    }
    return edges;
  }

  /** What references ask for, by the id of the block. */
  demands(references: Iterable<PlacedReference>): ReadonlyMap<string, Demand> {
    const demands = new Map<string, Demand>();
    for (const placed of references) {
      const id = targetOf(placed);
      if (id === undefined) continue;
      const seen = demands.get(id);
      const mentionsState = this.#mentionsState(placed);
      if (seen === undefined) demands.set(id, { first: placed, mentionsState });
      else seen.mentionsState ||= mentionsState;
    }
    return demands;
  }

  ownReferences(index: number): Iterable<PlacedReference> {
    return referencesOf(blockExpressions(this.#block(index)));
  }

  /** References from inside a block to blocks outside of it. */
  leadingOut(index: number): readonly PlacedReference[] {
    this.#leadingOut[index] ??= this.#findLeadingOut(this.inside(index));
    return this.#leadingOut[index];
  }

  #findLeadingOut(inside: EdgeBuilder | undefined): readonly PlacedReference[] {
    if (inside === undefined) return [];
    const found: PlacedReference[] = [];
    const add = (placed: PlacedReference): void => {
      const id = targetOf(placed);
      if (id !== undefined && !inside.indexOf.has(id)) found.push(placed);
    };
    for (const [index, { id }] of inside.definition.blocks.entries()) {
      for (const placed of inside.ownReferences(index)) add({ ...placed, where: `${placed.where} of '${id}'` });
      for (const placed of inside.leadingOut(index)) add(placed);
    }
    for (const placed of referencesOf(givenExpressions(inside.definition))) add(placed);
    return found;
  }

  #block(index: number): BlockDefinition {
    return this.definition.blocks[index] as BlockDefinition;
  }

  #mentionsState({ reference }: PlacedReference): boolean {
    const target = this.locate(String(reference.keys[0]));
    if (target === undefined) return false;
    const walked = walkShape(target.builder.shape(target.index), reference.steps.slice(1), "", this.#find);
    return walked.ok && walked.mentionsState;
  }
}

const noIds: ReadonlySet<string> = new Set();

function targetOf({ reference }: PlacedReference): string | undefined {
  return reference.root === "blocks" ? String(reference.keys[0]) : undefined;
}

function isFinally(block: BlockDefinition): boolean {
  return block.isFinally === true;
}

/** What is wrong with a block, or an output, that wants something of a block under `finally`. */
export function readsFinally(id: string): { readonly message: string; readonly fix: string } {
  return {
    message: `block '${id}' is under \`finally\`, which runs when everything else has ended.`,
    fix: `Only blocks under \`finally\` can use it. Move '${id}' to \`blocks:\` if its result is needed.`,
  };
}

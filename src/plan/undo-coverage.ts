import { undoOf } from "../block/define-block.ts";
import { writtenInputs } from "../definition/load-block-inputs.ts";
import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import { type FindWorkflow, knownChild } from "./block-shape.ts";
import { effectiveEffects, undoesItself } from "./effective-effects.ts";
import { effectiveOnFailure, mayRollBack } from "./effective-on-failure.ts";

/** How much of what a block does can be taken back; from the best to the worst. */
export const coverages = ["not_needed", "automatic", "isolated", "observed", "declared", "irreversible"] as const;
export type Coverage = (typeof coverages)[number];

export interface UndoCoverage {
  readonly coverage: Coverage;
  /** A few words, without a full stop. */
  readonly why: string;
  /** What to write so that it can be taken back. */
  readonly fix?: string;
  /** Of what holds blocks: the one inside it that decides. */
  readonly inside?: string;
}

/** Where a block stands. */
export interface Around {
  readonly workflow: WorkflowDefinition;
  /** The groups around it, innermost first. */
  readonly holders: readonly BlockDefinition[];
  /** Whether something in the workflow, or around it, may undo all of it. */
  readonly undone: boolean;
  readonly find: FindWorkflow;
  /** What is known of workflows that are called, by whether they are undone as a whole. */
  readonly known: ReadonlyMap<boolean, Map<WorkflowDefinition, UndoCoverage>>;
}

/** Where the blocks of a workflow stand that somebody starts. */
export function aroundBlocks(workflow: WorkflowDefinition, find: FindWorkflow): Around {
  const known = new Map([true, false].map((undone) => [undone, new Map()]));
  return { workflow, holders: [], undone: mayRollBack(workflow), find, known };
}

/** The same inside a group. */
export function aroundInner(holder: BlockDefinition, around: Around): Around {
  const { workflow, holders } = around;
  const undone = around.undone || undoesItself(holder, effectiveOnFailure(holder, workflow, holders));
  return { ...around, holders: [holder, ...holders], undone };
}

/** What can be promised of a block before it runs. Of one that holds others, the worst that is promised of those. */
export function undoCoverage(block: BlockDefinition, around: Around): UndoCoverage {
  if (block.undo !== undefined) return { coverage: "declared", why: "`undo` says how" };
  if (block.type.behaviour.kind === "leaf") return coverageOfLeaf(block, around);
  if (block.group !== undefined) return worstOf(block.group.blocks, aroundInner(block, around));
  const child = knownChild(block, around.find);
  if (child === undefined) {
    return {
      coverage: "irreversible",
      why: "which workflow it calls is only known when it runs",
      fix: "Name the workflow, or add `undo:`.",
    };
  }
  return coverageOfChild(child, around, aroundInner(block, around).undone || mayRollBack(child));
}

function coverageOfChild(child: WorkflowDefinition, around: Around, undone: boolean): UndoCoverage {
  const known = around.known.get(undone) as Map<WorkflowDefinition, UndoCoverage>;
  const before = known.get(child);
  if (before !== undefined) return before;
  // One that calls itself adds nothing to what is found in it.
  known.set(child, nothing);
  const found = worstOf(child.blocks, { ...around, workflow: child, holders: [], undone });
  known.set(child, found);
  return found;
}

const nothing: UndoCoverage = { coverage: "not_needed", why: "it changes nothing" };

function worstOf(blocks: readonly BlockDefinition[], around: Around): UndoCoverage {
  let worst: UndoCoverage = nothing;
  for (const block of blocks) {
    const found = undoCoverage(block, around);
    if (coverages.indexOf(found.coverage) <= coverages.indexOf(worst.coverage)) continue;
    worst = { ...found, inside: found.inside === undefined ? block.id : `${block.id}/${found.inside}` };
  }
  return worst;
}

function coverageOfLeaf(block: BlockDefinition, { workflow, holders, undone }: Around): UndoCoverage {
  const { type } = block;
  if (type.effects === true) {
    const onFailure = effectiveOnFailure(block, workflow, holders);
    const effects = effectiveEffects(block, { onFailure, undoneAround: undone, observeAsked: false });
    if (effects !== "none") return ofEffects[effects];
    const fix = "Write `effects: observe`, which finds the files that it changes, or add `undo:`.";
    return { coverage: "irreversible", why: "nothing looks at what its command does", fix };
  }
  const own = undoOf(type, writtenInputs(block.inputs));
  if (own === "not_needed") return nothing;
  if (own === "automatic") return { coverage: "automatic", why: "what it replaces is kept" };
  return {
    coverage: "irreversible",
    why: `what a block of type ${type.type} does is not recorded`,
    fix: "Add `undo:` with a block that takes it back.",
  };
}

const ofEffects: Readonly<Record<"observe" | "isolated", UndoCoverage>> = {
  observe: { coverage: "observed", why: "the files of the workspace that its command changes are found and kept" },
  isolated: { coverage: "isolated", why: "what its command does to the workspace is kept apart until it succeeds" },
};

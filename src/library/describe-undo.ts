import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { FindWorkflow } from "../plan/block-shape.ts";
import { mayRollBack } from "../plan/effective-on-failure.ts";
import {
  type Around,
  aroundBlocks,
  aroundInner,
  type Coverage,
  coverages,
  type UndoCoverage,
  undoCoverage,
} from "../plan/undo-coverage.ts";

/** How much of what a workflow does can be undone, before it runs. */
export interface UndoSummary {
  /** How many blocks there are of each kind; groups count by what is in them. */
  readonly blocks: Partial<Readonly<Record<Coverage, number>>>;
  /** Those that nothing takes back, together where the reason is the same. */
  readonly irreversible?: readonly Irreversible[];
}

export interface Irreversible {
  /** Addresses below the workflow; not more than a few of many. */
  readonly blocks: readonly string[];
  /** How many more there are. */
  readonly more?: number;
  readonly why: string;
  readonly fix: string;
}

const mostNamed = 5;

/** Nothing where nothing has to be undone. */
export function summariseUndo(definition: WorkflowDefinition, find: FindWorkflow): UndoSummary | undefined {
  const counts = new Map<Coverage, number>();
  const reasons = new Map<string, { why: string; fix: string; blocks: string[] }>();
  for (const { address, covered } of coveredBlocks(definition.blocks, aroundBlocks(definition, find), "")) {
    const { coverage, why, fix = "Add `undo:`.", inside } = covered;
    counts.set(coverage, (counts.get(coverage) ?? 0) + 1);
    if (coverage !== "irreversible") continue;
    const reason = reasons.get(why) ?? { why, fix, blocks: [] };
    reason.blocks.push(inside === undefined ? address : `${address}/${inside}`);
    reasons.set(why, reason);
  }
  const kinds = coverages.filter((coverage) => counts.has(coverage));
  if (kinds.every((coverage) => coverage === "not_needed")) return undefined;
  const irreversible = [...reasons.values()].map(({ blocks, ...reason }) => ({
    blocks: blocks.slice(0, mostNamed),
    ...(blocks.length > mostNamed ? { more: blocks.length - mostNamed } : {}),
    ...reason,
  }));
  return {
    blocks: Object.fromEntries(kinds.map((coverage) => [coverage, counts.get(coverage)])),
    ...(irreversible.length === 0 ? {} : { irreversible }),
  };
}

export interface CoveredBlock {
  readonly address: string;
  readonly covered: UndoCoverage;
}

/** Each block with what can be taken back of it; groups by what is in them. */
export function* coveredBlocks(
  blocks: readonly BlockDefinition[],
  around: Around,
  before: string,
): Generator<CoveredBlock> {
  for (const block of blocks) {
    const address = `${before}${block.id}`;
    const { group, undo } = block;
    if (group === undefined || undo !== undefined) yield { address, covered: undoCoverage(block, around) };
    else yield* coveredBlocks(group.blocks, aroundInner(block, around), `${address}/`);
  }
}

/** Whether its author has thought of undoing. */
export function speaksOfUndo(definition: WorkflowDefinition | undefined): boolean {
  if (definition === undefined) return false;
  const speaks = ({ undo, effects, commitPoint, onFailure, retry, group }: BlockDefinition): boolean =>
    undo !== undefined ||
    effects !== undefined ||
    commitPoint === true ||
    onFailure === "rollback_block" ||
    retry?.restore === true ||
    group?.blocks.some(speaks) === true;
  return mayRollBack(definition) || definition.onFailure === "rollback_block" || definition.blocks.some(speaks);
}

/** `2 automatic, 1 irreversible (publish)`. */
export function wordUndo({ blocks, irreversible = [] }: UndoSummary): string {
  const named = irreversible.flatMap((reason) => reason.blocks);
  const more =
    irreversible.reduce((sum, reason) => sum + (reason.more ?? 0), 0) + Math.max(0, named.length - mostNamed);
  const shown = [...named.slice(0, mostNamed), ...(more === 0 ? [] : [`${more} more`])].join(", ");
  return coverages
    .filter((coverage) => coverage !== "not_needed" && blocks[coverage] !== undefined)
    .map((coverage) => `${blocks[coverage]} ${coverage}${coverage === "irreversible" ? ` (${shown})` : ""}`)
    .join(", ");
}

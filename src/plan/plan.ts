import type { BlockDefinition, OnFailure, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Range } from "../diagnostic/source.ts";

/** A definition that can be run: its blocks with the edges between them, each edge knowing why it is there. */
export interface Plan {
  readonly definition: WorkflowDefinition;
  /** In the order of the file, those under `finally` last; edges refer to positions in this list. */
  readonly blocks: readonly PlannedBlock[];
  /** How many of them are not under `finally`. */
  readonly mainBlocks: number;
  readonly indexOf: ReadonlyMap<string, number>;
  /** Blocks of which a workflow output reads something they made, not only how they went. */
  readonly usedByOutputs: ReadonlySet<number>;
  /** The failure of some block of the workflow, or its budget, leads to a rollback of it; in the plan of a group too. */
  readonly mayRollBack: boolean;
  /** Blocks by wave. Waves are for people: nothing ever waits for one. */
  readonly waves: readonly (readonly string[])[];
}

export interface PlannedBlock {
  readonly definition: BlockDefinition;
  readonly index: number;
  /** Length of the longest way to this block. */
  readonly wave: number;
  readonly edges: readonly Edge[];
  /** What it asks of blocks around the group that it is in; the group waits for them. */
  readonly outerEdges: readonly OuterEdge[];
  /** Of one that holds blocks: the order of those. */
  readonly group?: Plan;
  /** Blocks whose state the condition mentions, also those waited for only through others. */
  readonly mentions: readonly number[];
  /** The same of everything else that it reads. */
  readonly readsStateOf: ReadonlySet<number>;
  /** Blocks that wait for this one. */
  readonly dependents: readonly number[];
  /** The condition speaks of `each`, so every element of the loop is judged on its own. */
  readonly conditionPerElement: boolean;
  /** What its failure leads to, when no attempt is left. */
  readonly onFailure: OnFailure;
  /** Its inputs as they are recorded are not those its code is called with. */
  readonly readsSecrets: boolean;
}

export interface Edge {
  /** The block waited for. */
  readonly on: number;
  readonly required: boolean;
  /** The condition mentions this dependency's state, so the condition alone decides about it. */
  readonly conditionDecides: boolean;
  readonly reason: EdgeReason;
  readonly range: Range;
}

export interface OuterEdge {
  /** How many groups it is further out. */
  readonly levels: number;
  /** Its position there. */
  readonly on: number;
  readonly required: boolean;
}

export type EdgeReason =
  | { readonly kind: "depends_on" }
  /** `where` is what holds the reference, such as `condition` or `inputs.command`. */
  | { readonly kind: "reference"; readonly text: string; readonly where: string };

export function describeEdge(reason: EdgeReason): string {
  return reason.kind === "depends_on" ? "depends_on" : `${reason.where} reads ${reason.text}`;
}

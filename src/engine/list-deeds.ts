import type { Catalog } from "../block/catalog.ts";
import type { Compensation } from "../block/define-block.ts";
import type { RecordedChange } from "../changes/recorded-change.ts";
import type { BlockDefinition } from "../definition/workflow-definition.ts";
import type { ValueMap } from "../expression/value.ts";
import type { Result } from "../util/result.ts";
import { inSlices } from "../util/time-slice.ts";
import type { RunEvent } from "./events.ts";
import type { Ending } from "./execution.ts";
import { nodeAt } from "./node-at.ts";
import { foldEvents, type UnreadableEvents } from "./restore-state.ts";
import { attemptAddress, isCommitPoint, isLoop, type RunNode, type WorkflowInside } from "./run-node.ts";
import type { RunState } from "./state.ts";
import type { ChangesObserved, NotCaptured } from "./undo-events.ts";

/** What one attempt at a block has done to the world. */
export interface Deed {
  /** With attempts, such as `deploy@2/build`. */
  readonly address: string;
  readonly path: string;
  readonly attempt: number;
  readonly definition: BlockDefinition;
  /** A real path. */
  readonly workspace: string;
  readonly inputs: ValueMap;
  /** Nothing of one that was interrupted. */
  readonly outputs: ValueMap | undefined;
  readonly ending: Ending | undefined;
  /** Numbers of the events with which it began and ended. */
  readonly began: number;
  readonly ended: number | undefined;
  /** What it announced, and with which outputs it was going to end. */
  readonly announced: readonly PlacedChanges[];
  readonly foreseen: ValueMap | undefined;
  /** What was found to be different when its command had ended. */
  readonly observed: (PlacedChanges & { readonly notCaptured: readonly NotCaptured[] }) | undefined;
  /** Before its command began: the number of the event that tells so, and what was seen. */
  readonly looked: { readonly sequence: number; readonly snapshot: string } | undefined;
  /** What was seen before its command began, where nobody has looked since. */
  readonly snapshot: string | undefined;
}

export interface PlacedChanges {
  /** Of the event. */
  readonly sequence: number;
  readonly changes: readonly RecordedChange[];
}

export interface Deeds {
  readonly state: RunState;
  /** In the order in which they began. Those that were taken back as they ended are left out. */
  readonly deeds: readonly Deed[];
  /** With those. */
  readonly all: readonly Deed[];
  /** What was taken back, when: all that was done after a moment by those that began with these events. */
  readonly takenBack: readonly TakenBack[];
  /** Numbers of the events with which a commit point was passed. */
  readonly commitPoints: readonly { readonly path: string; readonly sequence: number }[];
}

export interface TakenBack {
  readonly sequence: number;
  readonly began: readonly number[];
  readonly after: number;
}

/** Everything that a run has done by itself, in order. What was reused was done by another run. */
export function listDeeds(events: readonly RunEvent[], catalog: Catalog): Promise<Result<Deeds, UnreadableEvents>> {
  return inSlices(collect(events, catalog));
}

function* collect(events: readonly RunEvent[], catalog: Catalog): Generator<void, Result<Deeds, UnreadableEvents>> {
  const listing = new Listing();
  const folded = yield* foldEvents(events, catalog, (event, state) => listing.add(event, state));
  if (!folded.ok) return folded;
  const { deeds, all, takenBack, commitPoints } = listing;
  return { ok: true, value: { state: folded.value, deeds, all, takenBack, commitPoints } };
}

type Open = { -readonly [Key in keyof Deed]: Deed[Key] };

class Listing {
  #deeds: Open[] = [];
  readonly all: Open[] = [];
  readonly takenBack: TakenBack[] = [];
  readonly commitPoints: { path: string; sequence: number }[] = [];
  /** The latest attempt at each path. */
  readonly #latest = new Map<string, Open>();
  /** Where what is being taken back began. */
  readonly #rollbacks = new Map<string, number>();

  get deeds(): readonly Deed[] {
    return this.#deeds;
  }

  add(event: RunEvent, state: RunState): void {
    const { sequence } = state;
    switch (event.type) {
      case "block-started": {
        const node = nodeAt(state, event.path);
        if (!isLoop(node)) this.#begin(node, event.inputs, sequence);
        else this.#latest.set(event.path, createDeed(node, event.inputs, sequence));
        return;
      }
      case "file-changed":
        return this.#change(event.path, (deed) => {
          deed.announced = [...deed.announced, { sequence, changes: event.changes }];
          deed.foreseen = event.outputs;
        });
      case "observation-started":
        return this.#change(event.path, (deed) => {
          deed.snapshot = event.snapshot;
          deed.looked = { sequence, snapshot: event.snapshot };
        });
      case "changes-observed":
        return this.#observe(event, sequence);
      case "attempt-ended":
      case "block-finished":
        return this.#end(event, nodeAt(state, event.path), sequence);
      case "rollback-started":
        this.#rollbacks.set(event.path, event.path === "" ? 0 : (this.#latest.get(event.path)?.began ?? sequence));
        return;
      case "rollback-finished":
        if (event.state === "complete") this.#forget(event.path, sequence);
        return;
      default:
        return;
    }
  }

  #begin(node: RunNode, inputs: ValueMap, sequence: number): void {
    const deed = createDeed(node, inputs, sequence);
    this.#latest.set(node.path, deed);
    this.#deeds.push(deed);
    this.all.push(deed);
  }

  #change(path: string, change: (deed: Open) => void): void {
    const deed = this.#latest.get(path);
    if (deed !== undefined) change(deed);
  }

  /** It may be found out only when another attempt is about to begin. */
  #observe({ path, attempt, changes, notCaptured }: ChangesObserved, sequence: number): void {
    const deed = this.#deeds.findLast((one) => one.path === path && one.attempt === attempt);
    if (deed === undefined) return;
    deed.snapshot = undefined;
    deed.observed = { sequence, changes, notCaptured };
  }

  #end(event: Extract<RunEvent, { type: "attempt-ended" | "block-finished" }>, node: RunNode, sequence: number): void {
    this.#change(event.path, (deed) => {
      deed.ended = sequence;
      deed.ending = event;
      deed.outputs = node.record.outputs;
    });
    if (event.outcome === "success" && isCommitPoint(node)) {
      this.commitPoints.push({ path: event.path, sequence });
    }
  }

  /** What was done in it since is as it was before; what a commit point stands behind has stayed. */
  #forget(path: string, sequence: number): void {
    const since = this.#rollbacks.get(path) ?? 0;
    const passed = this.commitPoints.filter((point) => isBelow(point.path, path)).map((point) => point.sequence);
    const stays = Math.max(0, ...passed);
    const isTakenBack = (deed: Deed): boolean =>
      deed.began >= since && isBelow(deed.path, path) && (deed.ended ?? stays + 1) > stays;
    this.takenBack.push({ sequence, began: this.#deeds.filter(isTakenBack).map(({ began }) => began), after: stays });
    this.#deeds = this.#deeds.flatMap((deed) => (isTakenBack(deed) ? partUntil(deed, stays) : [deed]));
  }
}

/** What a block had done by then, if it did anything: the rest has been taken back. */
function partUntil(deed: Open, sequence: number): readonly Open[] {
  const announced = deed.announced.filter((placed) => placed.sequence <= sequence);
  if (announced.length === 0) return [];
  const { undo: _, ...definition } = deed.definition;
  return [{ ...deed, definition, announced, observed: undefined, snapshot: undefined }];
}

function createDeed(node: RunNode, inputs: ValueMap, sequence: number): Open {
  const { block, path, record } = node;
  if (block === undefined) throw new Error("The root of a run is not a block.");
  return {
    address: attemptAddress(node),
    path,
    attempt: record.metadata.attempts,
    definition: block.definition,
    workspace: (node.workflow.inside as WorkflowInside).workspace,
    inputs,
    outputs: undefined,
    ending: undefined,
    began: sequence,
    ended: undefined,
    announced: [],
    foreseen: undefined,
    observed: undefined,
    snapshot: undefined,
    looked: undefined,
  };
}

/** What its type says about how it is taken back. One that failed or was interrupted may have done what it had announced. */
export function typeCompensation({ definition, inputs, outputs, foreseen }: Deed): Compensation | undefined {
  const known = foreseen ?? outputs;
  return known === undefined ? undefined : definition.type.compensation?.(inputs, known);
}

/** Whether a path is another one or lies inside it; everything lies inside the root. */
export function isBelow(path: string, ancestor: string): boolean {
  return ancestor === "" || path === ancestor || path.startsWith(`${ancestor}/`);
}

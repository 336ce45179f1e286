import type { RunEvent } from "../../engine/events.ts";
import { childNodes, type RunNode } from "../../engine/run-node.ts";
import { applyEvent, type RunState } from "../../engine/state.ts";
import { ranBecauseOf } from "../../engine/weigh-failures.ts";
import { handledIn } from "../failures.ts";
import { type Standing, standsAs, wordFor } from "../tree-rows.ts";
import { ChangedPaths } from "./changed-paths.ts";
import type { BlockCard, PageStanding } from "./page-records.ts";
import { SpanRecorder } from "./spans.ts";
import { standingOfStatus } from "./standings.ts";

/** What the events of a run alone can't tell. */
export interface RunSurroundings {
  /** Nobody drives it, although it has neither ended nor come to rest. */
  readonly isInterrupted: boolean;
  /** Who will drive it, where nobody does: a worker with these labels. */
  readonly waitsFor?: string | undefined;
  /** The run that has taken it back. */
  readonly undoneBy: string | undefined;
  /** What tells it from other runs of its workflow. */
  readonly label: string | undefined;
}

const unknownSurroundings: RunSurroundings = { isInterrupted: false, undoneBy: undefined, label: undefined };

interface Made<T> {
  readonly at: number;
  readonly epoch: number;
  readonly what: T;
}

/**
 * A run as the page shows it: its state, the stretches of time of its blocks, and for every block the number of the last event that may
 * have changed how it is shown. What was made for a block counts until then, so that looking again costs what has changed.
 */
export class RunPicture {
  readonly state: RunState;
  readonly spans: SpanRecorder = new SpanRecorder();
  readonly changed: ChangedPaths = new ChangedPaths();
  readonly #touched = new Map<string, number>();
  /** By what holds blocks: when those that it holds now came. */
  readonly #entered = new Map<string, number>();
  /** Blocks that failed, by the path of what holds them: how they count depends on what happens around them. */
  readonly #failed = new Map<string, Set<string>>();
  readonly #standings = new WeakMap<RunNode, Made<Standing>>();
  readonly #cards = new WeakMap<RunNode, Made<BlockCard>>();
  readonly #handled = new WeakMap<RunNode, Made<ReadonlySet<string>>>();
  #surroundings = unknownSurroundings;
  #epoch = 0;

  constructor(state: RunState) {
    this.state = state;
  }

  get surroundings(): RunSurroundings {
    return this.#surroundings;
  }

  /** Changes whenever everything may be shown in another way. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Whether that is something new. */
  surround(surroundings: RunSurroundings): boolean {
    const { isInterrupted, waitsFor, undoneBy, label } = this.#surroundings;
    const isSame = surroundings.isInterrupted === isInterrupted && surroundings.undoneBy === undoneBy;
    if (isSame && surroundings.waitsFor === waitsFor && surroundings.label === label) return false;
    this.#surroundings = surroundings;
    this.#epoch++;
    return true;
  }

  apply(event: RunEvent): void {
    applyEvent(this.state, event);
    this.hear(event);
  }

  /** The state has the event already. */
  hear(event: RunEvent): void {
    this.spans.hear(event, this.state);
    this.changed.hear(event);
    if ("path" in event) this.#touch(event.path);
    else this.#touched.set("", this.state.sequence);
    if (event.type === "block-started") {
      this.#entered.set(event.path, this.state.sequence);
      this.#failed.delete(event.path);
    }
    if (event.type === "run-finished") this.#touchFailed("");
    if (event.type === "workflow-stopping") this.#touchFailed(event.path);
  }

  /** The number of the last event that may have changed how a block is shown. */
  touchedAt(path: string): number {
    let latest = this.#touched.get(path) ?? 0;
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      latest = Math.max(latest, this.#entered.get(path.slice(0, end)) ?? 0);
    }
    return latest;
  }

  standing(node: RunNode): PageStanding {
    const { parent, record, ended } = node;
    if (ended && record.metadata.failed && parent !== undefined && this.#isHandled(node, parent)) return "handled";
    const { isInterrupted } = this.#surroundings;
    return standingOfStatus[wordFor(node, this.#standsAs(node), isInterrupted)];
  }

  /** What is made of a block, unless it has been made since it last changed. */
  card(node: RunNode, address: string, make: () => BlockCard): BlockCard {
    const made = this.#cards.get(node);
    if (made !== undefined && this.#isFresh(node, made) && made.what.address === address) return made.what;
    const what = make();
    this.#cards.set(node, { at: this.state.sequence, epoch: this.#epoch, what });
    return what;
  }

  /** Paths of all that failed, wherever it is. */
  *failed(): Generator<string> {
    for (const paths of this.#failed.values()) yield* paths;
  }

  /** What begins anew has new nodes, so it is enough to look at what happened to this one. */
  #isFresh({ path }: RunNode, { at, epoch }: Made<unknown>): boolean {
    return epoch === this.#epoch && at >= (this.#touched.get(path) ?? 0);
  }

  #standsAs(node: RunNode): Standing {
    const made = this.#standings.get(node);
    if (made !== undefined && this.#isFresh(node, made)) return made.what;
    const children = node.ended ? [] : childNodes(node);
    const inside = new Set(children.map((child) => this.#standsAs(child)));
    const what = standsAs(node, inside, this.#surroundings.isInterrupted);
    this.#standings.set(node, { at: this.state.sequence, epoch: this.#epoch, what });
    return what;
  }

  #isHandled(node: RunNode, parent: RunNode): boolean {
    if (parent.inside.kind === "loop") {
      // A pass that failed in what is repeated until it succeeds only counts when the whole has failed.
      const isJudged = parent.block?.definition.repeat?.until !== undefined;
      return isJudged && !(parent.ended && parent.record.metadata.failed);
    }
    const made = this.#handled.get(parent);
    if (made !== undefined && this.#isFresh(parent, made)) return made.what.has(node.path);
    const what = new Set([...handledIn(parent).map(({ block }) => block), ...likelyHandled(parent)]);
    this.#handled.set(parent, { at: this.state.sequence, epoch: this.#epoch, what });
    return what.has(node.path);
  }

  /** With everything around it; and what is beside it, where that may stand in another way now. */
  #touch(path: string): void {
    const { nodes, sequence } = this.state;
    const touched = this.#touched;
    touched.set(path, sequence);
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
      touched.set(path.slice(0, end), sequence);
    touched.set("", sequence);
    const node = nodes.get(path);
    if (node === undefined || !node.ended) return;
    const around = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (node.record.metadata.failed) {
      const failed = this.#failed.get(around) ?? new Set();
      this.#failed.set(around, failed.add(path));
    }
    if (node.parent?.inside.kind === "workflow") this.#touchFailed(around);
    this.#touchFailed(path);
  }

  /** Whether a failure is handled depends on what its neighbours come to. */
  #touchFailed(around: string): void {
    for (const path of this.#failed.get(around) ?? []) this.#touched.set(path, this.state.sequence);
  }
}

/** In a workflow that goes on: failures that something ran instead of, whose result is still to be used. */
function likelyHandled({ inside, ended }: RunNode): readonly string[] {
  if (ended || inside.kind !== "workflow") return [];
  const { children, plan } = inside;
  return [...inside.ranBecauseOf.keys()].flatMap((key) => {
    const failed = children[plan.indexOf.get(key) ?? -1];
    if (failed?.record.metadata.status !== "completed") return [];
    const isAnswered = ranBecauseOf(failed, inside).some(
      ({ record, block }) =>
        record.metadata.succeeded && block?.dependents.some((index) => children[index]?.ended === false),
    );
    return isAnswered ? [failed.path] : [];
  });
}

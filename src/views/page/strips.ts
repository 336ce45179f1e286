import type { Catalog } from "../../block/catalog.ts";
import type { Spend } from "../../block/spend.ts";
import { restoreState } from "../../engine/restore-state.ts";
import { childNodes, type RunNode } from "../../engine/run-node.ts";
import { applyEvent, type RunState } from "../../engine/state.ts";
import { JournalError } from "../../journal/journal.ts";
import type { Platform } from "../../runs/platform.ts";
import { isSliceOver, nextSlice } from "../../util/time-slice.ts";
import { handledIn } from "../failures.ts";
import { listRows } from "../tree-rows.ts";
import type { PageStanding, Strip } from "./page-records.ts";
import type { Progress } from "./run-line.ts";
import { shortStrip, standingOfStatus } from "./standings.ts";

/** How the blocks of a run stand, those at its top. */
export interface RunStrip extends Progress {
  readonly strip: Strip;
}

/** What a strip is made of. */
export interface StripQuery {
  readonly runId: string;
  /** Of the latest event that has to be in it. */
  readonly sequence: number;
  readonly isInterrupted: boolean;
  readonly hasEnded: boolean;
}

const mostStrips = 5_000;
/** Of runs that go on the state is kept, so that only what is new has to be read. */
const mostStates = 16;

/** The strips of runs, each made once for as long as nothing happens in its run. */
export class RunStrips {
  readonly #platform: Platform;
  readonly #catalog: Catalog;
  /** Those that were asked for last come last. */
  readonly #strips = new Map<string, { readonly key: string; readonly strip: Promise<RunStrip | undefined> }>();
  readonly #states = new Map<string, { readonly state: RunState; sequence: number }>();

  constructor(platform: Platform, catalog: Catalog) {
    this.#platform = platform;
    this.#catalog = catalog;
  }

  /** Nothing where the run is gone or can't be read. */
  of(query: StripQuery): Promise<RunStrip | undefined> {
    const { runId, sequence, isInterrupted } = query;
    const key = `${sequence} ${isInterrupted}`;
    const known = this.#strips.get(runId);
    // One after the other: they share the state of the run.
    const strip = known?.key === key ? known.strip : Promise.resolve(known?.strip).then(() => this.#make(query));
    keep(this.#strips, runId, { key, strip }, mostStrips);
    return strip;
  }

  /** Whether it costs little: what is new of a run that is known, or all of a short one. */
  isCheap({ runId, sequence }: StripQuery): boolean {
    const known = this.#states.get(runId)?.sequence ?? 0;
    return sequence - known <= cheapEvents;
  }

  async #make({ runId, isInterrupted, hasEnded }: StripQuery): Promise<RunStrip | undefined> {
    try {
      const state = await this.#read(runId, hasEnded);
      if (state === undefined || hasEnded) this.#states.delete(runId);
      return state && describeStrip(state.root, isInterrupted);
    } catch (error) {
      this.#states.delete(runId);
      if (error instanceof JournalError) return undefined;
      throw error;
    }
  }

  async #read(runId: string, hasEnded: boolean): Promise<RunState | undefined> {
    const journal = await this.#platform.journal();
    const known = this.#states.get(runId);
    const events = await journal.read(runId, known?.sequence ?? 0);
    if (known === undefined) {
      const restored = await restoreState(events, this.#catalog);
      if (!restored.ok) return undefined;
      if (!hasEnded) keep(this.#states, runId, { state: restored.value, sequence: events.length }, mostStates);
      return restored.value;
    }
    for (const event of events) {
      applyEvent(known.state, event);
      known.sequence += 1;
      if (isSliceOver()) await nextSlice();
    }
    keep(this.#states, runId, known, mostStates);
    return known.state;
  }
}

const cheapEvents = 2_000;

function keep<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}

function describeStrip(root: RunNode, isInterrupted: boolean): RunStrip {
  const handled = new Set(handledIn(root).map(({ block }) => block));
  const blocks = childNodes(root);
  const standings = blocks.map((node): PageStanding => {
    if (node.ended && node.record.metadata.failed && handled.has(node.path)) return "handled";
    return standingOfStatus[listRows(node, isInterrupted)[0]?.status ?? "pending"];
  });
  return {
    strip: shortStrip(standings),
    ended: blocks.filter(({ ended }) => ended).length,
    total: blocks.length,
    usd: (root.record.metadata.spend as Spend | undefined)?.usd,
  };
}

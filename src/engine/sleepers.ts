import type { Clock } from "../block/ports.ts";
import { cancelReason, type RunNode } from "./run-node.ts";
import { isInStoppedLoop } from "./skip-reasons.ts";
import type { RunState } from "./state.ts";
import { startTimer } from "./timer.ts";

/** A process that drives a run keeps it for as long as this while all that is left in it sleeps. */
export const shortSleepMs = 60_000;

const mostAtOnce = 256;

/** The blocks of a run that wait for a time, as the clock of the machine tells it. */
export class Sleepers {
  readonly #state: RunState;
  readonly #clock: Clock;
  readonly #isSkipped: boolean;

  /** Where nobody is to wait, every time has come. */
  constructor(state: RunState, clock: Clock, isSkipped: boolean) {
    this.#state = state;
    this.#clock = clock;
    this.#isSkipped = isSkipped;
  }

  /** Those whose time has come, as many as one turn has room for. What is being ended is not woken. */
  due(): RunNode[] {
    if (this.#state.sleeping.size === 0) return [];
    // There may be thousands, and times as they are recorded can be compared as they stand.
    const now = this.#clock.now().toISOString();
    const due = [...this.#state.sleeping].filter((node) => {
      if (node.stage.kind !== "sleeping" || !(this.#isSkipped || node.stage.until <= now)) return false;
      return isAwaited(node);
    });
    return due.slice(0, mostAtOnce);
  }

  /** When the first of them is to be woken. */
  get wakeAt(): string | undefined {
    let earliest: string | undefined;
    for (const node of this.#state.sleeping) {
      const { stage } = node;
      const isEarlier = stage.kind === "sleeping" && (earliest === undefined || stage.until < earliest);
      if (isEarlier && isAwaited(node)) earliest = stage.until;
    }
    return earliest;
  }

  /** Whether one of them is woken before it is worth letting go of the run. */
  get wakesSoon(): boolean {
    const leftMs = this.#leftMs();
    return leftMs !== undefined && leftMs < shortSleepMs;
  }

  /** Calls when one may be due. The machine's clock can be set meanwhile, so it is looked at from time to time. */
  startAlarm(onTime: () => void): () => void {
    const leftMs = this.#leftMs();
    return leftMs === undefined ? () => {} : startTimer(Math.min(leftMs, shortSleepMs), onTime);
  }

  #leftMs(): number | undefined {
    const { wakeAt } = this;
    return wakeAt === undefined ? undefined : this.#msUntil(wakeAt);
  }

  #msUntil(time: string): number {
    return this.#isSkipped ? 0 : Date.parse(time) - this.#clock.now().getTime();
  }
}

/** What is being ended only waits for its turn to end, and must not keep anybody awake. */
function isAwaited(node: RunNode): boolean {
  return cancelReason(node) === undefined && !isInStoppedLoop(node);
}

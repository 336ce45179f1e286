import { isSliceOver, nextSlice } from "../util/time-slice.ts";
import type { RunEvent } from "./events.ts";

export interface TurnOptions {
  /** Makes events durable. After the last ones nothing is left to do here, so the run may be released with them. */
  commit(events: readonly RunEvent[], areLast: boolean): Promise<void>;
  /** Events of the state that are not durable yet, and go with the first commit. */
  readonly ahead?: readonly RunEvent[];
  /** Called after the first commit. Until it resolves nothing is told of that, and nothing that it announces begins. */
  untilWanted?(): Promise<void>;
  /** Hears of events in groups, in order, once they are durable. */
  onEvents(events: readonly RunEvent[]): void;
}

/**
 * A run moves in turns: what has been asked for since the last one, then what follows from it, then one commit. A turn is short,
 * so that whoever asks is heard soon: where much follows, the next turns go on with it. Nobody hears of an event, and nothing it
 * announces begins, before it is durable; so what is asked for meanwhile waits here.
 */
export class Turns {
  readonly #options: TurnOptions;
  readonly #requests: Request[] = [];
  /** Of this turn. */
  readonly #events: RunEvent[] = [];
  readonly #answers: Request[] = [];
  readonly #effects: (() => void)[] = [];
  /** The state holds what is not durable yet. */
  #isOpen = false;
  /** Somebody waits for the end of this turn. */
  #isAwaited = false;
  #beganAt = 0;
  #steps = 0;
  #isFirst = true;
  #isStopped = false;
  #refusal: { readonly reason: unknown } | undefined;
  #stopWaiting: () => void = () => {};

  constructor(options: TurnOptions) {
    this.#options = options;
    for (const event of options.ahead ?? []) this.record(event);
  }

  /** Does it in the next turn; resolves when what came of it is durable. */
  ask<T>(perform: () => T): Promise<T> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal.reason);
    return new Promise<T>((resolve, reject) => {
      let result: T;
      this.#requests.push({
        perform: () => {
          result = perform();
        },
        resolve: () => resolve(result),
        reject,
        isAwaited: true,
      });
      this.#stopWaiting();
    });
  }

  /** The same for those who need no answer. */
  tell(perform: () => void): void {
    this.#requests.push({ perform, resolve() {}, reject() {}, isAwaited: false });
    this.#stopWaiting();
  }

  /** Between turns: what is in the state is durable. Waits for the end of a turn that is under way. */
  look<T>(at: () => T): Promise<T> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal.reason);
    if (!this.#isOpen) return Promise.resolve(at());
    this.#isAwaited = true;
    return new Promise<T>((resolve, reject) => {
      this.#answers.push({ perform() {}, resolve: () => resolve(at()), reject, isAwaited: true });
    });
  }

  get hasRequests(): boolean {
    return this.#requests.length > 0;
  }

  /** Whether anything is to happen as soon as this turn is durable: it should end then. */
  get isAwaited(): boolean {
    return this.#isAwaited || this.#effects.length > 0;
  }

  begin(): void {
    this.#beganAt = performance.now();
    this.#steps = 0;
    this.takeRequests();
  }

  takeRequests(): void {
    for (const request of this.#requests.splice(0, mostSteps)) {
      try {
        request.perform();
        this.#answers.push(request);
        if (request.isAwaited) this.#isAwaited = true;
      } catch (error) {
        request.reject(error);
      }
    }
  }

  /** Counts a step of this turn; false when it was the last one that this turn has room for. */
  hasRoom(): boolean {
    this.#steps++;
    return this.#steps < mostSteps && performance.now() - this.#beganAt < longestMs;
  }

  record(event: RunEvent): void {
    this.#isOpen = true;
    this.#events.push(event);
  }

  /** Begins once the events of this turn are durable. */
  afterwards(effect: () => void): void {
    this.#effects.push(effect);
  }

  async end(isAtRest = false): Promise<void> {
    if (this.#events.length > 0) {
      const events = this.#events.splice(0);
      await this.#options.commit(events, isAtRest && !this.hasRequests);
      this.#isOpen = false;
      if (this.#isFirst) await this.#options.untilWanted?.();
      this.#isFirst = false;
      this.#options.onEvents(events);
    }
    this.#isAwaited = false;
    for (const { resolve } of this.#answers.splice(0)) resolve();
    for (const effect of this.#effects.splice(0)) {
      if (this.#isStopped) return;
      effect();
      if (isSliceOver()) await nextSlice();
    }
  }

  untilAsked(): Promise<void> {
    if (this.hasRequests) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stopWaiting = resolve;
    });
  }

  /** Nothing begins any more. */
  stop(): void {
    this.#isStopped = true;
    this.tell(() => {});
  }

  /** What the state holds may not be durable: nothing is done or shown any more. */
  refuseAll(reason: unknown): void {
    this.#refusal = { reason };
    for (const { reject } of [...this.#answers.splice(0), ...this.#requests.splice(0)]) reject(reason);
  }
}

/** Of one turn. The number keeps its commit small, the time whoever asks from waiting. */
const mostSteps = 256;
const longestMs = 100;

interface Request {
  perform(): void;
  resolve(): void;
  reject(reason: unknown): void;
  /** Whether somebody waits for it to be durable. */
  readonly isAwaited: boolean;
}

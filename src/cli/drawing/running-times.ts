import type { RunEvent } from "../../engine/events.ts";

/**
 * An event tells how long a block ran since it last waited. Of a block that waited in between, the end is told with what it ran before,
 * and with the time that its own code asked to wait for: that is what such a block does.
 */
export class RunningTimes {
  readonly #before = new Map<string, number>();
  readonly #asleepSince = new Map<string, number>();

  /** The event as it is told. */
  take(event: RunEvent): RunEvent {
    switch (event.type) {
      case "block-started":
        this.#before.delete(event.path);
        return event;
      case "block-sleeping":
        if (event.about === "block") this.#asleepSince.set(event.path, Date.parse(event.at));
        this.#add(event.path, event.durationMs);
        return event;
      case "block-paused":
        this.#add(event.path, event.durationMs);
        return event;
      case "block-woken": {
        const since = this.#asleepSince.get(event.path);
        if (since !== undefined) this.#add(event.path, Math.max(0, Date.parse(event.at) - since));
        this.#asleepSince.delete(event.path);
        return event;
      }
      case "block-finished":
      case "attempt-ended": {
        const before = this.#before.get(event.path) ?? 0;
        this.#before.delete(event.path);
        return before === 0 ? event : { ...event, durationMs: event.durationMs + before };
      }
      default:
        return event;
    }
  }

  #add(path: string, milliseconds: number): void {
    if (milliseconds > 0) this.#before.set(path, (this.#before.get(path) ?? 0) + milliseconds);
  }
}

import type { RunEvent, RunStarted } from "../engine/events.ts";
import type { RunState } from "../engine/state.ts";
import type { Platform } from "./platform.ts";

/**
 * `begins`: nobody has driven it before. `takes-over`: the process that drove it is gone. `goes-on`: it was at rest or handed over, or is
 * only ended here.
 */
export type Driving = "begins" | "takes-over" | "goes-on";

/** A run that this process drives from now on. */
export interface ObservedRun {
  readonly started: RunStarted;
  readonly driving: Driving;
  /** All that happened in it before, `run-started` first. */
  readonly past: readonly RunEvent[];
  /** Of a block that has started: its type if its own code runs, else `workflow`, `group` or `loop`. */
  kindOf(path: string): string;
}

/** One attempt at a block, as its logs are named too. */
export interface BlockAttempt {
  /** Its idempotency key. */
  readonly block: string;
  readonly attempt: number;
}

export interface Observation {
  /** Hears of events once they are durable. */
  onEvents(events: readonly RunEvent[]): void;
  /** What the commands of an attempt find in their environment, unless the block says otherwise. */
  variables?(attempt: BlockAttempt): Readonly<Record<string, string>>;
}

/** Hears of every run that this process drives, for metrics and traces. */
export interface RunObserver {
  observe(run: ObservedRun): Observation;
}

/** All observers as one, which can't fail a run: what goes wrong in one of them is told once, and then it hears no more of this run. */
export function observeRun(
  { observers = [], warn }: Pick<Platform, "observers" | "warn">,
  { started, nodes }: Pick<RunState, "started" | "nodes">,
  past: readonly RunEvent[],
  driving: Driving,
): Required<Observation> {
  const kindOf = (path: string): string => {
    const { inside, block } = nodes.get(path) ?? {};
    if (inside?.kind === "loop") return "loop";
    if (block?.group !== undefined) return "group";
    return inside?.kind === "workflow" ? "workflow" : (block?.definition.type?.type ?? "unknown");
  };
  const attempt = <T>(act: () => T): T | undefined => {
    try {
      return act();
    } catch (error) {
      warn(`${started.runId} is observed no further: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  const open = new Set<Observation>();
  for (const observer of observers) {
    const observation = attempt(() => observer.observe({ started, driving, past, kindOf }));
    if (observation !== undefined) open.add(observation);
  }
  return {
    onEvents(events) {
      for (const observation of open) {
        const heard = attempt(() => {
          observation.onEvents(events);
          return true;
        });
        if (heard === undefined) open.delete(observation);
      }
    },
    variables(of) {
      const all = [...open].map((observation) => attempt(() => observation.variables?.(of)));
      return Object.assign({}, ...all) as Record<string, string>;
    },
  };
}

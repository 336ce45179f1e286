import type { RunEvent } from "../engine/events.ts";
import type { JournalStorage } from "../journal/journal.ts";
import type { Platform } from "../runs/platform.ts";
import { type RunStatus, statusOf } from "../runs/read-run.ts";
import type { ObservedRun, RunObserver } from "../runs/run-observer.ts";
import { boundedValues, MetricRegistry, type ReadMetric } from "../util/metric-registry.ts";
import { outcomeWord } from "./outcome-word.ts";
import { ProcessFigures } from "./process-figures.ts";
import { timeJournal } from "./time-journal.ts";

const blockSeconds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600];
const journalSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
/** Anybody who may send a workflow may name it. */
const mostWorkflows = 100;

/** The figures of one process that drives or serves runs. */
export interface Metrics {
  readonly observer: RunObserver;
  /** The same storage, whose journal is timed. */
  timed(storage: JournalStorage): JournalStorage;
  /** All of them, as Prometheus reads them. Rejects when the journal can't be read. */
  write(platform: Platform): Promise<string>;
}

export function createMetrics(version: string): Metrics {
  const registry = new MetricRegistry();
  const started = registry.counter("frond_runs_started_total", "Runs that this process drove first.");
  const taken = registry.counter(
    "frond_runs_taken_over_total",
    "Runs whose process was gone that this one went on with.",
  );
  const ended = registry.counter("frond_runs_ended_total", "Runs that ended in this process, by their outcome.");
  const took = "Time of the last attempt at a block, without waiting for answers, by type and outcome.";
  const duration = registry.histogram("frond_block_duration_seconds", took, blockSeconds);
  const retries = registry.counter("frond_block_retries_total", "Attempts at blocks after which another one follows.");
  const appended = registry.histogram("frond_journal_append_seconds", "Time until events are durable.", journalSeconds);
  const failed = registry.counter("frond_journal_append_errors_total", "Events that could not be made durable.");
  const nameOf = boundedValues(mostWorkflows);
  const figures = new ProcessFigures(version);

  function observe({ started: { workflow }, driving, kindOf }: ObservedRun): {
    onEvents(events: readonly RunEvent[]): void;
  } {
    const name = { workflow: nameOf(workflow) };
    if (driving === "begins") started.add(name);
    if (driving === "takes-over") taken.add(name);
    const kinds = new Map<string, string>();
    // A block may have begun before this process took the run.
    const kindAt = (path: string): string => kinds.get(path) ?? kindOf(path);
    return {
      onEvents(events) {
        for (const event of events) {
          if (event.type === "block-started") kinds.set(event.path, kindOf(event.path));
          else if (event.type === "attempt-ended") retries.add({ type: kindAt(event.path) });
          else if (event.type === "run-finished") ended.add({ ...name, outcome: outcomeWord(event) });
          else if (event.type === "block-finished") {
            duration.observe(event.durationMs / 1000, { type: kindAt(event.path), outcome: outcomeWord(event) });
            kinds.delete(event.path);
          }
        }
      },
    };
  }

  return {
    observer: { observe },
    timed: (storage) => ({
      examine: () => storage.examine(),
      open: async (options) => {
        const journal = await storage.open(options);
        return timeJournal(
          journal,
          (seconds) => appended.observe(seconds),
          () => failed.add(),
        );
      },
    }),
    async write(platform) {
      return registry.write([await countRuns(platform), ...(await countWaiting(platform)), ...figures.read()]);
    },
  };
}

/** Those that have ended are counted as they end: how many of them are kept says nothing. */
const openStatuses = ["queued", "running", "paused", "sleeping", "interrupted"] as const satisfies readonly RunStatus[];

async function countRuns(platform: Platform): Promise<ReadMetric> {
  const journal = await platform.journal();
  const counts = new Map<RunStatus, number>(openStatuses.map((status) => [status, 0]));
  for (const summary of await journal.list({ statuses: ["running", "paused", "sleeping"] })) {
    const status = statusOf(summary, platform);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return {
    name: "frond_runs",
    type: "gauge",
    help: "Runs in the journal that have not ended, by state, whichever process drives them.",
    values: [...counts].map(([state, count]) => [{ state }, count]),
  };
}

async function countWaiting({ dispatch }: Platform): Promise<ReadMetric[]> {
  if (dispatch === undefined) return [];
  const values = [...(await dispatch.waiting())].map(([queue, count]) => [{ queue }, count] as const);
  const help = "Stretches of runs that wait for a worker, by queue.";
  return [{ name: "frond_queue_waiting", type: "gauge", help, values }];
}

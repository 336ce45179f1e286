import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { ReadMetric } from "../util/metric-registry.ts";

const quantiles = [0.5, 0.9, 0.99];

/** What the process itself uses. Measuring the event loop costs a timer, so it begins when somebody first asks. */
export class ProcessFigures {
  readonly #version: string;
  #delay: IntervalHistogram | undefined;

  constructor(version: string) {
    this.#version = version;
  }

  read(): ReadMetric[] {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const [cpu, up] = [(user + system) / 1e6, process.uptime()];
    return [
      gauge("frond_info", "The version of Frond.", 1, { version: this.#version }),
      gauge("frond_process_resident_memory_bytes", "Memory of the process.", rss),
      gauge("frond_process_heap_used_bytes", "Memory that JavaScript uses.", heapUsed),
      gauge("frond_process_uptime_seconds", "Time since the process began.", up),
      { ...gauge("frond_process_cpu_seconds_total", "Time of processors used.", cpu), type: "counter" },
      this.#readDelay(),
    ];
  }

  /** Since it was last read. */
  #readDelay(): ReadMetric {
    const name = "frond_event_loop_delay_seconds";
    const help = "How late the event loop was since it was last asked for; the first time, nothing is known.";
    const delay = this.#delay;
    if (delay === undefined) {
      this.#delay = monitorEventLoopDelay({ resolution: 20 });
      this.#delay.enable();
      return { name, type: "gauge", help, values: [] };
    }
    const values = quantiles.map((at) => [{ quantile: String(at) }, seconds(delay.percentile(at * 100))] as const);
    const longest = [{ quantile: "1" }, seconds(delay.max)] as const;
    delay.reset();
    return { name, type: "gauge", help, values: [...values, longest] };
  }
}

/** Nothing measured yet is no delay. */
function seconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) && nanoseconds < 1e15 ? nanoseconds / 1e9 : 0;
}

function gauge(name: string, help: string, value: number, labels: Readonly<Record<string, string>> = {}): ReadMetric {
  return { name, type: "gauge", help, values: [[labels, value]] };
}

import { expect, test } from "vitest";
import { boundedValues, MetricRegistry } from "./metric-registry.ts";

test("metrics are written as Prometheus reads them", () => {
  const registry = new MetricRegistry();
  const ended = registry.counter("frond_ended_total", "Runs.");
  const took = registry.histogram("frond_took_seconds", "Time.", [0.1, 1]);
  ended.add({ workflow: 'a "b"\\\n' });
  ended.add({ workflow: 'a "b"\\\n' }, 2);
  for (const seconds of [0.05, 0.1, 0.5, 7]) took.observe(seconds, { type: "Shell" });
  const text = registry.write([{ name: "frond_now", type: "gauge", help: "Now.", values: [[{}, 4]] }]);
  expect(text).toBe(`# HELP frond_ended_total Runs.
# TYPE frond_ended_total counter
frond_ended_total{workflow="a \\"b\\"\\\\\\n"} 3
# HELP frond_took_seconds Time.
# TYPE frond_took_seconds histogram
frond_took_seconds_bucket{type="Shell",le="0.1"} 2
frond_took_seconds_bucket{type="Shell",le="1"} 3
frond_took_seconds_bucket{type="Shell",le="+Inf"} 4
frond_took_seconds_sum{type="Shell"} 7.65
frond_took_seconds_count{type="Shell"} 4
# HELP frond_now Now.
# TYPE frond_now gauge
frond_now 4
`);
});

test("a label has no more values than it may", () => {
  const bounded = boundedValues(2);
  expect(["a", "b", "c", "a", "d"].map(bounded)).toEqual(["a", "b", "other", "a", "other"]);
});

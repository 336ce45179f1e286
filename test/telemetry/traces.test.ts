import { expect, test } from "vitest";
import { type CollectedSpan, readAttributes, startCollector } from "../rig/collector.ts";
import { createFrond } from "../rig/frond.ts";

const nested = `name: nested
description: Holds a child, a loop and an attempt that fails
blocks:
  - id: outer
    type: Workflow
    inputs: { workflow: ./child.yaml }
  - id: last
    type: Shell
    depends_on: [outer]
    inputs: { command: 'echo "$TRACEPARENT" > parent; exit 3' }
    expect: { exit_code: [3] }
`;
const child = `name: child
description: What is called
blocks:
  - id: each
    type: Shell
    for_each: [a, b]
    max_parallel: 1
    inputs: { command: "true" }
  - id: flaky
    type: Shell
    depends_on: [each]
    retry: { attempts: 2, delay: 0 }
    inputs: { command: "test -e tried || { touch tried; exit 1; }" }
  - id: never
    type: Shell
    condition: "false"
    inputs: { command: "true" }
`;

const byName =
  (name: string) =>
  (span: CollectedSpan): boolean =>
    span.name === name;

test("the spans of a trace are the tree of the run: blocks, passes and attempts at any depth", async () => {
  const collector = await startCollector();
  const frond = createFrond({ "nested.yaml": nested, "child.yaml": child });
  const env = { ...collector.env, OTEL_SERVICE_NAME: "shop", OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b,other=c" };
  const { code, reply } = await frond.json(["run", "nested.yaml"], { env });
  expect(code, JSON.stringify(reply)).toBe(0);
  expect(collector.tree()).toEqual([
    "nested",
    "  outer",
    "    attempt 1",
    "      each",
    "        attempt 1",
    "          each[0]",
    "            attempt 1",
    "          each[1]",
    "            attempt 1",
    "      flaky",
    "        attempt 1",
    "        attempt 2",
    "  last",
    "    attempt 1",
  ]);
  const spans = collector.spans();
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  const { run_id: runId } = reply as { readonly run_id: string };
  const [first, second] = spans.filter(({ attributes }) => attributes["frond.block"] === "outer/flaky");
  expect(first).toMatchObject({
    attributes: { "frond.attempt": "1", "frond.outcome": "failure", "frond.exit_code": "1", "frond.type": "Shell" },
    status: { code: 2 },
  });
  expect(second).toMatchObject({
    attributes: { "frond.attempt": "2", "frond.outcome": "success" },
    status: { code: 1 },
  });
  expect(spans.find(byName("nested"))).toMatchObject({
    attributes: { "frond.run_id": runId, "frond.workflow": "nested", "frond.outcome": "success" },
  });
  for (const { startTimeUnixNano: start, endTimeUnixNano: end, parentSpanId } of spans) {
    expect(BigInt(end)).toBeGreaterThanOrEqual(BigInt(start));
    const around = spans.find(({ spanId }) => spanId === parentSpanId);
    if (around === undefined) continue;
    expect(BigInt(start)).toBeGreaterThanOrEqual(BigInt(around.startTimeUnixNano));
    expect(BigInt(end)).toBeLessThanOrEqual(BigInt(around.endTimeUnixNano));
  }
  const attempt = spans.find(({ attributes }) => attributes["frond.block"] === "last" && "frond.attempt" in attributes);
  expect(frond.read("parent").trim()).toBe(`00-${attempt?.traceId}-${attempt?.spanId}-01`);
  const [request] = collector.server.requests;
  expect(request).toMatchObject({ method: "POST", url: "/v1/traces", headers: { "x-key": "a b", other: "c" } });
  const { resourceSpans } = JSON.parse(request?.body ?? "") as { resourceSpans: { resource: { attributes: never } }[] };
  expect(readAttributes(resourceSpans[0]?.resource.attributes ?? ([] as never))).toMatchObject({
    "service.name": "shop",
  });
});

test("a run that another process goes on with has one trace, below the span of whoever started it; a rerun links to it", async () => {
  const collector = await startCollector();
  const asking = `name: asking
description: Waits for an answer
blocks:
  - { id: ask, type: Prompt, inputs: { prompt: "Go on?" } }
  - { id: go, type: Shell, depends_on: [ask], inputs: { command: "true" } }
`;
  const frond = createFrond({ "asking.yaml": asking });
  const [trace, caller] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const started = await frond.json(["run", "asking.yaml"], {
    env: { ...collector.env, TRACEPARENT: `00-${trace}-${caller}-01` },
  });
  expect(started.code).toBe(3);
  expect(collector.spans()).toEqual([]);
  const { run_id: runId } = started.reply as { readonly run_id: string };
  await frond.json(["resume", runId, "--response", "yes"], { env: collector.env });
  expect(collector.tree(trace)).toEqual(["asking", "  ask", "    attempt 1", "  go", "    attempt 1"]);
  const root = collector.spans().find(byName("asking"));
  expect(root?.parentSpanId).toBe(caller);
  await frond.json(["rerun", runId], { env: collector.env });
  const again = collector.spans().find(({ attributes }) => attributes["frond.rerun_of"] === runId);
  expect(again?.traceId).not.toBe(trace);
  expect(again?.links).toMatchObject([{ traceId: trace, spanId: root?.spanId }]);
});

test("where nobody takes traces, one warning says so, and runs go on", async () => {
  const collector = await startCollector();
  await collector.server.close();
  const frond = createFrond({ "nested.yaml": nested, "child.yaml": child });
  const { code, stderr } = await frond.run(["run", "nested.yaml"], { env: collector.env });
  expect(code).toBe(0);
  expect(stderr.match(/Traces can't be sent to .*ECONNREFUSED/g)).toHaveLength(1);
});

test("nothing is sent of a trace that its parent does not keep, and commands are told so", async () => {
  const collector = await startCollector();
  const frond = createFrond({
    "one.yaml": `name: one
description: Tells its parent
blocks:
  - { id: tell, type: Shell, inputs: { command: 'echo "$TRACEPARENT" > parent' } }
`,
  });
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  await frond.json(["run", "one.yaml"], {
    env: { ...collector.env, TRACEPARENT: `00-${trace}-00f067aa0ba902b7-00` },
  });
  expect(frond.read("parent")).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00\n$`));
  await frond.json(["run", "one.yaml"]);
  expect(frond.read("parent")).toBe("\n");
  expect(collector.server.requests).toEqual([]);
});

import { type ServeOptions, serve, type TestServer } from "./http-server.ts";

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: number; readonly message?: string };
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

export interface Collector {
  readonly server: TestServer;
  /** What sends traces to it. */
  readonly env: Readonly<Record<string, string>>;
  /** All that has come in, with attributes by name. */
  spans(): CollectedSpan[];
  /** A trace as text: names, two spaces deeper than what they are in, in the order in which they began. */
  tree(traceId?: string): string[];
}

/** Takes traces as an OpenTelemetry collector does, on a port of its own. */
export async function startCollector(options: ServeOptions = {}): Promise<Collector> {
  const server = await serve((_request, response) => response.end("{}"), options);
  const spans = (): CollectedSpan[] => server.requests.flatMap(({ body }) => readSpans(JSON.parse(body)));
  return {
    server,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: server.url },
    spans,
    tree: (traceId) => drawTree(spans().filter((span) => traceId === undefined || span.traceId === traceId)),
  };
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly (CollectedSpan & { readonly attributes: unknown })[] }[];
  }[];
}

function readSpans(sent: Sent): CollectedSpan[] {
  return sent.resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({ ...span, attributes: readAttributes(span.attributes as never) }));
}

/** A value stands under the name of its kind. */
export function readAttributes(
  list: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[],
): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function drawTree(spans: readonly CollectedSpan[]): string[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const inOrder = [...spans].sort(
    (one, other) => compare(one.startTimeUnixNano, other.startTimeUnixNano) || compare(one.name, other.name),
  );
  const draw = (parent: string | undefined, depth: number): string[] =>
    inOrder
      .filter(({ parentSpanId = "" }) => (parent === undefined ? !known.has(parentSpanId) : parentSpanId === parent))
      .flatMap(({ spanId, name }) => [`${"  ".repeat(depth)}${name}`, ...draw(spanId, depth + 1)]);
  return draw(undefined, 0);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

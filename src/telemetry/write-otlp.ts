import type { Span } from "./span.ts";

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** OpenTelemetry's own numbers. */
const internalSpan = 1;
const [fine, failed] = [1, 2];

/** Spans as the body of a request that OTLP collectors take over HTTP, in JSON. */
export function writeOtlp(spans: readonly Span[], resource: Attributes, version: string): string {
  const scopeSpans = [{ scope: { name: "frond", version }, spans: spans.map(writeSpan) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: writeAttributes(resource) }, scopeSpans }] });
}

function writeSpan({ traceId, spanId, parentId, name, startMs, endMs, attributes, error, links = [] }: Span): object {
  return {
    traceId,
    spanId,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name,
    kind: internalSpan,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: writeAttributes(attributes),
    status: error === undefined ? { code: fine } : { code: failed, message: error },
    ...(links.length === 0
      ? {}
      : { links: links.map((link) => ({ ...link, attributes: writeAttributes(link.attributes) })) }),
  };
}

/** As text: a number would lose its last digits. */
function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds)}000000`;
}

function writeAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: writeValue(value) }));
}

function writeValue(value: string | number | boolean): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

import type { RunObserver } from "../runs/run-observer.ts";
import { writeTraceParent } from "../util/trace-parent.ts";
import { RunSpans } from "./run-spans.ts";
import { attemptSpanId, runSpan } from "./span.ts";
import { SpanExporter } from "./span-exporter.ts";
import { readTraceSettings } from "./trace-settings.ts";

export interface Traces {
  readonly observer: RunObserver;
  /** Sends what has not been sent yet, within a few seconds. */
  close(): Promise<void>;
}

/** Nothing where the environment asks for no traces, or for none that can be made. */
export function openTraces(
  variables: Readonly<Record<string, string | undefined>>,
  version: string,
  warn: (message: string) => void,
): Traces | undefined {
  const settings = readTraceSettings(variables, version);
  if (settings === undefined) return undefined;
  if (!settings.ok) {
    warn(`No traces are sent. ${settings.error}`);
    return undefined;
  }
  const exporter = new SpanExporter({ ...settings.value, version, warn });
  return {
    observer: {
      observe(run) {
        const { traceId, isSampled } = runSpan(run.started);
        const spans = isSampled ? new RunSpans(run, (span) => exporter.add(span)) : undefined;
        return {
          onEvents(events) {
            for (const event of events) spans?.hear(event);
          },
          variables: (attempt) => ({
            TRACEPARENT: writeTraceParent({ traceId, spanId: attemptSpanId(attempt), isSampled }),
          }),
        };
      },
    },
    close: () => exporter.close(),
  };
}

import { waitWithin } from "../util/wait-within.ts";
import type { Span } from "./span.ts";
import type { TraceSettings } from "./trace-settings.ts";
import { writeOtlp } from "./write-otlp.ts";

const batchSize = 512;
/** More than that are not kept while nobody takes them. */
const mostSpans = 16_384;
const betweenBatchesMs = 1_000;
const betweenAttemptsMs = 5_000;
/** For what is left at the end of the process. */
const lastBatchesMs = 3_000;

export interface ExporterOptions extends TraceSettings {
  readonly version: string;
  warn(message: string): void;
}

/**
 * Sends spans in batches, one request at a time. Nobody waits for it but the end of the process, and that not for long. While the
 * collector can't be reached spans are kept, up to a limit; the first time something is wrong is told, and no other.
 */
export class SpanExporter {
  readonly #options: ExporterOptions;
  #waiting: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<boolean> | undefined;
  readonly #closing = new AbortController();
  #hasWarned = false;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  add(span: Span): void {
    if (this.#closing.signal.aborted) return;
    this.#waiting.push(span);
    if (this.#waiting.length > mostSpans) {
      this.#waiting = this.#waiting.slice(-mostSpans);
      this.#warn("too many are waiting, so the oldest are lost");
    }
    if (this.#timer === undefined && this.#sending === undefined) this.#sendAfter(betweenBatchesMs);
  }

  /** Sends what is left, as far as that goes quickly. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await waitWithin(lastBatchesMs, (done) => void this.#sendAll().then(done));
    this.#closing.abort();
  }

  #sendAfter(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#sendBatch().then((isSent) => {
        if (this.#waiting.length > 0 && this.#timer === undefined && !this.#closing.signal.aborted) {
          this.#sendAfter(isSent ? 0 : betweenAttemptsMs);
        }
      });
    }, delayMs).unref();
  }

  async #sendAll(): Promise<void> {
    await this.#sending;
    clearTimeout(this.#timer);
    while (this.#waiting.length > 0 && (await this.#sendBatch()));
  }

  #sendBatch(): Promise<boolean> {
    this.#sending ??= this.#post(this.#waiting.splice(0, batchSize)).finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  /** Whether the collector has taken them, or never will. */
  async #post(spans: readonly Span[]): Promise<boolean> {
    const { url, headers, timeoutMs, resource, version } = this.#options;
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#closing.signal]);
      const answer = await fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: writeOtlp(spans, resource, version),
        redirect: "error",
        signal,
      });
      await answer.arrayBuffer();
      if (answer.ok) return true;
      this.#warn(`it answers ${answer.status}`);
      // Anything else would be refused again.
      if (![429, 502, 503, 504].includes(answer.status)) return true;
    } catch (error) {
      this.#warn(describe(error));
    }
    this.#waiting.unshift(...spans);
    return false;
  }

  #warn(reason: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const { origin, pathname } = new URL(this.#options.url);
    this.#options.warn(`Traces can't be sent to ${origin}${pathname}: ${reason}. Runs go on without them.`);
  }
}

function describe(error: unknown): string {
  const { cause, message } = error as Error;
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : message;
}

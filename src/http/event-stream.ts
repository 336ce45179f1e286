/** Between two signs of life: proxies and sleeping machines close what is silent for long. */
const heartbeatMs = 15_000;

export interface EventSink {
  /** Sends a record under a name; `id` comes back as Last-Event-ID when the reader connects again. */
  send(event: string, data: unknown, id?: number | string): void;
  /** Nothing more will come. */
  end(): void;
}

/**
 * A stream of server-sent events. `begin` is called at once and gives how to stop; that is called when the reader has gone or the sink
 * is ended.
 */
export function eventStream(signal: AbortSignal, begin: (sink: EventSink) => () => void): Response {
  const encoder = new TextEncoder();
  let stop = (): void => {};
  let hasEnded = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string): void => {
        if (!hasEnded) controller.enqueue(encoder.encode(text));
      };
      const heartbeat = setInterval(() => write(": still here\n\n"), heartbeatMs).unref();
      const end = (): void => {
        if (hasEnded) return;
        hasEnded = true;
        clearInterval(heartbeat);
        stop();
        controller.close();
      };
      write("retry: 1000\n\n");
      const stopSending = begin({
        send(event, data, id) {
          const numbered = id === undefined ? "" : `id: ${id}\n`;
          write(`event: ${event}\n${numbered}data: ${JSON.stringify(data)}\n\n`);
        },
        end,
      });
      stop = stopSending;
      if (hasEnded) stopSending();
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    },
    cancel() {
      hasEnded = true;
      stop();
    },
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}

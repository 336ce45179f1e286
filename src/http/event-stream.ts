/** Between two signs of life: proxies and sleeping machines close what is silent for long. */
const heartbeatMs = 15_000;
/** In bytes, of what a reader has not taken yet. */
const mostWaiting = 1_000_000;

export interface EventSink {
  /** Sends a record under a name; `id` comes back as Last-Event-ID when the reader connects again. */
  send(event: string, data: unknown, id?: number | string): void;
  /** Whether the reader keeps up: what is sent all the same waits in memory. */
  hasRoom(): boolean;
  /** Nothing more will come. */
  end(): void;
}

/**
 * A stream of server-sent events. `begin` is called at once and gives how to stop; that is called once, when the reader has gone, the
 * signal comes or the sink is ended. A reader that is too slow is sent the end: it connects again and says what it saw last, so it
 * loses nothing, and what waits for it here never grows beyond a limit and one event.
 */
export function eventStream(signal: AbortSignal, begin: (sink: EventSink) => () => void): Response {
  const encoder = new TextEncoder();
  let finish = (): void => {};
  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    let stop: (() => void) | undefined;
    let hasEnded = false;
    const heartbeat = setInterval(() => {
      if (hasRoom(controller)) write("event: beat\ndata: {}\n\n");
    }, heartbeatMs).unref();
    const end = (): void => {
      if (hasEnded) return;
      finish();
      controller.close();
    };
    finish = () => {
      if (hasEnded) return;
      hasEnded = true;
      clearInterval(heartbeat);
      signal.removeEventListener("abort", end);
      stop?.();
    };
    const write = (text: string): void => {
      if (!hasEnded) controller.enqueue(encoder.encode(text));
    };
    write("retry: 1000\n\n");
    stop = begin({
      send(event, data, id) {
        if (!hasRoom(controller)) return end();
        const numbered = id === undefined ? "" : `id: ${id}\n`;
        write(`event: ${event}\n${numbered}data: ${JSON.stringify(data)}\n\n`);
      },
      hasRoom: () => hasRoom(controller),
      end,
    });
    if (hasEnded) stop();
    else if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  };
  const body = new ReadableStream<Uint8Array>(
    { start, cancel: () => finish() },
    { highWaterMark: mostWaiting, size: (chunk) => chunk.byteLength },
  );
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}

/** One event may be larger than all that may wait, and is sent all the same. */
function hasRoom({ desiredSize }: ReadableStreamDefaultController<Uint8Array>): boolean {
  return (desiredSize ?? 0) > 0;
}

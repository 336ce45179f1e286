import { expect, test, vi } from "vitest";
import { type EventSink, eventStream } from "./event-stream.ts";

function open(signal: AbortSignal = new AbortController().signal) {
  const stop = vi.fn();
  const sinks: EventSink[] = [];
  const { body } = eventStream(signal, (given) => {
    sinks.push(given);
    return stop;
  });
  const [sink] = sinks;
  if (body === null || sink === undefined) throw new Error("There is no stream.");
  return { reader: body.getReader(), sink, stop };
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return text;
    text += Buffer.from(value).toString("utf8");
  }
}

test("events have a name, data and the number that a reader comes back with", async () => {
  const { reader, sink, stop } = open();
  sink.send("level", { a: "x\ny" }, 7);
  sink.end();
  expect(await readAll(reader)).toBe('retry: 1000\n\nevent: level\nid: 7\ndata: {"a":"x\\ny"}\n\n');
  expect(stop).toHaveBeenCalledTimes(1);
});

test("a reader that takes nothing is sent the end, and what waits for it does not grow", async () => {
  const { reader, sink, stop } = open();
  for (let id = 1; id <= 1000; id++) sink.send("change", "x".repeat(10_000), id);
  expect(stop).toHaveBeenCalledTimes(1);
  const text = await readAll(reader);
  expect(text.length).toBeLessThan(1_100_000);
  // What it has seen last is where it goes on.
  expect(text.match(/^id: \d+$/gm)?.length).toBeGreaterThan(90);
});

test("one event that is larger than all that may wait reaches its reader", async () => {
  const { reader, sink } = open();
  sink.send("level", "x".repeat(3_000_000), 1);
  expect((await reader.read()).done).toBe(false);
  expect((await reader.read()).value?.byteLength).toBeGreaterThan(3_000_000);
  sink.send("change", "y", 2);
  expect(Buffer.from((await reader.read()).value ?? []).toString("utf8")).toContain("event: change");
});

test.each(["the reader goes", "the signal comes", "the sink is ended"])(
  "whatever ends it, it is stopped once and leaves nothing behind: %s",
  async (how) => {
    vi.useFakeTimers();
    try {
      const over = new AbortController();
      const { reader, sink, stop } = open(over.signal);
      expect(vi.getTimerCount()).toBe(1);
      if (how === "the reader goes") await reader.cancel();
      else if (how === "the signal comes") over.abort();
      else sink.end();
      over.abort();
      sink.send("late", {});
      sink.end();
      expect(stop).toHaveBeenCalledTimes(1);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  },
);

test("one who is gone before it begins is not listened for", async () => {
  const { stop } = open(AbortSignal.abort());
  expect(stop).toHaveBeenCalledTimes(1);
});

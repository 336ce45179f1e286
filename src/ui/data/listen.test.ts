import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listen } from "./listen.ts";

/** A browser's EventSource, as far as it is used, that does what the test says. */
class FakeStream extends EventTarget {
  static readonly CLOSED = 2;
  static readonly made: FakeStream[] = [];
  readyState = 0;
  onopen: (() => void) | undefined;
  onerror: (() => void) | undefined;
  constructor() {
    super();
    FakeStream.made.push(this);
  }
  close(): void {
    this.readyState = FakeStream.CLOSED;
  }
  send(name: string, data: object): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }
  fail(readyState: number): void {
    this.readyState = readyState;
    this.onerror?.();
  }
}

const page = new EventTarget() as EventTarget & { hidden: boolean };
const heard: unknown[] = [];

function begin(): { readonly stop: () => void; latest(): FakeStream } {
  const stop = listen(
    "/runs/events",
    { connected: (isConnected) => heard.push(isConnected), failed: ({ status }) => heard.push(status) },
    { runs: (data) => heard.push(data) },
  );
  return {
    stop,
    latest() {
      const stream = FakeStream.made.at(-1);
      if (stream === undefined) throw new Error("There is no stream.");
      return stream;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeStream.made.length = 0;
  heard.length = 0;
  page.hidden = false;
  vi.stubGlobal("EventSource", FakeStream);
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a stream of the page", () => {
  it("tells what comes, and that it is open", () => {
    const { latest, stop } = begin();
    latest().onopen?.();
    latest().send("runs", { runs: [] });
    expect(heard).toEqual([true, { runs: [] }]);
    stop();
    expect(latest().readyState).toBe(FakeStream.CLOSED);
  });

  it("begins anew where no sign of life comes, and not while they come", () => {
    const { latest, stop } = begin();
    latest().onopen?.();
    for (let beat = 0; beat < 8; beat++) {
      vi.advanceTimersByTime(15_000);
      latest().send("beat", {});
    }
    expect(FakeStream.made).toHaveLength(1);
    vi.advanceTimersByTime(46_000);
    expect(FakeStream.made).toHaveLength(2);
    expect(FakeStream.made[0]?.readyState).toBe(FakeStream.CLOSED);
    expect(heard).toEqual([true, false]);
    stop();
  });

  it("is checked when the reader comes back after the machine slept", () => {
    const { latest, stop } = begin();
    latest().onopen?.();
    vi.setSystemTime(Date.now() + 3_600_000);
    page.dispatchEvent(new Event("visibilitychange"));
    expect(FakeStream.made).toHaveLength(2);
    page.dispatchEvent(new Event("online"));
    expect(FakeStream.made).toHaveLength(2);
    stop();
  });

  it("says why it was refused, and tries again when the reader comes back", async () => {
    vi.stubGlobal("fetch", async () => Response.json({ error: { code: "x", message: "No." } }, { status: 401 }));
    const { latest, stop } = begin();
    latest().fail(FakeStream.CLOSED);
    await vi.waitFor(() => expect(heard).toEqual([false, 401]));
    page.dispatchEvent(new Event("visibilitychange"));
    expect(FakeStream.made).toHaveLength(2);
    stop();
  });

  it("begins anew where the browser has given up and the server is gone", async () => {
    vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("gone")));
    const { latest, stop } = begin();
    latest().fail(FakeStream.CLOSED);
    await vi.advanceTimersByTimeAsync(1000);
    expect(FakeStream.made).toHaveLength(2);
    stop();
  });

  it("is given up by a page that nobody sees, where others have what the browser allows", async () => {
    vi.stubGlobal("navigator", {
      locks: { request: async (_: string, __: object, hold: (lock: null) => unknown) => hold(null) },
    });
    const { latest, stop } = begin();
    page.hidden = true;
    page.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(31_000);
    expect(latest().readyState).toBe(FakeStream.CLOSED);
    page.hidden = false;
    page.dispatchEvent(new Event("visibilitychange"));
    expect(FakeStream.made).toHaveLength(2);
    stop();
  });
});

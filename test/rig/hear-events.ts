import { onTestFinished } from "vitest";
import type { HttpDoor } from "./http-door.ts";
import { waitFor } from "./wait-for.ts";

export interface HeardEvent {
  readonly event: string;
  readonly id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  readonly data: any;
}

/** A stream of server-sent events that is being listened to. */
export interface Hearing {
  readonly events: readonly HeardEvent[];
  readonly hasEnded: boolean;
  /** Resolves when something has been heard of which this is true. */
  until(what: string, isSo: (events: readonly HeardEvent[]) => boolean): Promise<void>;
  stop(): void;
}

/** Listens as a browser does, which says what it heard last when it comes again. */
export async function hearEvents(door: HttpDoor, path: string, lastEventId?: string): Promise<Hearing> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const headers = {
    accept: "text/event-stream",
    ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
  };
  const response = await door.send({ headers, signal: leaving.signal }, path);
  if (response.status !== 200 || response.body === null) throw new Error(`${path} answered ${response.status}.`);
  const events: HeardEvent[] = [];
  let hasEnded = false;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const read = async (): Promise<void> => {
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const parts = `${text}${value}`.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) {
        const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1];
        const data = field("data");
        if (data !== undefined) events.push({ event: field("event") ?? "", id: field("id"), data: JSON.parse(data) });
      }
    }
  };
  void read()
    .catch(() => {})
    .finally(() => {
      hasEnded = true;
    });
  return {
    events,
    get hasEnded() {
      return hasEnded;
    },
    until: (what, isSo) => waitFor(what, () => isSo(events)),
    stop: () => leaving.abort(),
  };
}

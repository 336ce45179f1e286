import type { LogLines } from "../../views/page/detail-records.ts";
import type { Level, LevelChange, RunsChange } from "../../views/page/page-records.ts";
import { ask } from "./ask.ts";
import { listen } from "./listen.ts";
import type { Source } from "./source.ts";

/** The server that has served the page. */
export function createHttpSource(): Source {
  const post: Source["post"] = (path, body) =>
    ask(path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-frond": "1" },
      body: JSON.stringify(body),
    });
  return {
    isLive: true,
    get: (path, query = {}) => ask(withQuery(path, query), { method: "GET" }),
    draw: (what, given) => post(`/drawings/${what}`, given),
    post,
    watchRuns: (listener) =>
      listen("/runs/events", listener, {
        runs: (data) => {
          const { runs, removed = [] } = data as RunsChange;
          listener.changed(runs, removed);
        },
      }),
    watchLevel: (runId, address, listener) =>
      listen(`/runs/${encodeURIComponent(runId)}/events/${addressPath(address)}`, listener, {
        level: (data) => listener.level(data as Level),
        change: (data) => listener.changed(data as LevelChange),
      }),
    watchLog(runId, address, attempt, listener) {
      const query = { attempt: attempt?.toString() };
      const hear = (data: unknown, isFresh: boolean): void => {
        const lines = data as LogLines;
        // The server closes the stream then, and the browser would come again for nothing.
        if (lines.has_ended === true) stop();
        listener.lines(lines, isFresh);
      };
      const stop = listen(
        withQuery(`/runs/${encodeURIComponent(runId)}/logs/${addressPath(address)}`, query),
        listener,
        {
          start: (data) => hear(data, true),
          lines: (data) => hear(data, false),
        },
      );
      return stop;
    },
  };
}

function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Each step on its own: a name may hold a slash only where an address has one. */
export function addressPath(address: string): string {
  return address.split("/").map(encodeURIComponent).join("/");
}

import type { ApiError, Level, LevelChange, LogLines, RunsChange } from "../../views/page/page-records.ts";
import { ApiProblem, type ConnectionListener, type Source, type Stop } from "./source.ts";

/** The server that has served the page. */
export function createHttpSource(): Source {
  return {
    isLive: true,
    get: (path, query = {}) => ask(withQuery(path, query), { method: "GET" }),
    post: (path, body) =>
      ask(path, {
        method: "POST",
        headers: { "content-type": "application/json", "x-frond": "1" },
        body: JSON.stringify(body),
      }),
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
      return listen(withQuery(`/runs/${encodeURIComponent(runId)}/logs/${addressPath(address)}`, query), listener, {
        start: (data) => listener.lines(data as LogLines, true),
        lines: (data) => listener.lines(data as LogLines, false),
      });
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

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(`/api${path}`, init).catch(() => undefined);
  if (response === undefined) throw new ApiProblem(0, { code: "offline", message: "The server does not answer." });
  const data: unknown = await response.json().catch(() => ({}));
  if (response.ok) return data as T;
  const { error } = data as Partial<ApiError>;
  throw new ApiProblem(
    response.status,
    error ?? { code: "failed", message: `The server answered ${response.status}.` },
  );
}

/** The browser connects again by itself, and says which event it saw last; where it gives up, we begin anew. */
function listen(
  path: string,
  { connected, failed }: ConnectionListener,
  events: Readonly<Record<string, (data: unknown) => void>>,
): Stop {
  let stream: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    const own = new EventSource(`/api${path}`);
    stream = own;
    own.onopen = () => connected?.(true);
    own.onerror = () => {
      connected?.(false);
      if (own.readyState !== EventSource.CLOSED) return;
      // An answer that is no stream: why, only a plain request is told.
      ask(path.split("?")[0] === path ? path : path, { method: "GET", headers: { accept: "application/json" } }).catch(
        (problem: ApiProblem) => {
          if (problem.status >= 400 && problem.status < 500) failed?.(problem);
          else again = setTimeout(open, 1000);
        },
      );
    };
    for (const [name, hear] of Object.entries(events)) {
      own.addEventListener(name, (event) => hear(JSON.parse((event as MessageEvent<string>).data)));
    }
  };
  open();
  return () => {
    clearTimeout(again);
    stream?.close();
  };
}

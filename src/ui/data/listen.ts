import { readProblem } from "./ask.ts";
import { holdHiddenStream } from "./hidden-streams.ts";
import type { ConnectionListener, Stop } from "./source.ts";

/** The server gives a sign of life every 15 seconds: where two are missed, the stream is dead, whatever the browser believes. */
const deadMs = 40_000;
/** Who comes back to the page does not wait that long. */
const doubtMs = 20_000;
const againMs = 1000;
/** A page that nobody sees for so long gives its stream to those that are seen. */
const hiddenMs = 30_000;

/**
 * Listens to a stream of the API. The browser connects again by itself where it notices that the server is gone; where it gives up, or
 * where a machine has slept and the stream is open in name only, we begin anew.
 */
export function listen(
  path: string,
  { connected, failed }: ConnectionListener,
  events: Readonly<Record<string, (data: unknown) => void>>,
): Stop {
  const url = `/api${path}`;
  let stream: EventSource | undefined;
  let heardAt = Date.now();
  let again: ReturnType<typeof setTimeout> | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let releaseHidden: Stop | undefined;
  let isRefused = false;

  const close = (): void => {
    clearTimeout(again);
    stream?.close();
    stream = undefined;
  };
  const open = (): void => {
    close();
    isRefused = false;
    heardAt = Date.now();
    const own = new EventSource(url);
    stream = own;
    own.onopen = () => {
      heardAt = Date.now();
      connected?.(true);
    };
    own.onerror = () => {
      if (own !== stream) return;
      connected?.(false);
      if (own.readyState === EventSource.CLOSED) void findOutWhy();
    };
    own.addEventListener("beat", () => {
      heardAt = Date.now();
    });
    for (const [name, hear] of Object.entries(events)) {
      own.addEventListener(name, (event) => {
        heardAt = Date.now();
        hear(JSON.parse((event as MessageEvent<string>).data));
      });
    }
  };
  /** A stream that was refused does not say why; a plain request is told. */
  const findOutWhy = async (): Promise<void> => {
    const stopping = new AbortController();
    const response = await fetch(url, { signal: stopping.signal }).catch(() => undefined);
    const problem = response === undefined || response.ok ? undefined : await readProblem(response);
    stopping.abort();
    if (problem !== undefined && problem.status < 500) {
      isRefused = true;
      failed?.(problem);
    } else again = setTimeout(open, againMs);
  };
  const isSilentFor = (ms: number): boolean => stream !== undefined && Date.now() - heardAt > ms;
  const watch = setInterval(() => {
    if (!isSilentFor(deadMs)) return;
    connected?.(false);
    open();
  }, deadMs / 8);
  const look = (): void => {
    if (document.hidden) {
      hiding ??= setTimeout(() => void hide(), hiddenMs);
      return;
    }
    clearTimeout(hiding);
    hiding = undefined;
    releaseHidden?.();
    releaseHidden = undefined;
    // Whoever was refused may have been let in by another link since.
    if (isRefused || stream === undefined || isSilentFor(doubtMs)) open();
  };
  const hide = async (): Promise<void> => {
    const release = await holdHiddenStream();
    if (hiding === undefined) release?.();
    else if (release === undefined) close();
    else releaseHidden = release;
  };
  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  addEventListener("pageshow", look);
  open();
  return () => {
    clearInterval(watch);
    clearTimeout(hiding);
    hiding = undefined;
    releaseHidden?.();
    document.removeEventListener("visibilitychange", look);
    removeEventListener("online", look);
    removeEventListener("pageshow", look);
    close();
  };
}

import type { LogLines } from "../../views/page/detail-records.ts";
import type { Level } from "../../views/page/page-records.ts";
import { drawHere } from "../data/draw-here.ts";
import { addressPath } from "../data/http-source.ts";
import { ApiProblem, type ConnectionListener, type Source, type Stop } from "../data/source.ts";
import { isOver } from "../look/standing.ts";
import { type Host, HostProblem } from "./host.ts";

/** How soon it is looked again: a host forwards no streams. */
const runningMs = 1_500;
const waitingMs = 5_000;
const lostMs = 3_000;

/** The server, by the host that shows the view: every record of the page is a resource. Nothing can be changed this way. */
export function createHostSource(host: Host): Source {
  const read = async <T>(
    runId: string,
    rest: string,
    query: Readonly<Record<string, string | undefined>> = {},
  ): Promise<T> => {
    const uri = `run://${runId}/page/${rest}${queryText(query)}`;
    try {
      const { contents } = await host.request<{ readonly contents: readonly { readonly text?: string }[] }>(
        "resources/read",
        { uri },
      );
      return JSON.parse(contents[0]?.text ?? "null") as T;
    } catch (error) {
      throw toProblem(error);
    }
  };
  return {
    isLive: false,
    get<T>(path: string, query: Readonly<Record<string, string | undefined>> = {}): Promise<T> {
      const [, runId = "", rest = ""] = /^\/runs\/([^/]*)\/(.*)$/.exec(path) ?? [];
      return read(runId, rest, query);
    },
    draw: drawHere,
    post: () => Promise.reject(new ApiProblem(405, { code: "read-only", message: "This view changes nothing." })),
    watchRuns: () => () => {},
    watchLevel(runId, address, listener) {
      let known: string | undefined;
      let next = runningMs;
      return lookAgain(listener, async (isStopped) => {
        const found = await read<{ readonly tag: string; readonly level?: Level }>(
          runId,
          `level/${addressPath(address)}`,
          { unless: known },
        );
        if (isStopped()) return undefined;
        const { tag, level } = found;
        if (level === undefined) return next;
        known = tag;
        listener.level(level);
        next = nextLook(level);
        return next;
      });
    },
    watchLog(runId, address, attempt, listener) {
      let known = "";
      return lookAgain(listener, async (isStopped) => {
        const query = { attempt: attempt?.toString() };
        const lines = await read<LogLines>(runId, `logs/${addressPath(address)}`, query);
        if (isStopped()) return undefined;
        const text = JSON.stringify(lines);
        if (text !== known) listener.lines(lines, true);
        known = text;
        return lines.has_ended === true ? Number.POSITIVE_INFINITY : runningMs;
      });
    },
  };
}

/** A large level is a long message each time, and the client passes on all of it. */
const fewBlocks = 200;

function nextLook({ head: { standing }, blocks }: Level): number {
  if (isOver(standing)) return Number.POSITIVE_INFINITY;
  return standing === "running" && blocks.length <= fewBlocks ? runningMs : waitingMs;
}

/** Looks until it is stopped or there is nothing more to come; never while nobody can see it, and never faster than the answers come. */
function lookAgain(
  { connected, failed }: ConnectionListener,
  look: (isStopped: () => boolean) => Promise<number | undefined>,
): Stop {
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (ms: number): void => {
    if (!isStopped && ms !== Number.POSITIVE_INFINITY) timer = setTimeout(run, ms);
  };
  const run = async (): Promise<void> => {
    if (document.hidden) return soon(waitingMs);
    const begun = performance.now();
    try {
      const next = (await look(() => isStopped)) ?? Number.POSITIVE_INFINITY;
      connected?.(true);
      soon(Math.max(next, 2 * (performance.now() - begun)));
    } catch (error) {
      if (isStopped) return;
      const problem = toProblem(error);
      if (problem.status === 404) return failed?.(problem);
      connected?.(false);
      failed?.(problem);
      soon(lostMs);
    }
  };
  void run();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** What the protocol has for a resource that is not there, in each of its versions. */
const notFound = [-32002, -32602];

function toProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const message = error instanceof Error ? error.message : String(error);
  const isMissing = error instanceof HostProblem && notFound.includes(error.code);
  return new ApiProblem(isMissing ? 404 : 0, { code: isMissing ? "not-found" : "offline", message });
}

function queryText(query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

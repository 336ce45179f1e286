import type { FrozenRun } from "../../views/page/page-records.ts";
import { drawHere } from "./draw-here.ts";
import { ApiProblem, type Source } from "./source.ts";

/** A run that was written into the page itself. */
export function createFrozenSource(frozen: FrozenRun): Source {
  const missing = (what: string): ApiProblem =>
    new ApiProblem(404, {
      code: "not-in-file",
      message: `This file does not hold ${what}.`,
      fix: `frond show ${frozen.run_id} tells all of it, where the run is kept.`,
    });
  return {
    isLive: false,
    takenAt: Date.parse(frozen.frozen_at),
    async get<T>(path: string, query: Readonly<Record<string, string | undefined>> = {}): Promise<T> {
      const [, kind = "", rest = ""] = /^\/runs\/[^/]*\/(\w+)\/(.*)$/.exec(path) ?? [];
      const address = rest.split("/").map(decodeURIComponent).join("/");
      const named = query.attempt === undefined ? address : `${address}@${query.attempt}`;
      const records: Readonly<Record<string, unknown>> =
        kind === "blocks" ? frozen.blocks : kind === "changes" ? frozen.changes : {};
      const found = records[named] ?? records[address];
      if (found === undefined) throw missing("that");
      return found as T;
    },
    draw: drawHere,
    post: () => Promise.reject(missing("a server that could do that")),
    watchRuns: () => () => {},
    watchLevel(_, address, listener) {
      const level = frozen.levels[address];
      if (level === undefined) listener.failed?.(missing("what is inside this block"));
      else listener.level(level);
      return () => {};
    },
    watchLog(_, address, attempt, listener) {
      const named = attempt === undefined ? address : `${address}@${attempt}`;
      listener.lines(frozen.logs[named] ?? frozen.logs[address] ?? { lines: [], has_ended: true }, true);
      return () => {};
    },
  };
}

import { reachRun } from "../../mcp/reach-run.ts";
import { seeAddress, trimSlash } from "../../mcp/see-block.ts";
import { eventStream } from "../event-stream.ts";
import { defineRoute, type Route } from "../route.ts";

export const runEventsRoute: Route = defineRoute({
  method: "GET",
  path: "/runs/:run/events/*address",
  summary: "What is inside a run, or a block of it, and every change of that.",
  description:
    "`level` comes first: what `/runs/RUN/level/ADDRESS` gives. Then `change`: records that take the place of those with the same " +
    "address. The id of each is the number of the last event of the run that is in it; with it as `Last-Event-ID`, only what has " +
    "changed since is sent. `gone` says why nothing more comes: the run was removed, for example.",
  effect: "reads",
  isStream: true,
  async answer({ params, signal, lastEventId }, context) {
    const found = await reachRun(params.run ?? "", context);
    if (!found.ok) return found;
    // What is not there is told as an answer of its own.
    const seen = await seeAddress(params, context);
    if (!seen.ok) return seen;
    const after = /^\d{1,15}$/.test(lastEventId ?? "") ? Number(lastEventId) : undefined;
    return eventStream(signal, (sink) =>
      context.levels.watch(found.value.runId, trimSlash(params.address ?? ""), after, {
        level: (level, sequence) => sink.send("level", level, sequence),
        change: (change, sequence) => sink.send("change", change, sequence),
        gone: ({ code, message }) => {
          sink.send("gone", { error: { code, message } });
          sink.end();
        },
      }),
    );
  },
});

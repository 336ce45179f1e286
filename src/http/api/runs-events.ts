import type { RunLine, RunsChange } from "../../views/page/page-records.ts";
import { eventStream } from "../event-stream.ts";
import { defineRoute, type Route } from "../route.ts";

export const runsEventsRoute: Route = defineRoute({
  method: "GET",
  path: "/runs/events",
  summary: "Runs that begin, change or are removed, whichever process drives them.",
  description:
    "A stream of server-sent events. Each is named `runs` and holds `runs`: lines of the list that are new, or take the place of those of the same run; and `removed`: ids of runs that are not stored any more. It tells what happens while it is open: whoever opens it, also again, asks for `/runs` after that.",
  effect: "reads",
  isStream: true,
  async answer({ signal }, { runBook }) {
    return eventStream(signal, (sink) => {
      // For whoever reads slowly only the last line of a run is kept.
      const waiting = new Map<string, RunLine | undefined>();
      const send = (): void => {
        if (waiting.size === 0 || !sink.hasRoom()) return;
        const runs = [...waiting.values()].filter((line) => line !== undefined);
        const removed = [...waiting].flatMap(([runId, line]) => (line === undefined ? [runId] : []));
        waiting.clear();
        const change: RunsChange = { runs, ...(removed.length === 0 ? {} : { removed }) };
        sink.send("runs", change);
      };
      const again = setInterval(send, 1000).unref();
      const stop = runBook.listen(({ runs, removed = [] }) => {
        for (const line of runs) waiting.set(line.run_id, line);
        for (const runId of removed) waiting.set(runId, undefined);
        send();
      });
      return () => {
        clearInterval(again);
        stop();
      };
    });
  },
});

import { useEffect, useState } from "preact/hooks";
import type { Level, RunHead } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import type { ApiProblem } from "../data/source.ts";
import { applyChange } from "./apply-change.ts";

interface Watched {
  /** What it is the level of: while the next is on its way, the one before is not taken for it. */
  readonly address: string;
  readonly level?: Level;
  readonly problem?: ApiProblem;
}

interface UsedLevel extends Omit<Watched, "address"> {
  /** Of the run: there while the next level is on its way. */
  readonly head?: RunHead | undefined;
}

/** What is inside an address of a run, as it is now. */
export function useLevel(runId: string, address: string): UsedLevel {
  const { source, setConnected } = useApp();
  const [watched, setWatched] = useState<Watched>({ address });
  useEffect(() => {
    const stop = source.watchLevel(runId, address, {
      connected: setConnected,
      failed: (problem) =>
        setWatched((before) => ({ ...(before.address === address ? before : { address }), problem })),
      level: (level) => setWatched({ address, level }),
      changed: (change) =>
        setWatched((before) =>
          before.level === undefined || before.address !== address
            ? before
            : { address, level: applyChange(before.level, change) },
        ),
    });
    return () => {
      stop();
      setConnected(true);
    };
  }, [source, runId, address, setConnected]);
  const head = watched.level?.head;
  return watched.address === address ? { ...watched, head } : { head };
}

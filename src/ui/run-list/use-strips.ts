import { useEffect, useRef, useState } from "preact/hooks";
import type { RunLine, Strip } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";

/** So long after a scroll or a change, what is in sight is asked for. */
const waitMs = 120;

/** The strips of the runs that are in sight, and of those that were. */
export function useStrips(lines: readonly RunLine[]): ReadonlyMap<string, Strip> {
  const { source } = useApp();
  const known = useRef(new Map<string, number>());
  const [strips, setStrips] = useState<ReadonlyMap<string, Strip>>(new Map());
  const missing = lines.filter(({ run_id, sequence }) => known.current.get(run_id) !== sequence);
  const key = missing.map(({ run_id, sequence }) => `${run_id} ${sequence}`).join();
  useEffect(() => {
    if (missing.length === 0) return undefined;
    const timer = setTimeout(() => {
      for (const { run_id, sequence } of missing) known.current.set(run_id, sequence);
      source
        .get<{ strips: Record<string, Strip> }>("/strips", { runs: missing.map(({ run_id }) => run_id).join() })
        .then(
          (answer) => setStrips((before) => new Map([...before, ...Object.entries(answer.strips)])),
          () => {
            for (const { run_id } of missing) known.current.delete(run_id);
          },
        );
    }, waitMs);
    return () => clearTimeout(timer);
    // The lines are in the key.
  }, [source, key]);
  return strips;
}

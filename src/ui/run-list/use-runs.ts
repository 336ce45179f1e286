import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import type { ApiProblem } from "../data/source.ts";
import { type Filters, isWanted } from "./filters.ts";
import { createLoader, type Loader, type Runs } from "./load-runs.ts";

/** Whoever types is not asked for at every letter. */
const typingMs = 200;

/** What was shown last, so that going back finds it at once. */
let kept: { readonly key: string; readonly runs: Runs } | undefined;

interface UsedRuns {
  readonly runs: Runs | undefined;
  /** Whether what the filters let through is still asked for: until then it is what was there before, as far as they let it through. */
  readonly isLoading: boolean;
  readonly problem: ApiProblem | undefined;
  loadOlder(): void;
}

/** The runs that the filters let through, as they are now. */
export function useRuns(filters: Filters): UsedRuns {
  const { source, setConnected } = useApp();
  const key = JSON.stringify(filters);
  const [held, setHeld] = useState(kept);
  const [problem, setProblem] = useState<ApiProblem>();
  const loader = useRef<Loader>(undefined);
  useEffect(() => {
    kept = held;
  }, [held]);
  useEffect(() => {
    const own = createLoader(source, filters, setProblem, (change) =>
      setHeld((before) => {
        const next = change(before?.key === key ? before.runs : undefined);
        return next === undefined ? before : { key, runs: next };
      }),
    );
    loader.current = own;
    const timer = setTimeout(() => void own.load(), filters.text === undefined ? 0 : typingMs);
    return () => {
      clearTimeout(timer);
      own.stop();
    };
    // The filters are in the key.
  }, [source, key]);
  useEffect(() => {
    const stop = source.watchRuns({
      connected(isConnected) {
        setConnected(isConnected);
        // The stream tells only what happens while it is open: what was loaded before may be older.
        if (isConnected) void loader.current?.load();
      },
      failed: setProblem,
      changed: (lines, removed) => loader.current?.hear(lines, removed),
    });
    return () => {
      stop();
      setConnected(true);
    };
  }, [source, setConnected]);
  const loadOlder = useCallback(() => void loader.current?.loadOlder(), []);
  const runs = useMemo(() => held && { ...held.runs, lines: wantedOf(held.runs.lines, filters) }, [held, key]);
  return { runs, isLoading: held?.key !== key, problem, loadOlder };
}

function wantedOf(lines: Runs["lines"], filters: Filters): Runs["lines"] {
  const now = Date.now();
  return new Map([...lines].filter(([, line]) => isWanted(line, filters, now)));
}

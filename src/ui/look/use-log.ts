import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { LogStore } from "./log-lines.ts";

/** The log of an attempt at a block, as it grows. */
export function useLog(runId: string, address: string, attempt: number | undefined): [LogStore, string | undefined] {
  const { source } = useApp();
  const store = useRef(new LogStore());
  const [, draw] = useState(0);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    store.current = new LogStore();
    setProblem(undefined);
    let frame = 0;
    // However many lines come at once, the page is drawn once.
    const soon = (): void => {
      if (frame === 0) frame = requestAnimationFrame(drawNow);
    };
    const drawNow = (): void => {
      frame = 0;
      draw((times) => times + 1);
    };
    const stop = source.watchLog(runId, address, attempt, {
      lines(lines, isFresh) {
        store.current.add(lines, isFresh);
        soon();
      },
      failed: ({ message }) => setProblem(message),
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [source, runId, address, attempt]);
  return [store.current, problem];
}

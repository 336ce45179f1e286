import { useRef, useState } from "preact/hooks";
import { ApiProblem } from "../data/source.ts";

export interface Acting {
  readonly isBusy: boolean;
  readonly problem: ApiProblem | undefined;
  /** Does something once: while it goes on, asking for it again does nothing. */
  act(work: () => Promise<void>): void;
}

/** Something that is asked of the server, and why it said no. */
export function useAct(): Acting {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const going = useRef(false);
  const act = (work: () => Promise<void>): void => {
    if (going.current) return;
    going.current = true;
    setBusy(true);
    setProblem(undefined);
    work()
      .catch((error: unknown) => setProblem(asProblem(error)))
      .finally(() => {
        going.current = false;
        setBusy(false);
      });
  };
  return { isBusy, problem, act };
}

export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  return new ApiProblem(0, { code: "failed", message: error instanceof Error ? error.message : String(error) });
}

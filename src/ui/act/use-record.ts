import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import type { ApiProblem } from "../data/source.ts";
import { asProblem } from "./use-act.ts";

export interface Asked<T> {
  /** The last that came: it stays in sight while another is asked for. */
  readonly record: T | undefined;
  readonly problem: ApiProblem | undefined;
  readonly isLoading: boolean;
}

/** A record of the API, asked for again when what is asked for has changed. */
export function useRecord<T>(path: string, query: Readonly<Record<string, string | undefined>> = {}): Asked<T> {
  const { source } = useApp();
  const [asked, setAsked] = useState<Asked<T>>({ record: undefined, problem: undefined, isLoading: true });
  const key = JSON.stringify(query);
  useEffect(() => {
    let isWanted = true;
    setAsked(({ record }) => ({ record, problem: undefined, isLoading: true }));
    source.get<T>(path, JSON.parse(key) as Record<string, string>).then(
      (record) => isWanted && setAsked({ record, problem: undefined, isLoading: false }),
      (error: unknown) =>
        isWanted && setAsked(({ record }) => ({ record, problem: asProblem(error), isLoading: false })),
    );
    return () => {
      isWanted = false;
    };
  }, [source, path, key]);
  return asked;
}

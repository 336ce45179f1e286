import { useCallback, useRef, useState } from "preact/hooks";
import type { BlockCard, Level, PageStanding } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { addressPath } from "../data/http-source.ts";
import type { ApiProblem } from "../data/source.ts";

/** Which passes are listed: those that the level brings with it, all in order, or those that stand in some way. */
export type PassChoice = "first" | "all" | PageStanding;

export interface PassList {
  readonly total: number;
  /** Undefined until it has come. */
  card(index: number): BlockCard | undefined;
  /** Fetches what is in sight. */
  seen(from: number, to: number): void;
  readonly problem: string | undefined;
}

const pageSize = 200;

/** Passes page by page, as far as they are looked at; what the level tells of a pass is newer. */
export function usePasses(runId: string, level: Level, choice: PassChoice): PassList {
  const { source } = useApp();
  const address = level.of?.address ?? "";
  const pages = useRef(new Map<number, readonly BlockCard[]>());
  const [, setCount] = useState(0);
  const [problem, setProblem] = useState<string>();
  const epoch = useRef(0);
  const shown = useRef("");
  // Another choice or another loop has other pages. Not in an effect: rows in sight are asked for before those of this component.
  const key = `${runId} ${address} ${choice}`;
  if (shown.current !== key) {
    shown.current = key;
    epoch.current += 1;
    pages.current.clear();
  }

  const seen = useCallback(
    (from: number, to: number): void => {
      if (choice === "first") return;
      const asked = epoch.current;
      for (let page = Math.floor(from / pageSize); page * pageSize < to; page++) {
        if (pages.current.has(page)) continue;
        pages.current.set(page, []);
        const query = {
          offset: String(page * pageSize),
          limit: String(pageSize),
          standing: choice === "all" ? undefined : choice,
        };
        source
          .get<{ blocks: BlockCard[] }>(`/runs/${encodeURIComponent(runId)}/passes/${addressPath(address)}`, query)
          .then(({ blocks }) => {
            if (asked !== epoch.current) return;
            pages.current.set(page, blocks);
            setProblem(undefined);
            setCount((count) => count + 1);
          })
          .catch((reason: ApiProblem) => {
            pages.current.delete(page);
            if (asked === epoch.current) setProblem(reason.message);
          });
      }
    },
    [source, runId, address, choice],
  );
  const newer = new Map(level.blocks.map((card) => [card.address, card]));
  const totals = { first: level.blocks.length, all: level.passes?.total ?? 0 };
  return {
    total: choice === "first" || choice === "all" ? totals[choice] : (level.passes?.counts[choice] ?? 0),
    card(index) {
      if (choice === "first") return level.blocks[index];
      const card = pages.current.get(Math.floor(index / pageSize))?.[index % pageSize];
      return card === undefined ? undefined : (newer.get(card.address) ?? card);
    },
    seen,
    problem,
  };
}

/** The address of a pass by its place in the order. Passes over a list are numbered; those over an object have its keys, which are asked for. */
export function usePassAt(runId: string, level: Level): (index: number, use: (address: string) => void) => void {
  const { source } = useApp();
  const address = level.of?.address ?? "";
  const isNumbered = level.blocks.every(({ name }) => /^\d+$/u.test(name));
  return (index, use) => {
    if (isNumbered) return use(`${address}/${index}`);
    const query = { offset: String(index), limit: "1" };
    void source
      .get<{ blocks: BlockCard[] }>(`/runs/${encodeURIComponent(runId)}/passes/${addressPath(address)}`, query)
      .then(({ blocks: [pass] }) => pass && use(pass.address))
      .catch(() => undefined);
  };
}

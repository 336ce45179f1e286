import { useEffect, useRef, useState } from "preact/hooks";
import type { BlockDetail } from "../../views/page/detail-records.ts";
import type { BlockCard } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { addressPath } from "../data/http-source.ts";
import { isOver } from "../look/standing.ts";

/** A busy run changes all the time; the panel need not be read as often, and seldom where the block itself is as it was. */
const betweenMs = 400;
const betweenOthersMs = 2000;

interface ReadDetail {
  readonly key: string;
  readonly detail?: BlockDetail;
  readonly problem?: string;
}

/**
 * One block in full, read again when it has changed. The old one stays until the new one is there; of another block or attempt nothing stays.
 */
export function useDetail(
  runId: string,
  address: string,
  attempt: number | undefined,
  card: BlockCard | undefined,
  sequence: number,
): [BlockDetail | undefined, string | undefined] {
  const { source, isConnected } = useApp();
  const [read, setRead] = useState<ReadDetail>();
  const key = `${runId} ${address} ${attempt ?? ""}`;
  const latest = useRef({ key, at: 0, card });
  // Of what has ended nothing changes that its card does not tell.
  const changes = card !== undefined && isOver(card.standing) ? 0 : sequence;
  useEffect(() => {
    const ask = (): void => {
      latest.current = { key, at: Date.now(), card };
      const query = { attempt: attempt?.toString() };
      source.get<BlockDetail>(`/runs/${encodeURIComponent(runId)}/blocks/${addressPath(address)}`, query).then(
        (detail) => latest.current.key === key && setRead((old) => newer(old, { key, detail })),
        ({ message }: Error) => latest.current.key === key && setRead((old) => withProblem(old, key, message)),
      );
    };
    const { key: last, at, card: lastCard } = latest.current;
    const between = card === lastCard ? betweenOthersMs : betweenMs;
    const timer = setTimeout(ask, last === key ? Math.max(0, at + between - Date.now()) : 0);
    return () => clearTimeout(timer);
  }, [source, isConnected, key, card, changes]);
  return read?.key === key ? [read.detail, read.problem] : [undefined, undefined];
}

/** Answers may come in another order than they were asked for. */
function newer(old: ReadDetail | undefined, read: Required<Omit<ReadDetail, "problem">>): ReadDetail {
  const isOlder = old?.key === read.key && old.detail !== undefined && old.detail.sequence > read.detail.sequence;
  return isOlder ? old : read;
}

function withProblem(old: ReadDetail | undefined, key: string, problem: string): ReadDetail {
  return old?.key === key ? { ...old, problem } : { key, problem };
}

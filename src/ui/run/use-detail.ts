import { useEffect, useRef, useState } from "preact/hooks";
import type { BlockCard, BlockDetail } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { addressPath } from "../data/http-source.ts";

/** A busy run changes all the time; the panel need not be read as often. */
const betweenMs = 400;

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
  const { source } = useApp();
  const [read, setRead] = useState<{ key: string; detail?: BlockDetail; problem?: string }>();
  const key = `${runId} ${address} ${attempt ?? ""}`;
  const readAt = useRef({ key: "", at: 0 });
  // Of what has ended nothing changes that its card does not tell.
  const isEnded = card !== undefined && ["done", "skipped", "failed", "handled", "crashed"].includes(card.standing);
  const changes = isEnded ? 0 : sequence;
  useEffect(() => {
    let isWanted = true;
    const ask = (): void => {
      readAt.current = { key, at: Date.now() };
      const query = { attempt: attempt?.toString() };
      source.get<BlockDetail>(`/runs/${encodeURIComponent(runId)}/blocks/${addressPath(address)}`, query).then(
        (detail) => isWanted && setRead({ key, detail }),
        (problem: Error) =>
          isWanted && setRead((old) => ({ ...(old?.key === key ? old : { key }), problem: problem.message })),
      );
    };
    const { key: last, at } = readAt.current;
    const wait = last === key ? Math.max(0, at + betweenMs - Date.now()) : 0;
    const timer = setTimeout(ask, wait);
    return () => {
      clearTimeout(timer);
      isWanted = false;
    };
  }, [source, key, card, changes]);
  return read?.key === key ? [read.detail, read.problem] : [undefined, undefined];
}

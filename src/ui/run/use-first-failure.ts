import { useEffect, useRef } from "preact/hooks";
import type { Level } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { placeOfBlock, type RunPlace } from "../place.ts";

/**
 * Whoever opens a run that has failed sees why without looking for it: its first failure is selected. Once, and only where nothing else
 * is chosen. Not on a narrow screen, where it would hide the rest.
 */
export function useFirstFailure(place: RunPlace, level: Level | undefined, isNarrow: boolean): void {
  const { go } = useApp();
  const isDecided = useRef(false);
  useEffect(() => {
    if (isDecided.current || level === undefined) return;
    isDecided.current = true;
    if (isNarrow || place.block !== undefined || place.level !== "") return;
    if (level.head.standing !== "failed" && level.head.standing !== "crashed") return;
    const [failure] = level.head.failures;
    // One that lies deeper is reached by the block that holds it.
    const first = level.blocks.find(
      ({ address }) => failure?.address === address || failure?.address.startsWith(`${address}/`),
    );
    if (first !== undefined) go(placeOfBlock(place.runId, first.address), "replace");
  }, [place, level, isNarrow, go]);
}

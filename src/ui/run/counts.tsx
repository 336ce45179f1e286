import type { JSX } from "preact";
import type { BlockCard, Level, PageStanding, StandingCounts } from "../../views/page/page-records.ts";
import { Glyph } from "../look/glyph.tsx";
import { standingOrder, standingWords } from "../look/standing.ts";
import "./counts.css";

interface CountsProps {
  readonly level: Level;
  /** Selects the first block that stands so, then the next. */
  choose(standing: PageStanding): void;
}

/** How many blocks stand how. */
export function Counts({ level, choose }: CountsProps): JSX.Element {
  const counts = level.passes?.counts ?? countBlocks(level.blocks);
  return (
    <ul class="counts" aria-label="Blocks by state">
      {standingOrder
        .filter((standing) => (counts[standing] ?? 0) > 0)
        .map((standing) => (
          <li key={standing}>
            <button type="button" class="plain" onClick={() => choose(standing)}>
              <Glyph standing={standing} isSilent />
              <b class="times">{counts[standing]?.toLocaleString("en-GB")}</b> {standingWords[standing]}
            </button>
          </li>
        ))}
    </ul>
  );
}

function countBlocks(blocks: readonly BlockCard[]): StandingCounts {
  const counts: Partial<Record<PageStanding, number>> = {};
  for (const { standing } of blocks) counts[standing] = (counts[standing] ?? 0) + 1;
  return counts;
}

/** The block after the selected one that stands so, round and round. */
export function nextBlock(
  blocks: readonly BlockCard[],
  standings: readonly PageStanding[],
  selected: string | undefined,
): BlockCard | undefined {
  const found = blocks.filter(({ standing }) => standings.includes(standing));
  const at = found.findIndex(({ address }) => address === selected);
  return found[(at + 1) % found.length];
}

import type { JSX } from "preact";
import type { BlockCard, Level, PageStanding } from "../../views/page/page-records.ts";
import { Glyph } from "../look/glyph.tsx";
import { countStandings, wordCounts } from "../look/standing-counts.ts";
import "./counts.css";

interface CountsProps {
  readonly level: Level;
  /** Selects the first block that stands so, then the next. */
  choose(standing: PageStanding): void;
}

/** How many blocks stand how. */
export function Counts({ level, choose }: CountsProps): JSX.Element {
  const counts = level.passes?.counts ?? countStandings(level.blocks.map(({ standing }) => standing));
  return (
    <ul class="counts" aria-label="Blocks by state">
      {wordCounts(counts).map(([standing, count, word]) => (
        <li key={standing}>
          <button type="button" class="plain" onClick={() => choose(standing)}>
            <Glyph standing={standing} isSilent />
            <b class="times">{count}</b> {word}
          </button>
        </li>
      ))}
    </ul>
  );
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

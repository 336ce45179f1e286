import type { JSX } from "preact";
import type { BlockCard, Level } from "../../views/page/page-records.ts";
import "./mini-graph.css";

const [width, height, gapX, gapY] = [36, 8, 14, 6];
/** More than that is no picture on a small screen. */
const mostBlocks = 60;

/** The shape of a level at a glance: a column for each wave, a bar for each block. */
export function MiniGraph({ level: { blocks, edges } }: { readonly level: Level }): JSX.Element | null {
  if (blocks.length > mostBlocks || blocks.length < 2) return null;
  const spots = placeBlocks(blocks);
  const columns = Math.max(...blocks.map(({ wave }) => wave)) + 1;
  const rows = Math.max(...[...spots.values()].map(([, row]) => row)) + 1;
  const [right, bottom] = [columns * (width + gapX) - gapX, rows * (height + gapY) - gapY];
  return (
    <svg class="mini-graph" viewBox={`-1 -1 ${right + 2} ${bottom + 2}`} aria-hidden="true">
      {edges.map(({ from, to, decided }) => {
        const [one, other] = [spots.get(from), spots.get(to)];
        if (one === undefined || other === undefined) return null;
        const [x1, y1] = [one[0] * (width + gapX) + width, one[1] * (height + gapY) + height / 2];
        const [x2, y2] = [other[0] * (width + gapX), other[1] * (height + gapY) + height / 2];
        return <path key={`${from} ${to}`} class={decided} d={`M${x1} ${y1}H${x2 - gapX / 2}V${y2}H${x2}`} />;
      })}
      {blocks.map(({ address, standing }) => {
        const [column, row] = spots.get(address) ?? [0, 0];
        return (
          <rect
            key={address}
            class={standing}
            x={column * (width + gapX)}
            y={row * (height + gapY)}
            width={width}
            height={height}
            rx="2"
          />
        );
      })}
    </svg>
  );
}

/** Column and row of each, by address. */
function placeBlocks(blocks: readonly BlockCard[]): ReadonlyMap<string, readonly [number, number]> {
  const taken = new Map<number, number>();
  return new Map(
    blocks.map(({ address, wave }) => {
      const row = taken.get(wave) ?? 0;
      taken.set(wave, row + 1);
      return [address, [wave, row]];
    }),
  );
}

import type { JSX } from "preact";
import type { PageStanding } from "../../views/page/page-records.ts";
import "./glyph.css";
import { standingWords } from "./standing.ts";

interface GlyphProps {
  readonly standing: PageStanding;
  /** In pixels; 14 unless told. */
  readonly size?: number;
  /** Stands inside the ring of what is tried again. */
  readonly attempt?: number;
  /** Nothing is read out: the word stands beside it. */
  readonly isSilent?: boolean;
}

/** The sign of how something stands: each has a shape of its own. */
export function Glyph({ standing, size = 14, attempt = 1, isSilent = false }: GlyphProps): JSX.Element {
  return (
    <svg
      class={`glyph ${standing}`}
      width={size}
      height={size}
      viewBox="0 0 14 14"
      role="img"
      aria-hidden={isSilent}
      aria-label={standingWords[standing]}
    >
      <GlyphShapes standing={standing} attempt={attempt} />
    </svg>
  );
}

/** The same inside of another SVG. */
export function GlyphShapes({ standing, attempt = 1 }: Pick<GlyphProps, "standing" | "attempt">): JSX.Element {
  const text = standing === "asks" ? "?" : standing === "running" && attempt > 1 && attempt;
  return (
    <>
      {shapes[standing].map(([kind, path]) => (
        <path key={path} class={kind} d={path} />
      ))}
      {text && (
        <text class={standing} x="7" y={text === "?" ? 10.4 : 9.8}>
          {text}
        </text>
      )}
    </>
  );
}

function circle(radius: number): string {
  const half = `a${radius} ${radius} 0 1 1 `;
  return `M7 ${7 - radius}${half}0 ${2 * radius}${half}0 ${-2 * radius}`;
}

/** How each is drawn, in a square of 14: paths, and what they are. */
const shapes: Readonly<Record<PageStanding, readonly (readonly [kind: string, path: string])[]>> = {
  done: [["stroke", "M2.5 7.5 5.8 10.8 11.5 3.8"]],
  running: [
    ["track", circle(5.6)],
    ["stroke ring", "M7 1.4a5.6 5.6 0 0 1 5.6 5.6"],
  ],
  failed: [
    ["fill", circle(6.2)],
    ["mark", "M4.8 4.8 9.2 9.2M9.2 4.8 4.8 9.2"],
  ],
  handled: [
    ["stroke", circle(5.6)],
    ["stroke", "M5 5 9 9M9 5 5 9"],
  ],
  crashed: [
    ["fill", "M4.5.9h5L13.1 4.5v5L9.5 13.1h-5L.9 9.5v-5z"],
    ["mark", "M7 3.6v4.2M7 9.9v.4"],
  ],
  asks: [["fill", "M4 1h6a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3z"]],
  interrupted: [
    ["stroke", circle(5.6)],
    ["stroke", "M4 7.6c1-1.6 2-1.6 3-.6s2 1 3-.6"],
  ],
  sleeping: [["fill", "M8.6 1.2A5.9 5.9 0 1 0 12.8 9 4.9 4.9 0 0 1 8.6 1.2z"]],
  skipped: [
    ["stroke", circle(5.4)],
    ["stroke", "M3.3 10.7 10.7 3.3"],
  ],
  to_come: [["stroke dots", circle(5.4)]],
  cancelled: [["stroke", "M2.5 2.5h9v9h-9z"]],
  undone: [["stroke", "M5.2 2.4 2.2 5.4l3 3M2.4 5.4h6a3.2 3.2 0 0 1 0 6.4H6"]],
};

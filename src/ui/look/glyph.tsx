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
  switch (standing) {
    case "done":
      return <path class="stroke" d="M2.5 7.5 5.8 10.8 11.5 3.8" />;
    case "running":
      return (
        <>
          <circle class="track" cx="7" cy="7" r="5.6" />
          <path class="stroke ring" d="M7 1.4a5.6 5.6 0 0 1 5.6 5.6" />
          {attempt > 1 && (
            <text class="number" x="7" y="9.8">
              {attempt}
            </text>
          )}
        </>
      );
    case "failed":
      return (
        <>
          <circle class="fill" cx="7" cy="7" r="6.2" />
          <path class="mark" d="M4.8 4.8 9.2 9.2M9.2 4.8 4.8 9.2" />
        </>
      );
    case "handled":
      return (
        <>
          <circle class="stroke" cx="7" cy="7" r="5.6" />
          <path class="stroke" d="M5 5 9 9M9 5 5 9" />
        </>
      );
    case "crashed":
      return (
        <>
          <path class="fill" d="M4.5.9h5L13.1 4.5v5L9.5 13.1h-5L.9 9.5v-5z" />
          <path class="mark" d="M7 3.6v4.2M7 9.9v.4" />
        </>
      );
    case "asks":
      return (
        <>
          <rect class="fill" x="0.8" y="0.8" width="12.4" height="12.4" rx="3" />
          <text class="question" x="7" y="10.4">
            ?
          </text>
        </>
      );
    case "interrupted":
      return (
        <>
          <circle class="stroke" cx="7" cy="7" r="5.6" />
          <path class="stroke" d="M4 7.6c1-1.6 2-1.6 3-.6s2 1 3-.6" />
        </>
      );
    case "sleeping":
      return <path class="fill" d="M8.6 1.2A5.9 5.9 0 1 0 12.8 9 4.9 4.9 0 0 1 8.6 1.2z" />;
    case "skipped":
      return (
        <>
          <circle class="stroke" cx="7" cy="7" r="5.4" />
          <path class="stroke" d="M3.3 10.7 10.7 3.3" />
        </>
      );
    case "to_come":
      return <circle class="stroke dots" cx="7" cy="7" r="5.4" />;
    case "cancelled":
      return <rect class="stroke" x="2.2" y="2.2" width="9.6" height="9.6" rx="1" />;
    case "undone":
      return <path class="stroke" d="M5.2 2.4 2.2 5.4l3 3M2.4 5.4h6a3.2 3.2 0 0 1 0 6.4H6" />;
  }
}

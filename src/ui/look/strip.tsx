import type { JSX } from "preact";
import type { Strip as Letters } from "../../views/page/page-records.ts";
import "./strip.css";
import { standingOf, standingOrder } from "./standing.ts";
import { countStandings, describeCounts } from "./standing-counts.ts";

const mostCells = 40;

/** A cell for each block, or of many blocks a cell for several, which shows the worst of them. Height tells what colour tells. */
export function Strip({ letters, width = 5 }: { readonly letters: Letters; readonly width?: number }): JSX.Element {
  return (
    <span class="strip" role="img" aria-label={describeStrip(letters)}>
      {[...foldStrip(letters, mostCells)].map((letter, index) => (
        <i key={index} class={standingOf(letter)} style={{ width: `${width}px` }} />
      ))}
    </span>
  );
}

/** At most so many letters: each is that of the worst it stands for. */
export function foldStrip(letters: Letters, most: number): Letters {
  if (letters.length <= most) return letters;
  const folded: string[] = [];
  for (let cell = 0; cell < most; cell++) {
    const from = Math.floor((cell * letters.length) / most);
    const part = letters.slice(from, Math.floor(((cell + 1) * letters.length) / most));
    folded.push([...new Set(part)].sort((one, other) => rankOf(one) - rankOf(other))[0] ?? ".");
  }
  return folded.join("");
}

function rankOf(letter: string): number {
  return standingOrder.indexOf(standingOf(letter));
}

/** How many stand how, in words. */
export function describeStrip(letters: Letters): string {
  return describeCounts(countStandings([...letters].map(standingOf)));
}

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type JsonLine, unfoldedLines } from "./json-lines.ts";
import { useMore } from "./use-more.tsx";

const linesAtATime = 400;

/** JSON of which every object and every list can be folded. */
export function JsonText({ lines }: { readonly lines: readonly JsonLine[] }): JSX.Element {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [shown, more] = useMore(unfoldedLines(lines, folded), linesAtATime, "line");
  const turn = (index: number): void => {
    const next = new Set(folded);
    if (!next.delete(index)) next.add(index);
    setFolded(next);
  };
  return (
    <>
      {shown.map((index) => (
        <JsonRow key={index} lines={lines} index={index} isFolded={folded.has(index)} turn={turn} />
      ))}
      {more}
    </>
  );
}

interface RowProps {
  readonly lines: readonly JsonLine[];
  readonly index: number;
  readonly isFolded: boolean;
  turn(index: number): void;
}

function JsonRow({ lines, index, isFolded, turn }: RowProps): JSX.Element {
  const { text = "", end } = lines[index] ?? {};
  if (end === undefined) return <div class="value-line">{text}</div>;
  const close = lines[end]?.text.trim();
  return (
    <div class="value-line">
      <button
        type="button"
        class="value-fold"
        aria-expanded={!isFolded}
        aria-label={isFolded ? "Unfold" : "Fold"}
        onClick={() => turn(index)}
      >
        {isFolded ? "▸" : "▾"}
      </button>
      {text}
      {isFolded && <span class="faint">{` … ${end - index - 1} lines `}</span>}
      {isFolded && close}
    </div>
  );
}

import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { DiffLine, DiffRow } from "../../drawing/diff/diff-row.ts";
import { useDrawn } from "./use-drawn.ts";
import "./diff.css";

const rowsAtATime = 400;

/** A unified diff: numbers of both sides, a sign for each line, and the words marked in which a line differs from the one it replaces. */
export function Diff({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const rows = useDrawn("diff", text, () => ({ text }))?.rows ?? [];
  const [shown, setShown] = useState(rowsAtATime);
  const left = rows.length - shown;
  const scroll = useRef<HTMLElement>(null);
  const showMore = (): void => {
    setShown(shown + rowsAtATime);
    // The button is gone once everything is shown.
    if (left <= rowsAtATime) scroll.current?.focus({ preventScroll: true });
  };
  return (
    <div class="diff">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys. */}
      <section ref={scroll} class="diff-scroll" aria-label={label} tabIndex={0}>
        <table>
          <caption class="unseen">{label}</caption>
          <thead class="unseen">
            <tr>
              <th scope="col">Line before</th>
              <th scope="col">Line after</th>
              <th scope="col">Change</th>
              <th scope="col">Text</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              <Row key={index} row={row} />
            ))}
          </tbody>
        </table>
      </section>
      {left > 0 && (
        <button type="button" class="diff-more" onClick={showMore}>
          Show {left <= rowsAtATime ? `the last ${left}` : `${rowsAtATime} more`} lines
          <span class="faint"> of {rows.length.toLocaleString("en-GB")}</span>
        </button>
      )}
    </div>
  );
}

function Row({ row }: { readonly row: DiffRow }): JSX.Element {
  if ("parts" in row) return <Line line={row} />;
  return (
    <tr class={`diff-${row.kind}`}>
      <td colSpan={4}>
        {row.kind === "hunk" && <span class="diff-range">{row.range}</span>} {row.text}
      </td>
    </tr>
  );
}

const signs = { same: "", added: "+", removed: "−" } as const;

function Line({ line: { kind, before, after, parts } }: { readonly line: DiffLine }): JSX.Element {
  return (
    <tr class={`diff-${kind}`}>
      <td class="diff-number">{before}</td>
      <td class="diff-number">{after}</td>
      <td class="diff-sign">
        <span aria-hidden="true">{signs[kind]}</span>
        {kind !== "same" && <span class="unseen">{kind}</span>}
      </td>
      <td class="diff-text">
        {parts.map((part, index) => (part.isMarked ? <mark key={index}>{part.text}</mark> : part.text))}
      </td>
    </tr>
  );
}

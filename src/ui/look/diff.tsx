import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { DiffLine, DiffRow } from "../../drawing/diff/diff-row.ts";
import { useDrawn } from "./use-drawn.ts";
import { useMore } from "./use-more.tsx";
import "./diff.css";

const rowsAtATime = 400;

/** A unified diff: numbers of both sides, a sign for each line, and the words marked in which a line differs from the one it replaces. */
export function Diff({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const rows = useDrawn("diff", text, () => ({ text }))?.rows ?? [];
  const scroll = useRef<HTMLElement>(null);
  const [shown, more] = useMore(rows, rowsAtATime, "line", () => scroll.current?.focus({ preventScroll: true }));
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
            {shown.map((row, index) => (
              <Row key={index} row={row} />
            ))}
          </tbody>
        </table>
      </section>
      {more}
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

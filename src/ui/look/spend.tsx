import type { JSX } from "preact";
import type { PageSpend } from "../../views/page/page-records.ts";
import "./spend.css";

/** What was spent, and how much of the limit that is. */
export function Spend({ spend }: { readonly spend: PageSpend }): JSX.Element {
  const { text, usd, most, mostUsd } = spend;
  const part = usd === undefined || !mostUsd ? undefined : Math.min(1, usd / mostUsd);
  return (
    <span class="spend times">
      {text}
      {most !== undefined && <span class="faint"> of {most}</span>}
      {part !== undefined && (
        <span class={part >= 0.9 ? "spend-bar is-near" : "spend-bar"} aria-hidden="true">
          <i style={{ width: `${Math.round(part * 100)}%` }} />
        </span>
      )}
    </span>
  );
}

import type { JSX } from "preact";
import type { RerunForecast } from "../../views/page/act-records.ts";
import "../look/choice-list.css";
import "./rerun-plan.css";

/** What would become of each block, and why. */
export function RerunPlan({ forecast }: { readonly forecast: RerunForecast }): JSX.Element {
  const { notes, groups, would_fail: failing } = forecast;
  return (
    <div class="rerun-plan">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {failing !== undefined && <p class="problem">It would fail: {failing}</p>}
      {groups.map(({ title, count, blocks, is_open }) => (
        <details key={title} open={is_open}>
          <summary>
            {title} <span class="faint">{count}</span>
          </summary>
          <ul class="choice-list">
            {blocks.map(({ address, why }) => (
              <li key={address}>
                {address} <span class="faint">{why}</span>
              </li>
            ))}
            {count > blocks.length && <li class="faint">and {count - blocks.length} more</li>}
          </ul>
        </details>
      ))}
    </div>
  );
}

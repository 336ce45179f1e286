import type { JSX } from "preact";
import type { RerunBlock, RerunForecast, RerunVerdict } from "../../views/page/act-records.ts";
import "./rerun-plan.css";

const groups: readonly (readonly [RerunVerdict, string])[] = [
  ["would fail", "Would fail"],
  ["would run", "Run"],
  ["may run", "May run: that depends on what comes before"],
  ["would skip", "Skipped"],
  ["would be reused", "Reused"],
];

/** What would become of each block, and why. */
export function RerunPlan({ forecast }: { readonly forecast: RerunForecast }): JSX.Element {
  const { blocks, counts, changed, dropped, left, would_fail: failing } = forecast;
  return (
    <div class="rerun-plan">
      {changed.length > 0 && <p>Changed since: {changed.join(", ")}.</p>}
      {dropped.length > 0 && <p>No longer an input: {dropped.join(", ")}.</p>}
      {left !== undefined && <p>The run before is still {left}, and stays so.</p>}
      {failing !== undefined && <p class="problem">It would fail: {failing}</p>}
      {groups.map(([verdict, words]) => (
        <Group
          key={verdict}
          words={words}
          count={counts[verdict] ?? 0}
          blocks={blocks.filter((one) => one.verdict === verdict)}
        />
      ))}
    </div>
  );
}

interface GroupProps {
  readonly words: string;
  readonly count: number;
  readonly blocks: readonly RerunBlock[];
}

function Group({ words, count, blocks }: GroupProps): JSX.Element | null {
  if (count === 0) return null;
  return (
    <details open={words !== "Reused" && words !== "Skipped"}>
      <summary>
        {words} <span class="faint">{count}</span>
      </summary>
      <ul class="choice-list">
        {blocks.map(({ address, why }) => (
          <li key={address}>
            {address} {why !== undefined && <span class="faint">{why}</span>}
          </li>
        ))}
        {count > blocks.length && <li class="faint">and {count - blocks.length} more</li>}
      </ul>
    </details>
  );
}

import type { JSX } from "preact";
import "./lines.css";

interface LinesProps {
  readonly of: { readonly lines_added?: number; readonly lines_removed?: number };
}

/** How many lines came and went. */
export function Lines({ of }: LinesProps): JSX.Element {
  const { lines_added: added = 0, lines_removed: removed = 0 } = of;
  return (
    <span class="lines times">
      {added > 0 && <span class="lines-added">+{added.toLocaleString("en-GB")}</span>}{" "}
      {removed > 0 && <span class="lines-removed">−{removed.toLocaleString("en-GB")}</span>}
    </span>
  );
}

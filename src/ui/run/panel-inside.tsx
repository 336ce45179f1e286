import type { JSX } from "preact";
import type { BlockCard } from "../../views/page/page-records.ts";
import { describeCounts } from "../look/standing-counts.ts";
import { Strip } from "../look/strip.tsx";

interface InsideProps {
  readonly card: BlockCard;
  stepIn(): void;
}

/** What holds blocks shows how they stand, and leads inside. */
export function PanelInside({ card, stepIn }: InsideProps): JSX.Element | null {
  const { holds, inside } = card;
  if (holds === "none") return null;
  const what = holds === "loop" ? "Passes" : "Blocks inside";
  return (
    <section class="panel-part panel-inside" aria-label={what}>
      <h3>{what}</h3>
      <span class="faint">{inside === undefined ? "none yet" : describeCounts(inside.counts)}</span>
      <button type="button" class="small" onClick={stepIn}>
        Step in
      </button>
      {inside !== undefined && <Strip letters={inside.strip} width={7} />}
    </section>
  );
}

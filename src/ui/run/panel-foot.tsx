import type { JSX } from "preact";
import type { BlockDetail } from "../../views/page/detail-records.ts";
import type { BlockCard } from "../../views/page/page-records.ts";
import { Copy } from "../look/copy.tsx";
import { formatTime } from "../look/format.ts";

interface FootProps {
  readonly detail: BlockDetail;
  readonly card: BlockCard | undefined;
}

/** When it began, what it cost, and where its text stands. */
export function PanelFoot({ detail: { source }, card }: FootProps): JSX.Element {
  return (
    <footer class="panel-part">
      <dl class="panel-why">
        {card?.started_at != null && (
          <>
            <dt>Started</dt>
            <dd class="times">{formatTime(card.started_at)}</dd>
          </>
        )}
        {card?.spend !== undefined && (
          <>
            <dt>Spend</dt>
            <dd class="times">
              {card.spend.text}
              {card.spend.most !== undefined && <span class="faint"> of {card.spend.most}</span>}
            </dd>
          </>
        )}
        {card?.workflow !== undefined && (
          <>
            <dt>Workflow</dt>
            <dd>{card.workflow}</dd>
          </>
        )}
        {source !== undefined && (
          <>
            <dt>Source</dt>
            <dd>
              <Copy text={`${source.file}:${source.line}`} label="Copy the place in the file" />
            </dd>
          </>
        )}
      </dl>
    </footer>
  );
}

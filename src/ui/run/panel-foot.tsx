import type { JSX } from "preact";
import type { BlockDetail } from "../../views/page/detail-records.ts";
import { Copy } from "../look/copy.tsx";
import { PanelRows } from "./panel-head.tsx";

/** When it began, what it cost, and where its text stands. */
export function PanelFoot(props: { readonly detail: BlockDetail; readonly runId: string }): JSX.Element {
  const { source, foot } = props.detail;
  return (
    <footer class="panel-part">
      <dl class="panel-why">
        <PanelRows rows={foot} runId={props.runId} />
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

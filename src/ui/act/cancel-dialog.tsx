import type { JSX } from "preact";
import type { CancelForecast } from "../../views/page/act-records.ts";
import type { RunHead } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { Dialog } from "../look/dialog.tsx";
import { Glyph } from "../look/glyph.tsx";
import { Refusal, WithCode } from "./refusal.tsx";
import { useAct } from "./use-act.ts";
import { useRecord } from "./use-record.ts";
import "../look/choice-list.css";

/** Names what runs before it is stopped. */
export function CancelDialog({ head, close }: { readonly head: RunHead; close(): void }): JSX.Element {
  const { source, announce } = useApp();
  const path = `/runs/${encodeURIComponent(head.run_id)}/cancel`;
  const { record } = useRecord<CancelForecast>(path);
  const { isBusy, problem, act } = useAct();
  const cancel = (): void =>
    act(async () => {
      const { status } = await source.post<{ readonly status: string }>(path, {});
      announce(status === "running" ? "Cancelling, by web page." : "Cancelled by web page.");
      close();
    });
  const { stops = [], more = 0, says = "" } = record ?? {};
  return (
    <Dialog
      title={`Cancel ${head.workflow}?`}
      close={close}
      leave="Let it run"
      action={
        <button type="button" class="danger" onClick={cancel}>
          {isBusy ? "Cancelling..." : "Cancel the run"}
        </button>
      }
    >
      {stops.length > 0 && (
        <>
          <p>This is stopped:</p>
          <ul class="choice-list">
            {stops.map(({ address, standing, name }) => (
              <li key={address}>
                <Glyph standing={standing} /> {name}
              </li>
            ))}
          </ul>
          {more > 0 && <p class="faint">and {more} more</p>}
        </>
      )}
      <p>
        <WithCode text={says} />
      </p>
      <Refusal problem={problem} />
    </Dialog>
  );
}

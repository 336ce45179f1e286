import type { JSX } from "preact";
import type { Level, RunHead } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { Dialog } from "../look/dialog.tsx";
import { Glyph } from "../look/glyph.tsx";
import { Refusal } from "./refusal.tsx";
import { useAct } from "./use-act.ts";
import { useRecord } from "./use-record.ts";
import "./choice-list.css";

const mostNames = 12;

/** Names what runs before it is stopped. */
export function CancelDialog({ head, close }: { readonly head: RunHead; close(): void }): JSX.Element {
  const { source, announce } = useApp();
  const path = `/runs/${encodeURIComponent(head.run_id)}`;
  const { record } = useRecord<Level>(path);
  const { isBusy, problem, act } = useAct();
  const cancel = (): void =>
    act(async () => {
      const { status } = await source.post<{ readonly status: string }>(`${path}/cancel`, {});
      announce(status === "running" ? "Cancelling, by web page." : "Cancelled by web page.");
      close();
    });
  const going = (record?.blocks ?? []).filter(({ standing }) => ["running", "asks", "sleeping"].includes(standing));
  return (
    <Dialog
      title={`Cancel ${head.workflow}?`}
      close={close}
      actions={
        <>
          <button type="button" onClick={close}>
            Let it run
          </button>
          <button type="button" class="danger" onClick={cancel}>
            {isBusy ? "Cancelling..." : "Cancel the run"}
          </button>
        </>
      }
    >
      {going.length > 0 && (
        <>
          <p>This is stopped:</p>
          <ul class="choice-list">
            {going.slice(0, mostNames).map(({ address, standing, name }) => (
              <li key={address}>
                <Glyph standing={standing} /> {name}
              </li>
            ))}
          </ul>
          {going.length > mostNames && <p class="faint">and {going.length - mostNames} more</p>}
        </>
      )}
      <p>
        Nothing else starts, except what is under <code>finally</code>. What was changed so far stays; undo can take it
        back. The run says that it was cancelled by web page.
      </p>
      <Refusal problem={problem} />
    </Dialog>
  );
}

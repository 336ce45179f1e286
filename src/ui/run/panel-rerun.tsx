import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { RunHead } from "../../views/page/page-records.ts";
import { Refused } from "../act/refused.tsx";
import { RerunDialog } from "../act/rerun-dialog.tsx";
import { useApp } from "../app-context.ts";

interface RerunProps {
  readonly head: RunHead;
  readonly address: string;
}

/** Runs this block again, with what depends on it; the dialog shows that before. Where it can't be done, it says why. */
export function PanelRerun({ head: { run_id: runId, actions }, address }: RerunProps): JSX.Element | null {
  const { source } = useApp();
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  if (!source.isLive) return null;
  return (
    <>
      <button type="button" class="plain small" onClick={() => setOpen(true)}>
        Rerun from here
      </button>
      {isOpen && actions.rerun === true && <RerunDialog runId={runId} from={address} close={close} />}
      {isOpen && actions.rerun !== true && <Refused what="Rerun" why={actions.rerun} close={close} />}
    </>
  );
}

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ResumeForecast } from "../../views/page/act-records.ts";
import type { RunHead } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { Dialog } from "../look/dialog.tsx";
import { RadioList } from "../look/one-of.tsx";
import { writeTimes } from "../look/sentence.tsx";
import { Refusal } from "./refusal.tsx";
import { useAct } from "./use-act.ts";
import { useRecord } from "./use-record.ts";

/** Says what going on means before it is done. */
export function ResumeDialog({ head, close }: { readonly head: RunHead; close(): void }): JSX.Element {
  const { source, announce } = useApp();
  const [rule, setRule] = useState<ResumeForecast["rules"][number][0]>("");
  const { isBusy, problem, act } = useAct();
  const { run_id: runId, workflow } = head;
  const path = `/runs/${encodeURIComponent(runId)}/resume`;
  const { says = "", rules = [] } = useRecord<ResumeForecast>(path).record ?? {};
  const resume = (): void =>
    act(async () => {
      const body = rule === "" ? {} : { on_interrupted: rule };
      await source.post(path, body);
      announce(`${workflow} goes on.`);
      close();
    });
  return (
    <Dialog
      title={`Resume ${workflow}?`}
      close={close}
      leave="Leave it"
      action={
        <button type="button" class="primary" onClick={resume}>
          {isBusy ? "Resuming..." : "Resume"}
        </button>
      }
    >
      <p>{writeTimes(says)}</p>
      {rules.length > 0 && (
        <fieldset>
          <legend>Blocks that ran when it ended</legend>
          <RadioList options={rules} chosen={rule} choose={setRule} />
        </fieldset>
      )}
      <Refusal problem={problem} />
    </Dialog>
  );
}

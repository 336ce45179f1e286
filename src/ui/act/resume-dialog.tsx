import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { RunHead } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { Dialog } from "../look/dialog.tsx";
import { formatTime } from "../look/format.ts";
import { Refusal } from "./refusal.tsx";
import { useAct } from "./use-act.ts";
import "./choice-list.css";

const rules = [
  ["", "As each of them says itself"],
  ["rerun", "Run them again"],
  ["ask", "Ask what to do"],
  ["fail", "Let them fail"],
] as const;

/** Says what going on means before it is done. */
export function ResumeDialog({ head, close }: { readonly head: RunHead; close(): void }): JSX.Element {
  const { source, announce } = useApp();
  const [rule, setRule] = useState("");
  const { isBusy, problem, act } = useAct();
  const { run_id: runId, standing, wake_at: wakeAt, workflow } = head;
  const resume = (): void =>
    act(async () => {
      const body = rule === "" ? {} : { on_interrupted: rule };
      await source.post(`/runs/${encodeURIComponent(runId)}/resume`, body);
      announce(`${workflow} goes on.`);
      close();
    });
  return (
    <Dialog
      title={`Resume ${workflow}?`}
      close={close}
      actions={
        <>
          <button type="button" onClick={close}>
            Leave it
          </button>
          <button type="button" class="primary" onClick={resume}>
            {isBusy ? "Resuming..." : "Resume"}
          </button>
        </>
      }
    >
      <p>
        {standing === "interrupted"
          ? "The process that ran it has ended. This server goes on with it from where it was; what has ended is not run again."
          : `This server goes on with it${wakeAt === undefined ? "" : `; what sleeps until ${formatTime(wakeAt)} still does`}.`}
      </p>
      {standing === "interrupted" && (
        <fieldset>
          <legend>Blocks that ran when it ended</legend>
          <ul class="choice-list">
            {rules.map(([value, words]) => (
              <li key={value}>
                <label>
                  <input type="radio" name="rule" checked={rule === value} onChange={() => setRule(value)} /> {words}
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      <Refusal problem={problem} />
    </Dialog>
  );
}

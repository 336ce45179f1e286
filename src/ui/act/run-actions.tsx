import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { RunHead } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { Dialog } from "../look/dialog.tsx";
import { isOver } from "../look/standing.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { focusAnswer } from "./question-bar.tsx";
import { WithCode } from "./refusal.tsx";
import { RerunDialog } from "./rerun-dialog.tsx";
import { ResumeDialog } from "./resume-dialog.tsx";
import "./run-actions.css";

type Opened = "cancel" | "resume" | "rerun" | { readonly refused: string; readonly why: string };

/** What can be done with a run. Each says what it will do before it does it; one that can't be done says why. */
export function RunActions({ head }: { readonly head: RunHead }): JSX.Element | null {
  const { source, go } = useApp();
  const [opened, setOpened] = useState<Opened>();
  const { actions, questions, standing, run_id: runId } = head;
  const close = (): void => setOpened(undefined);
  if (!source.isLive) return null;
  const unless = (can: true | string, name: string, act: () => void) => (): void =>
    can === true ? act() : setOpened({ refused: name, why: can });
  const isWaiting = standing === "interrupted" || standing === "sleeping" || actions.resume === true;
  return (
    <div class="run-actions">
      {questions.length > 0 && (
        <button type="button" class="amber" onClick={() => focusAnswer()}>
          Answer
        </button>
      )}
      {isWaiting && (
        <button type="button" onClick={unless(actions.resume, "Resume", () => setOpened("resume"))}>
          Resume
        </button>
      )}
      {!isOver(standing) && (
        <button type="button" onClick={unless(actions.cancel, "Cancel", () => setOpened("cancel"))}>
          Cancel
        </button>
      )}
      {standing !== "undone" && (
        <button type="button" onClick={unless(actions.undo, "Undo", () => go({ view: "undo", runId, query: {} }))}>
          Undo...
        </button>
      )}
      <button type="button" onClick={unless(actions.rerun, "Rerun", () => setOpened("rerun"))}>
        Rerun
      </button>
      {opened === "cancel" && <CancelDialog head={head} close={close} />}
      {opened === "resume" && <ResumeDialog head={head} close={close} />}
      {opened === "rerun" && <RerunDialog runId={runId} close={close} />}
      {typeof opened === "object" && (
        <Dialog
          title={`${opened.refused} can't be done now`}
          close={close}
          actions={
            <button type="button" onClick={close}>
              Close
            </button>
          }
        >
          <p>
            <WithCode text={opened.why} />
          </p>
        </Dialog>
      )}
    </div>
  );
}

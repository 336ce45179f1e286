import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { RunHead } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { isOver } from "../look/standing.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { focusAnswer } from "./question-bar.tsx";
import { Refused } from "./refused.tsx";
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
  const isWaiting = standing === "interrupted" || standing === "sleeping" || actions.resume === true;
  /** Those that make sense now; each can be done, or why not. */
  const buttons: readonly (readonly [string, can: true | string | undefined, act: () => void])[] = [
    ["Resume", isWaiting ? actions.resume : undefined, () => setOpened("resume")],
    ["Cancel", isOver(standing) ? undefined : actions.cancel, () => setOpened("cancel")],
    ["Undo...", standing === "undone" ? undefined : actions.undo, () => go({ view: "undo", runId, query: {} })],
    ["Rerun", actions.rerun, () => setOpened("rerun")],
  ];
  return (
    <div class="run-actions">
      {questions.length > 0 && (
        <button type="button" class="amber" onClick={() => focusAnswer()}>
          Answer
        </button>
      )}
      {buttons.map(
        ([name, can, act]) =>
          can !== undefined && (
            <button
              key={name}
              type="button"
              onClick={() => (can === true ? act() : setOpened({ refused: name.replace("...", ""), why: can }))}
            >
              {name}
            </button>
          ),
      )}
      {opened === "cancel" && <CancelDialog head={head} close={close} />}
      {opened === "resume" && <ResumeDialog head={head} close={close} />}
      {opened === "rerun" && <RerunDialog runId={runId} close={close} />}
      {typeof opened === "object" && <Refused what={opened.refused} why={opened.why} close={close} />}
    </div>
  );
}

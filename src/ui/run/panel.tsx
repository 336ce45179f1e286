import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { BlockDetail } from "../../views/page/detail-records.ts";
import type { BlockCard, RunHead } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { LogView } from "../look/log-view.tsx";
import { useKeys } from "../shell/keys.ts";
import "./panel.css";
import { PanelAttempts } from "./panel-attempts.tsx";
import { PanelChanges } from "./panel-changes.tsx";
import { PanelFoot } from "./panel-foot.tsx";
import { PanelHead } from "./panel-head.tsx";
import { PanelInside } from "./panel-inside.tsx";
import { PanelQuestion } from "./panel-question.tsx";
import { PanelValues } from "./panel-values.tsx";
import { useDetail } from "./use-detail.ts";

interface PanelProps {
  readonly head: RunHead;
  readonly address: string;
  readonly card: BlockCard | undefined;
  readonly attempt: number | undefined;
  /** The section that is meant: `log`, `changes`, `inputs`. */
  readonly part: string | undefined;
  chooseAttempt(attempt: number | undefined): void;
  stepIn(address: string): void;
  close(): void;
}

/** One block: what happened and why, its attempts, inputs, outputs, log and changed files. */
export function Panel({ head, address, card, attempt, part, chooseAttempt, stepIn, close }: PanelProps): JSX.Element {
  const { run_id: runId } = head;
  const [detail, problem] = useDetail(runId, address, attempt, card, head.sequence);
  // The level tells of the latest attempt only.
  const shown = attempt === undefined ? (card ?? detail?.card) : (detail?.card ?? card);
  const panel = useRef<HTMLElement>(null);
  const isFailed = hasFailed(detail, shown, attempt);
  const isLogFirst = useLogFirst(panel, isFailed);
  const goTo = useParts(panel, part, detail !== undefined);
  const attempts = detail?.attempts ?? [];
  const chosen = attemptAddress(address, attempt);
  useKeys({
    l: () => goTo("log"),
    d: () => goTo("changes"),
    Escape: close,
    ...Object.fromEntries(attempts.slice(0, 9).map(({ attempt: one }) => [String(one), () => chooseAttempt(one)])),
  });
  const log = detail?.has_log && (
    <Part key={`log ${isLogFirst} ${address} ${attempt ?? ""}`} name="log" label="Log">
      <LogView runId={runId} address={address} attempt={attempt} isFailed={isFailed} />
    </Part>
  );
  return (
    <aside ref={panel} class="panel" aria-label={`Block ${address}`}>
      <PanelHead head={head} address={address} card={shown} detail={detail} close={close} />
      {problem !== undefined && <p class="panel-problem problem">{problem}</p>}
      {detail !== undefined && (
        <>
          <PanelAttempts attempts={attempts} attempt={attempt} choose={chooseAttempt} />
          {detail.question !== undefined && <PanelQuestion question={detail.question} close={close} />}
          {shown !== undefined && <PanelInside card={shown} stepIn={() => stepIn(chosen)} />}
          {isLogFirst && log}
          <Part name="inputs" label="Inputs and outputs">
            <PanelValues runId={runId} address={address} attempt={attempt} detail={detail} />
          </Part>
          {!isLogFirst && log}
          <Part name="changes" label="Changed files">
            <PanelChanges key={chosen} runId={runId} address={chosen} detail={detail} />
          </Part>
          <PanelFoot detail={detail} runId={runId} />
        </>
      )}
    </aside>
  );
}

interface PartProps {
  readonly name: string;
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A section that the address bar can name, and a key can lead to. */
function Part({ name, label, children }: PartProps): JSX.Element {
  return (
    <section class="panel-part" data-part={name} aria-label={label} tabIndex={-1}>
      {children}
    </section>
  );
}

/** What is inside an earlier attempt, and what it changed, has the attempt in its address. */
function attemptAddress(address: string, attempt: number | undefined): string {
  return attempt === undefined ? address : `${address.replace(/@\d+$/, "")}@${attempt}`;
}

/** Of an earlier attempt, how that ended counts. */
function hasFailed(detail: BlockDetail | undefined, card: BlockCard | undefined, attempt: number | undefined): boolean {
  const chosen = detail?.attempts.find((one) => one.attempt === attempt);
  const standing = chosen?.standing ?? card?.standing;
  return standing === "failed" || standing === "handled" || standing === "crashed";
}

/** What has failed shows its log right below the sentence; not while somebody reads the log where it stands. */
function useLogFirst(panel: { readonly current: HTMLElement | null }, isFailed: boolean): boolean {
  const [isFirst, setFirst] = useState(isFailed);
  useEffect(() => {
    if (!isLogRead(panel.current)) setFirst(isFailed);
  }, [isFailed]);
  return isFirst;
}

/** It has the focus, or is scrolled to something else than its end. */
function isLogRead(panel: HTMLElement | null): boolean {
  const log = panel?.querySelector("[role=log]");
  if (log === null || log === undefined) return false;
  const isUp = log.scrollTop + log.clientHeight < log.scrollHeight - 20;
  return isUp || log.parentElement?.contains(document.activeElement) === true;
}

/** A log that has just been opened will grow to about so many pixels. */
const heightOfPart = 360;

function isInSight(section: HTMLElement, panel: HTMLElement | null): boolean {
  const { top, height } = section.getBoundingClientRect();
  const seen = panel?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
  return top >= seen.top && top + Math.max(height, heightOfPart) <= seen.bottom;
}

/** Leads to a section: once when the address bar names it, and at every key. */
function useParts(
  panel: { readonly current: HTMLElement | null },
  part: string | undefined,
  isRead: boolean,
): (part: string) => void {
  const { place, go } = useApp();
  const show = (name: string): void => {
    const section = panel.current?.querySelector<HTMLElement>(`[data-part="${CSS.escape(name)}"]`);
    if (section !== null && section !== undefined && !isInSight(section, panel.current)) {
      section.scrollIntoView({ block: "start" });
    }
    // What scrolls inside it takes the keys.
    (section?.querySelector<HTMLElement>("[role=log]") ?? section)?.focus({ preventScroll: true });
  };
  useEffect(() => {
    if (isRead && part !== undefined) show(part);
  }, [part, isRead]);
  return (name) => {
    show(name);
    if (place.view === "run" && place.part !== name) go({ ...place, part: name }, "replace");
  };
}

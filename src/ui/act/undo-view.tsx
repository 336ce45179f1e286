import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { OnConflict, PageUndo } from "../../views/page/act-records.ts";
import type { Level } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { plural } from "../look/format.ts";
import { Link } from "../look/link.tsx";
import { isOver } from "../look/standing.ts";
import { Header } from "../shell/header.tsx";
import { Lost } from "../shell/lost.tsx";
import { Refusal } from "./refusal.tsx";
import { UndoFile } from "./undo-file.tsx";
import { type Choices, conflictsOf, countUndone, sayUndo } from "./undo-groups.ts";
import { UndoList } from "./undo-list.tsx";
import { useAct } from "./use-act.ts";
import { useRecord } from "./use-record.ts";
import "./undo-view.css";

interface UndoViewProps {
  readonly runId: string;
  readonly query: Readonly<Record<string, string>>;
}

/** What an undo would do, file by file, before anything is changed; and the button that does it. */
export function UndoView({ runId, query }: UndoViewProps): JSX.Element {
  const { source, go, announce } = useApp();
  const path = `/runs/${encodeURIComponent(runId)}`;
  const [own, setOwn] = useState<Choices["of"]>({});
  const choices: Choices = { all: conflictOf(query.on_conflict), of: own };
  const { to, only, file } = query;
  const { record: undo, problem, isLoading } = useRecord<PageUndo>(`${path}/undo`, { to, only });
  const { record: level } = useRecord<Level>(path);
  const [shown, setShown] = useState(file);
  const acting = useAct();
  const untouched = (level?.blocks ?? [])
    .filter(({ standing, name: own }) => hasRun.includes(standing) && !undo?.touched.includes(own))
    .map(({ name: own }) => own);
  const look = (changed: Readonly<Record<string, string>>): void =>
    go({ view: "undo", runId, query: { ...query, ...changed } }, "replace");
  const choose = (choice: OnConflict, one?: string): void => {
    if (one !== undefined) {
      setOwn({ ...own, [one]: choice });
      setShown(one);
      return;
    }
    setOwn({});
    look({ on_conflict: choice });
  };
  const [count, all] = undo === undefined ? [0, 0] : countUndone(undo, choices);
  const name = undo?.workflow ?? level?.head.workflow ?? runId;
  const run = { view: "run", runId, level: "" } as const;
  const act = (): void =>
    acting.act(async () => {
      const body = { on_conflict: choices.all, on_conflict_of: own, ...(to ? { to } : {}), ...(only ? { only } : {}) };
      const made = await source.post<{ readonly run_id: string }>(`${path}/undo`, body);
      announce("The undo was started by web page.");
      go({ view: "run", runId: made.run_id, level: "" });
    });
  const selected = undo?.files.find(({ path: one }) => one === shown) ?? (undo && firstOf(undo));
  return (
    <div class="undo-view">
      <Header
        trail={[
          { name, to: run },
          { name: "Undo", to: { view: "undo", runId, query } },
        ]}
      />
      <Lost />
      <div class="undo-head">
        <div>
          <h1>
            {undo?.is_redo ? "Redo" : "Undo"} {name} <span class="faint">nothing is changed yet</span>
          </h1>
          <p>{undo !== undefined ? sayUndo(undo, choices) : isLoading && "Looking at the files..."}</p>
        </div>
        <BackTo level={level} to={to} choose={(address) => look({ to: address })} />
        <Link to={run} class="button">
          Back to the run
        </Link>
      </div>
      <main id="main" class="undo-main">
        {problem !== undefined && <Refusal problem={problem} />}
        {undo !== undefined && (
          <>
            <UndoList
              undo={undo}
              untouched={untouched}
              choices={choices}
              choose={choose}
              selected={selected?.path}
              select={setShown}
            />
            <UndoFile file={selected} undo={undo} choices={choices} />
          </>
        )}
      </main>
      <footer class="undo-foot">
        <div>
          {level !== undefined && !isOver(level.head.standing) && <b>The run has not ended: it is cancelled first. </b>}
          {undo?.about}
          <Refusal problem={acting.problem} />
        </div>
        {source.isLive && undo !== undefined && undo.nothing === undefined && (
          <button type="button" class="primary" onClick={act}>
            {acting.isBusy ? "Undoing..." : "Undo"}
            {all > 0 && ` ${count === all ? "" : `${count} of `}${plural(all, "file")}`}
          </button>
        )}
      </footer>
    </div>
  );
}

function conflictOf(given: string | undefined): OnConflict {
  return given === "merge" || given === "force" ? given : "keep";
}

const hasRun: readonly string[] = ["done", "failed", "handled", "crashed"];

/** What somebody has to decide on, or else what is changed. */
function firstOf(undo: PageUndo): PageUndo["files"][number] | undefined {
  const inOrder = [
    ...conflictsOf(undo),
    ...undo.groups.flatMap(({ name }) => undo.files.filter(({ group }) => group === name)),
  ];
  return inOrder.find(({ found }) => found !== "already");
}

interface BackToProps {
  readonly level: Level | undefined;
  readonly to: string | undefined;
  choose(address: string): void;
}

/** How far back it goes: to before the run, or to the end of one of its blocks. */
function BackTo({ level, to = "", choose }: BackToProps): JSX.Element {
  const ended = (level?.blocks ?? []).filter(({ standing }) => standing === "done" || standing === "handled");
  return (
    <label class="undo-back">
      <span class="faint">Undo back to</span>
      <select value={to} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">before the run: everything</option>
        {ended.map(({ address, name }) => (
          <option key={address} value={address}>
            after {name}
          </option>
        ))}
        {to !== "" && ended.every(({ address }) => address !== to) && <option value={to}>after {to}</option>}
      </select>
    </label>
  );
}

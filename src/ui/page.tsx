import type { JSX } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { type App, AppContext } from "./app-context.ts";
import type { Source } from "./data/source.ts";
import type { Place } from "./place.ts";
import { RunsView } from "./run-list/runs-view.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { createPart } from "./shell/part.tsx";
import { usePlace } from "./shell/use-place.ts";
import "./shell/notice.css";

const further = () => import("./further-views.ts");
const RunView = createPart(() => further().then((part) => part.RunView));
const WorkflowsView = createPart(() => further().then((part) => part.WorkflowsView));
const WorkflowView = createPart(() => further().then((part) => part.WorkflowView));
const ScratchView = createPart(() => further().then((part) => part.ScratchView));
const UndoView = createPart(() => further().then((part) => part.UndoView));

/** The whole page: what is shown follows from the address bar. */
export function Page({ source }: { readonly source: Source }): JSX.Element {
  const { place, go } = usePlace();
  const [isConnected, setConnected] = useState(true);
  const [said, setSaid] = useState("");
  const announce = useCallback((text: string) => {
    // The same said twice is read out twice only if it was something else between.
    setSaid("");
    setTimeout(() => setSaid(text), 50);
  }, []);
  useEffect(() => {
    const title = titleOf(place);
    if (title !== undefined) document.title = `${title} · Frond`;
  }, [place]);
  const app: App = useMemo(
    () => ({ source, place, go, announce, isConnected, setConnected }),
    [source, place, go, announce, isConnected],
  );
  return (
    <AppContext.Provider value={app}>
      <div class={isConnected ? "page" : "page is-offline"}>
        <ErrorBoundary place={place}>
          <View place={place} />
        </ErrorBoundary>
        <div class="unseen" aria-live="polite">
          {said}
        </div>
      </div>
    </AppContext.Provider>
  );
}

function View({ place }: { readonly place: Place }): JSX.Element {
  switch (place.view) {
    case "run":
      return <RunView key={place.runId} place={place} />;
    case "undo":
      return <UndoView key={place.runId} runId={place.runId} query={place.query} />;
    case "runs":
      return <RunsView query={place.query} />;
    case "workflows":
      return <WorkflowsView query={place.query} />;
    case "workflow":
      return <WorkflowView key={place.name} name={place.name} query={place.query} />;
    case "scratch":
      return <ScratchView />;
  }
}

/** Lists and runs say how they stand in the title: they set it themselves. */
function titleOf(place: Place): string | undefined {
  switch (place.view) {
    case "undo":
      return `Undo ${place.runId}`;
    case "workflows":
      return "Workflows";
    case "workflow":
      return place.name;
    case "scratch":
      return "Write a workflow";
    default:
      return undefined;
  }
}

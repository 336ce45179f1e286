import type { JSX } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { type App, AppContext } from "../app-context.ts";
import type { Place, RunPlace } from "../place.ts";
import { ErrorBoundary } from "../shell/error-boundary.tsx";
import { EmbeddedRun } from "./embedded-run.tsx";
import type { Host, HostContext } from "./host.ts";
import { createHostSource } from "./host-source.ts";
import { type CallNews, runOfInput, runOfResult } from "./run-of-call.ts";
import "../shell/notice.css";
import "./embedded.css";

/** A view has no address: where the reader is, only it knows. */
export function EmbeddedPage({ host }: { readonly host: Host }): JSX.Element {
  const [news, setNews] = useState<CallNews>();
  const [place, setPlace] = useState<RunPlace>();
  const [isConnected, setConnected] = useState(true);
  const [said, setSaid] = useState("");
  const source = useMemo(() => createHostSource(host), [host]);
  useEffect(() => listenToHost(host, setNews), [host]);
  const runId = news?.kind === "run" ? news.runId : undefined;
  useEffect(() => {
    if (runId !== undefined) setPlace({ view: "run", runId, level: "" });
  }, [runId]);
  const go = useCallback((to: Place) => {
    if (to.view === "run") setPlace(to);
  }, []);
  if (place === undefined) return <Waiting news={news} />;
  const app: App = { source, place, go, shows, announce: setSaid, isConnected, setConnected };
  return (
    <AppContext.Provider value={app}>
      <div class={isConnected ? "page" : "page is-offline"}>
        <ErrorBoundary place={place}>
          <EmbeddedRun key={place.runId} place={place} />
        </ErrorBoundary>
        <div class="unseen" aria-live="polite">
          {said}
        </div>
      </div>
    </AppContext.Provider>
  );
}

function shows({ view }: Place): boolean {
  return view === "run";
}

function Waiting({ news }: { readonly news: CallNews | undefined }): JSX.Element {
  if (news?.kind !== "none") return <p class="embedded-note faint">The run is shown as soon as the tool replies.</p>;
  return <p class="embedded-note">{news.says === "" ? "This call has no run to show." : news.says}</p>;
}

function listenToHost(host: Host, tell: (news: CallNews) => void): void {
  let context: HostContext = {};
  const learn = (changed: unknown): void => {
    context = { ...context, ...(changed as HostContext) };
    const { theme } = context;
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  };
  host.on("ui/notifications/host-context-changed", learn);
  host.on("ui/notifications/tool-input", (params) => {
    const found = runOfInput(context.toolInfo?.tool?.name, params);
    if (found !== undefined) tell(found);
  });
  host.on("ui/notifications/tool-result", (params) => tell(runOfResult(params)));
  host.on("ui/notifications/tool-cancelled", () => tell({ kind: "none", says: "The call was cancelled." }));
  host.greet().then(
    (greeted) => {
      learn(greeted);
      tellSize(host);
    },
    ({ message }: Error) => tell({ kind: "none", says: message }),
  );
}

/** The host makes the frame as high as what is in it, if it likes. */
function tellSize(host: Host): void {
  let told = "";
  const root = document.getElementById("page") ?? document.body;
  new ResizeObserver(() => {
    const size = { width: innerWidth, height: Math.ceil(root.getBoundingClientRect().height) };
    const text = JSON.stringify(size);
    if (text === told) return;
    told = text;
    host.notify("ui/notifications/size-changed", size);
  }).observe(root);
}

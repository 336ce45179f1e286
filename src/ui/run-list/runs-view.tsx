import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RunLines } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { Link } from "../look/link.tsx";
import { Header } from "../shell/header.tsx";
import { Lost } from "../shell/lost.tsx";

/** All runs. */
export function RunsView(_: { readonly query: Readonly<Record<string, string>> }): JSX.Element {
  const { source } = useApp();
  const [runs, setRuns] = useState<RunLines>();
  useEffect(() => void source.get<RunLines>("/runs").then(setRuns), [source]);
  return (
    <>
      <Header />
      <Lost />
      <main id="main">
        <h1>Runs</h1>
        <ul>
          {runs?.runs.map(({ run_id, workflow, standing }) => (
            <li key={run_id}>
              <Link to={{ view: "run", runId: run_id, level: "" }}>
                {workflow} {standing}
              </Link>
            </li>
          ))}
        </ul>
      </main>
    </>
  );
}

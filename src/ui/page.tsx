import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RunLines } from "../views/page/page-records.ts";
import type { Source } from "./data/source.ts";

/** The whole page: what is shown follows from the address bar. */
export function Page({ source }: { readonly source: Source }): JSX.Element {
  const [runs, setRuns] = useState<RunLines>();
  useEffect(() => void source.get<RunLines>("/runs").then(setRuns), [source]);
  return (
    <main>
      <h1>Runs</h1>
      <ul>
        {runs?.runs.map(({ run_id, workflow, standing }) => (
          <li key={run_id}>
            {workflow} {standing}
          </li>
        ))}
      </ul>
    </main>
  );
}

import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { ApiProblem } from "../data/source.ts";
import { Copy } from "../look/copy.tsx";
import { Link } from "../look/link.tsx";
import { Spend } from "../look/spend.tsx";
import { Header } from "../shell/header.tsx";
import { Lost } from "../shell/lost.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { type Filters, nameFilters, readFilters } from "./filters.ts";
import type { Runs } from "./load-runs.ts";
import { RunList } from "./run-list.tsx";
import { useRuns } from "./use-runs.ts";
import "./runs-view.css";

/** All runs: those that need somebody first. */
export function RunsView({ query }: { readonly query: Readonly<Record<string, string>> }): JSX.Element {
  const filters = useMemo(() => readFilters(query), [query]);
  const { runs, isLoading, problem, loadOlder } = useRuns(filters);
  useEffect(() => {
    const asks = runs?.counts.asks ?? 0;
    document.title = asks === 0 ? "Runs · Frond" : `(${asks}) Runs · Frond`;
  }, [runs?.counts.asks]);
  return (
    <>
      <Header />
      <Lost problem={problem} />
      <main id="main" class="runs-view">
        <Head runs={runs} />
        {runs !== undefined && <FilterBar filters={filters} runs={runs} />}
        {runs === undefined ? (
          <Waiting problem={problem} />
        ) : runs.lines.size === 0 ? (
          !isLoading && <Nothing filters={filters} />
        ) : (
          <RunList runs={runs} loadOlder={loadOlder} />
        )}
      </main>
    </>
  );
}

function Head({ runs }: { readonly runs: Runs | undefined }): JSX.Element {
  return (
    <div class="runs-head">
      <div>
        <h1>Runs</h1>
        <p>{runs?.summary}</p>
      </div>
      {runs?.spendToday !== undefined && (
        <dl>
          <dt>Spend today</dt>
          <dd>
            <Spend spend={runs.spendToday} />
          </dd>
        </dl>
      )}
      <Link to={{ view: "workflows", query: {} }} class="button primary">
        Run a workflow
      </Link>
    </div>
  );
}

function Waiting({ problem }: { readonly problem: ApiProblem | undefined }): JSX.Element {
  if (problem === undefined) return <div class="placeholder" aria-busy="true" />;
  return (
    <div class="notice" role="alert">
      <h2>The list can't be shown</h2>
      <p>{problem.message}</p>
      <p>The same on the command line:</p>
      <p>
        <Copy text="frond runs" />
      </p>
    </div>
  );
}

function Nothing({ filters }: { readonly filters: Filters }): JSX.Element {
  const named = nameFilters(filters);
  if (named === "")
    return (
      <div class="notice">
        <h2>No runs yet</h2>
        <p>Runs of this project show up here, whoever starts them: you, an agent or a schedule.</p>
        <p>
          <Copy text="frond run hello-world" />
        </p>
        <p>
          <Link to={{ view: "workflows", query: {} }} class="button">
            Look at the workflows
          </Link>
        </p>
      </div>
    );
  return (
    <div class="notice">
      <h2>No run matches</h2>
      <p>You look for runs with: {named}.</p>
      <p>
        <Link to={{ view: "runs", query: {} }} class="button">
          Clear the filters
        </Link>
      </p>
    </div>
  );
}

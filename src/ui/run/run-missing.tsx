import type { JSX } from "preact";
import type { ApiProblem } from "../data/source.ts";
import { Copy } from "../look/copy.tsx";
import { Link } from "../look/link.tsx";
import type { RunPlace } from "../place.ts";

interface RunMissingProps {
  readonly place: RunPlace;
  readonly problem: ApiProblem;
}

/** What is asked for is not there, or the server gives it to nobody. */
export function RunMissing({ place, problem }: RunMissingProps): JSX.Element {
  const isRunGone = problem.status === 404 && (place.level === "" || /run/.test(problem.code));
  return (
    <div class="notice" role="alert">
      <h1>{isRunGone ? "There is no such run" : "This can't be shown"}</h1>
      <p>
        {problem.message} {problem.fix}
      </p>
      {!isRunGone && (
        <p>
          <Copy text={`frond show ${place.runId}`} />
        </p>
      )}
      <p>
        <Link to={{ view: "runs", query: {} }} class="button">
          All runs
        </Link>{" "}
        {place.level !== "" && !isRunGone && (
          <Link to={{ view: "run", runId: place.runId, level: "" }} class="button">
            The whole run
          </Link>
        )}
      </p>
    </div>
  );
}

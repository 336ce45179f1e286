import type { JSX } from "preact";
import type { ApiProblem } from "../data/source.ts";
import "./refusal.css";

/** Why the server said no, and what to do about it. */
export function Refusal({ problem }: { readonly problem: ApiProblem | undefined }): JSX.Element {
  return (
    <div class="refusal" role="alert">
      {problem !== undefined && (
        <p>
          <span class="problem">{problem.message}</span> {problem.fix !== undefined && <WithCode text={problem.fix} />}
        </p>
      )}
    </div>
  );
}

/** What stands between backquotes is to be typed, or is a name. */
export function WithCode({ text }: { readonly text: string }): JSX.Element {
  return <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}

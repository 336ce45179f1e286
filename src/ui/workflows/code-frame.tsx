import type { JSX } from "preact";
import type { FrameLine, PageDiagnostic } from "../../views/page/workflow-records.ts";
import { WithCode } from "../act/refusal.tsx";
import "./code-frame.css";

interface CodeFrameProps {
  readonly problem: PageDiagnostic;
  /** Goes to the place. */
  jump?(line: number, column: number): void;
}

/** A problem of a text: what is wrong, the lines with the place underlined, and what to do. */
export function CodeFrame({ problem, jump }: CodeFrameProps): JSX.Element {
  const { level, message, why, fix, line, column = 1, frame = [] } = problem;
  const place = line === undefined ? "" : `Line ${line}`;
  return (
    <div class={`code-frame ${level}`}>
      <p class="code-frame-message">
        <b>{level}</b>{" "}
        {line !== undefined && jump !== undefined ? (
          <button type="button" class="code-frame-jump" onClick={() => jump(line, column)}>
            {place}
          </button>
        ) : (
          <span class="faint">{place}</span>
        )}{" "}
        <WithCode text={message} />
      </p>
      {frame.length > 0 && (
        <pre>
          {frame.map((one) => (
            <Line key={one.number} line={one} />
          ))}
        </pre>
      )}
      {why !== undefined && (
        <p class="faint">
          <WithCode text={why} />
        </p>
      )}
      {fix !== undefined && (
        <p>
          <WithCode text={fix} />
        </p>
      )}
    </div>
  );
}

function Line({ line: { number, before, meant, after } }: { readonly line: FrameLine }): JSX.Element {
  return (
    <span class={meant === undefined ? "code-frame-line" : "code-frame-line is-meant"}>
      <i>{number}</i>
      {before}
      {meant !== undefined && <mark>{meant}</mark>}
      {after}
      {"\n"}
    </span>
  );
}

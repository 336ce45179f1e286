import type { JSX } from "preact";
import type { PageDiagnostic } from "../../views/page/workflow-records.ts";
import { type FrameLine, frameOf } from "./marks.ts";
import "./code-frame.css";

const levelWords = { error: "Error", warning: "Warning", hint: "Hint" } as const;

interface CodeFrameProps {
  /** Left out where it stands beside. */
  readonly text?: string;
  readonly problem: PageDiagnostic;
  /** Goes to the place. */
  jump?(line: number, column: number): void;
}

/** A problem of a text: what is wrong, the lines with the place underlined, and what to do. */
export function CodeFrame({ text, problem, jump }: CodeFrameProps): JSX.Element {
  const { level, message, why, fix, line, column = 1 } = problem;
  const frame = text === undefined ? [] : frameOf(text, problem);
  const place = line === undefined ? "" : `Line ${line}`;
  return (
    <div class={`code-frame ${level}`}>
      <p class="code-frame-message">
        <b>{levelWords[level]}</b>{" "}
        {line !== undefined && jump !== undefined ? (
          <button type="button" class="code-frame-jump" onClick={() => jump(line, column)}>
            {place}
          </button>
        ) : (
          <span class="faint">{place}</span>
        )}{" "}
        <Said text={message} />
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
          <Said text={why} />
        </p>
      )}
      {fix !== undefined && (
        <p>
          <Said text={fix} />
        </p>
      )}
    </div>
  );
}

/** What stands between backquotes is to be written as it is. */
function Said({ text }: { readonly text: string }): JSX.Element {
  return <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}

function Line({ line: { number, text, from, to } }: { readonly line: FrameLine }): JSX.Element {
  return (
    <span class={from === undefined ? "code-frame-line" : "code-frame-line is-meant"}>
      <i>{number}</i>
      {from === undefined || to === undefined ? (
        text
      ) : (
        <>
          {text.slice(0, from - 1)}
          <mark>{text.slice(from - 1, to - 1) || " "}</mark>
          {text.slice(to - 1)}
        </>
      )}
      {"\n"}
    </span>
  );
}

import type { JSX, RefObject, TargetedKeyboardEvent } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { PageMark } from "../../views/page/workflow-records.ts";
import { lineAt } from "./positions.ts";
import "./editor.css";

interface EditorProps {
  readonly text: string;
  readonly marks: readonly PageMark[];
  readonly field: RefObject<HTMLTextAreaElement | null>;
  change(text: string): void;
}

const signs = { error: "×", warning: "!", hint: "i" } as const;

/** A text with a gutter: numbers of lines, and a mark at each that something is said of. */
export function Editor({ text, marks: found, field, change }: EditorProps): JSX.Element {
  const gutter = useRef<HTMLDivElement>(null);
  const [line, setLine] = useState(1);
  /** After Escape the next Tab leaves the field. */
  const leaves = useRef(false);
  const marks = useMemo(() => new Map(found.map((mark) => [mark.line, mark])), [found]);
  const count = useMemo(() => text.split("\n").length, [text]);
  const look = (area: HTMLTextAreaElement): void => setLine(lineAt(area.value, area.selectionStart));
  const press = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    const isLeaving = leaves.current;
    leaves.current = event.key === "Escape" || (isLeaving && event.key === "Shift");
    if (event.key !== "Tab" || event.shiftKey || isLeaving) return;
    event.preventDefault();
    const area = event.currentTarget;
    area.setRangeText("  ", area.selectionStart, area.selectionEnd, "end");
    change(area.value);
  };
  return (
    <div class="editor">
      <div class="editor-gutter" ref={gutter} aria-hidden="true">
        {Array.from({ length: count }, (_, index) => {
          const mark = marks.get(index + 1);
          return (
            <span key={index} class={mark?.level ?? ""} title={mark?.says ?? ""}>
              {mark === undefined ? "" : signs[mark.level]} {index + 1}
            </span>
          );
        })}
      </div>
      <textarea
        ref={field}
        value={text}
        spellcheck={false}
        autocapitalize="off"
        wrap="off"
        aria-label="Text of the workflow"
        aria-describedby="editor-help editor-line"
        aria-invalid={found.some(({ level }) => level === "error")}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={press}
        onKeyUp={(event) => look(event.currentTarget)}
        onClick={(event) => look(event.currentTarget)}
        onScroll={(event) => {
          if (gutter.current !== null) gutter.current.scrollTop = event.currentTarget.scrollTop;
        }}
      />
      <p class="editor-foot">
        <span id="editor-line" aria-live="polite">
          Line {line}
          {marks.has(line) && `: ${marks.get(line)?.says}`}
        </span>
        <span id="editor-help" class="faint">
          Tab writes two spaces. Escape, then Tab leaves the text.
        </span>
      </p>
    </div>
  );
}

import type { JSX } from "preact";
import type { PageUndo, PageUndoFile } from "../../views/page/act-records.ts";
import { Diff } from "../look/diff.tsx";
import { type Choices, choiceFor } from "./undo-groups.ts";

interface UndoFileProps {
  readonly file: PageUndoFile | undefined;
  readonly undo: PageUndo;
  readonly choices: Choices;
}

/** One file, now and after the undo. */
export function UndoFile({ file, undo, choices }: UndoFileProps): JSX.Element {
  if (file === undefined) {
    return <div class="undo-file faint">No file is restored.</div>;
  }
  const isConflict = file.found === "conflict";
  const chosen = undo.choices.find(({ choice }) => choice === choiceFor(file, choices));
  return (
    <div class="undo-file">
      <h2>
        <code>{file.path}</code>{" "}
        <span class={isConflict ? "undo-warns" : "faint"}>{file.becomes ?? chosen?.becomes[0]}</span>
      </h2>
      {isConflict && <p>{chosen?.explains}</p>}
      {file.diff === undefined ? (
        <p class="faint">{file.note}</p>
      ) : (
        <Diff text={file.diff} label={`How ${file.path} would change`} />
      )}
    </div>
  );
}

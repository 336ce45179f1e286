import type { JSX } from "preact";
import type { PageUndo, PageUndoFile } from "../../views/page/act-records.ts";
import { Diff } from "../look/diff.tsx";
import { type Choices, choiceFor, type OnConflict } from "./undo-groups.ts";

interface UndoFileProps {
  readonly file: PageUndoFile | undefined;
  readonly undo: PageUndo;
  readonly choices: Choices;
}

/** One file, now and after the undo. */
export function UndoFile({ file, undo, choices }: UndoFileProps): JSX.Element {
  if (file === undefined) {
    return (
      <div class="undo-file faint">{undo.nothing === undefined ? "No file is restored." : "Nothing is restored."}</div>
    );
  }
  const choice = choiceFor(file, choices);
  return (
    <div class="undo-file">
      <h2>
        <code>{file.path}</code>{" "}
        <span class={file.found === "conflict" ? "undo-warns" : "faint"}>{wordFile(file, choice)}</span>
      </h2>
      {file.found === "conflict" && <p>{explain[choice]}</p>}
      {file.diff === undefined ? (
        <p class="faint">{file.note}</p>
      ) : (
        <Diff
          text={file.diff}
          label={`${file.path}, now and ${file.found === "conflict" ? "as it was before the run" : "after undo"}`}
        />
      )}
    </div>
  );
}

function wordFile({ found, undo }: PageUndoFile, onConflict: OnConflict): string {
  if (found === "already") return "is as before already";
  if (found === "not-kept") return "can't be restored";
  if (found === "conflict")
    return { keep: "stays as it is", merge: "is merged if it can be", force: `is ${undo}` }[onConflict];
  return undo;
}

const explain: Readonly<Record<OnConflict, string>> = {
  keep: "It was changed since the run, so nothing happens to it. Below is what Restore would do.",
  merge:
    "It was changed since the run. What the run changed is taken out, and what was changed since stays, if these are other lines; else the file stays as it is. Below is what Restore would do.",
  force: "It was changed since the run. Restoring it takes that out, too: below is all that changes.",
};

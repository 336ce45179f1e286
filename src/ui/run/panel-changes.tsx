import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { BlockDetail, PageChanges, PageFileChange } from "../../views/page/detail-records.ts";
import { useApp } from "../app-context.ts";
import { addressPath } from "../data/http-source.ts";
import { Diff } from "../look/diff.tsx";
import { plural } from "../look/format.ts";
import { Link } from "../look/link.tsx";

interface ChangesProps {
  readonly runId: string;
  readonly address: string;
  readonly detail: BlockDetail;
}

const filesAtATime = 50;

/** The files that it, with all inside it, has changed. Each unfolds to what became of it. */
export function PanelChanges({ runId, address, detail }: ChangesProps): JSX.Element {
  const [changes, problem] = useChanges(runId, address, detail);
  const [shown, setShown] = useState(filesAtATime);
  const files = changes?.changes ?? [];
  const kept = changes?.not_captured ?? [];
  if (detail.changed_files === 0 && kept.length === 0) {
    return (
      <h3>
        Changed files <span class="faint">none</span>
      </h3>
    );
  }
  const count = Math.max(detail.changed_files, files.length);
  return (
    <>
      <div class="panel-line">
        <h3>
          Changed files <span class="faint times">{count.toLocaleString("en-GB")}</span>
        </h3>
        <Lines added={sum(files, "lines_added")} removed={sum(files, "lines_removed")} />
        <span class="panel-space" />
        {changes !== undefined && (
          <Link to={{ view: "undo", runId, query: { only: address } }} class="panel-undo faint">
            {coverage(files, kept.length)}
          </Link>
        )}
      </div>
      {problem !== undefined && <p class="problem">{problem}</p>}
      <ul class="panel-files">
        {files.slice(0, shown).map((file, index) => (
          <File key={file.path} file={file} isOpenAtFirst={index === 0} />
        ))}
        {kept.map(({ path, why }) => (
          <li key={path} class="panel-lost">
            <code>{path}</code> <span class="faint">can't be undone: {why}</span>
          </li>
        ))}
      </ul>
      {files.length > shown && (
        <button type="button" class="small" onClick={() => setShown(shown + filesAtATime)}>
          Show {Math.min(filesAtATime, files.length - shown)} more files
        </button>
      )}
    </>
  );
}

/** Read again when more files have changed, or it has ended; the old ones stay until then. */
function useChanges(
  runId: string,
  address: string,
  { changed_files, card: { standing } }: BlockDetail,
): [PageChanges | undefined, string | undefined] {
  const { source } = useApp();
  const [read, setRead] = useState<{ address: string; changes?: PageChanges; problem?: string }>();
  useEffect(() => {
    if (changed_files === 0) return undefined;
    let isWanted = true;
    source.get<PageChanges>(`/runs/${encodeURIComponent(runId)}/changes/${addressPath(address)}`).then(
      (changes) => isWanted && setRead({ address, changes }),
      (problem: Error) => isWanted && setRead({ address, problem: problem.message }),
    );
    return () => {
      isWanted = false;
    };
  }, [source, runId, address, changed_files, standing]);
  return read?.address === address ? [read.changes, read.problem] : [undefined, undefined];
}

function sum(files: readonly PageFileChange[], what: "lines_added" | "lines_removed"): number {
  return files.reduce((total, file) => total + (file[what] ?? 0), 0);
}

function coverage(files: readonly PageFileChange[], lost: number): string {
  if (files.length > 0 && files.every(({ now }) => now === "as before")) return "Undone";
  const since = files.filter(({ now }) => now === "changed since").length;
  const restored = files.length - since;
  const later = since > 0 ? `${plural(since, "file")} changed since` : "";
  if (restored === 0 && since > 0) return later;
  const all = since + lost > 0 ? `${restored} of ${files.length + lost}` : restored === 1 ? "it" : `all ${restored}`;
  return [`Undo restores ${all}`, ...(later === "" ? [] : [later])].join(", ");
}

function Lines({ added, removed }: { readonly added: number; readonly removed: number }): JSX.Element {
  return (
    <span class="panel-lines times">
      {added > 0 && <span class="panel-added">+{added.toLocaleString("en-GB")}</span>}{" "}
      {removed > 0 && <span class="panel-removed">−{removed.toLocaleString("en-GB")}</span>}
    </span>
  );
}

const changeWords: Readonly<Record<PageFileChange["change"], string>> = {
  created: "new",
  edited: "",
  deleted: "deleted",
  moved: "moved",
  mode: "mode",
};

function File({
  file,
  isOpenAtFirst,
}: {
  readonly file: PageFileChange;
  readonly isOpenAtFirst: boolean;
}): JSX.Element {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const word = changeWords[file.change];
  return (
    <li>
      <button type="button" class="panel-file" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
        <code>{file.path}</code>
        {file.now !== undefined && <span class="panel-tag">{file.now}</span>}
        {word !== "" && <span class="panel-tag">{word}</span>}
        <Lines added={file.lines_added ?? 0} removed={file.lines_removed ?? 0} />
      </button>
      {isOpen && <FileDetail file={file} />}
    </li>
  );
}

function FileDetail({ file }: { readonly file: PageFileChange }): JSX.Element {
  const { path, diff = "", from, mode_before, mode_after, no_diff, size_before, size_after } = file;
  return (
    <>
      {from !== undefined && <p class="panel-note">moved from {from}</p>}
      {mode_after !== undefined && (
        <p class="panel-note">
          mode {mode_before} to {mode_after}
        </p>
      )}
      {diff !== "" && <Diff text={diff} label={`Changes of ${path}`} />}
      {no_diff !== undefined && (
        <p class="panel-note">
          No diff: {no_diff}. {sizes(size_before, size_after)}
        </p>
      )}
    </>
  );
}

function sizes(before: number | undefined, after: number | undefined): string {
  const bytes = (size: number | undefined): string => `${(size ?? 0).toLocaleString("en-GB")} bytes`;
  return before === undefined && after === undefined ? "" : `${bytes(before)} before, ${bytes(after)} after.`;
}

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { BlockDetail, PageChanges, PageFileChange } from "../../views/page/detail-records.ts";
import { useApp } from "../app-context.ts";
import { addressPath } from "../data/http-source.ts";
import { Diff } from "../look/diff.tsx";
import { Lines } from "../look/lines.tsx";
import { Link } from "../look/link.tsx";
import { useMore } from "../look/use-more.tsx";

interface ChangesProps {
  readonly runId: string;
  readonly address: string;
  readonly detail: BlockDetail;
}

const filesAtATime = 50;

/** The files that it, with all inside it, has changed. Each unfolds to what became of it. */
export function PanelChanges({ runId, address, detail }: ChangesProps): JSX.Element {
  const [changes, problem] = useChanges(runId, address, detail);
  const files = changes?.changes ?? [];
  const [shown, more] = useMore(files, filesAtATime, "file");
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
        {changes !== undefined && <Lines of={changes} />}
        <span class="panel-space" />
        {changes !== undefined && (
          <Link to={{ view: "undo", runId, query: { only: address } }} class="panel-undo faint">
            {changes.says}
          </Link>
        )}
      </div>
      {problem !== undefined && <p class="problem">{problem}</p>}
      <ul class="panel-files">
        {shown.map((file, index) => (
          <File key={file.path} file={file} isOpenAtFirst={index === 0} />
        ))}
        {kept.map(({ path, why }) => (
          <li key={path} class="panel-lost">
            <code>{path}</code> <span class="faint">can't be undone: {why}</span>
          </li>
        ))}
      </ul>
      {more}
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

function File({
  file,
  isOpenAtFirst,
}: {
  readonly file: PageFileChange;
  readonly isOpenAtFirst: boolean;
}): JSX.Element {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { path, tags, notes, diff = "" } = file;
  return (
    <li>
      <button type="button" class="panel-file" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
        <code>{path}</code>
        {tags.map((tag) => (
          <span key={tag} class="panel-tag">
            {tag}
          </span>
        ))}
        <Lines of={file} />
      </button>
      {isOpen &&
        notes.map((note) => (
          <p key={note} class="panel-note">
            {note}
          </p>
        ))}
      {isOpen && diff !== "" && <Diff text={diff} label={`Changes of ${path}`} />}
    </li>
  );
}

import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { PageUndo, PageUndoFile } from "../../views/page/act-records.ts";
import { WithCode } from "./refusal.tsx";
import { type Choices, choiceFor, groupLost, type OnConflict, type UndoGroups } from "./undo-groups.ts";

interface UndoListProps {
  readonly undo: PageUndo;
  readonly groups: UndoGroups;
  readonly choices: Choices;
  /** For one file, or for all. */
  choose(choice: OnConflict, path?: string): void;
  readonly selected: string | undefined;
  select(path: string): void;
}

const conflictWords: readonly (readonly [OnConflict, string])[] = [
  ["keep", "Keep"],
  ["merge", "Merge"],
  ["force", "Restore"],
];

/** Everything that the run did, by what becomes of it. */
export function UndoList(props: UndoListProps): JSX.Element {
  const { undo, groups, choices, choose, selected, select } = props;
  const { conflicts, restored, removed, already, lost, untouched } = groups;
  const files = (list: readonly PageUndoFile[]): JSX.Element => (
    <Files files={list} selected={selected} select={select} />
  );
  return (
    <div class="undo-list">
      <Group name="Changed since the run" count={conflicts.length}>
        {conflicts.length > 1 && (
          <ConflictChoice name="all of them" chosen={commonChoice(conflicts, choices)} choose={choose} />
        )}
        <Files files={conflicts} selected={selected} select={select}>
          {(file) => (
            <ConflictChoice
              name={file.path}
              chosen={choiceFor(file, choices)}
              choose={(choice) => choose(choice, file.path)}
            />
          )}
        </Files>
      </Group>
      <Group name="Restored" count={restored.length}>
        {files(restored)}
      </Group>
      <Group name="Removed again, as the run made them" count={removed.length}>
        {files(removed)}
      </Group>
      <Group name="Moved back" count={undo.moves?.length ?? 0}>
        {undo.moves?.map(({ from, to, by }) => (
          <Row key={to} what={to} why={`from ${from}`} by={by.join(", ")} />
        ))}
      </Group>
      <Group name="Git refs put back" count={undo.refs?.length ?? 0}>
        {undo.refs?.map(({ name, by }) => (
          <Row key={name} what={name} why="" by={by.join(", ")} />
        ))}
      </Group>
      <Group name="Undone by a block of their own" count={undo.compensations?.length ?? 0}>
        {undo.compensations?.map(({ block, type, text }) => (
          <details key={block}>
            <summary>
              <code>{block}</code> <span class="faint">{type}</span>
            </summary>
            <pre>{text}</pre>
          </details>
        ))}
      </Group>
      <Group name="Can't be undone" count={lost.length}>
        {groupLost(lost).map(({ why, all }) => (
          <Row key={why} what={nameSome(all)} why={why} by="" />
        ))}
      </Group>
      <Group name="As before already" count={already.length}>
        {files(already)}
      </Group>
      <Group name="Nothing to undo" count={untouched.length}>
        <p class="faint">{untouched.join(", ")} changed no file that Frond keeps.</p>
      </Group>
    </div>
  );
}

function commonChoice(files: readonly PageUndoFile[], choices: Choices): OnConflict | undefined {
  const [first, ...others] = new Set(files.map((file) => choiceFor(file, choices)));
  return others.length === 0 ? first : undefined;
}

interface ConflictChoiceProps {
  readonly name: string;
  readonly chosen: OnConflict | undefined;
  choose(choice: OnConflict): void;
}

function ConflictChoice({ name, chosen, choose }: ConflictChoiceProps): JSX.Element {
  return (
    <fieldset class="undo-conflict" aria-label={`What becomes of ${name}`}>
      {conflictWords.map(([choice, words]) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === chosen}
          class={choice === chosen ? "small primary" : "small"}
          onClick={() => choose(choice)}
        >
          {words}
        </button>
      ))}
      {name === "all of them" && <span class="faint">for all of them</span>}
    </fieldset>
  );
}

function Group(props: {
  readonly name: string;
  readonly count: number;
  readonly children: ComponentChildren;
}): JSX.Element | null {
  if (props.count === 0) return null;
  return (
    <section>
      <h2>
        {props.name} <span class="faint">{props.count.toLocaleString("en-GB")}</span>
      </h2>
      {props.children}
    </section>
  );
}

function Row({ what, why, by }: { readonly what: string; readonly why: string; readonly by: string }): JSX.Element {
  return (
    <div class="undo-row">
      <span>
        <code>{what}</code>
        <small>
          <WithCode text={why} />
        </small>
      </span>
      <span class="faint">{by}</span>
    </div>
  );
}

const mostNames = 12;

function nameSome(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const filesAtATime = 200;

interface FilesProps {
  readonly files: readonly PageUndoFile[];
  readonly selected: string | undefined;
  select(path: string): void;
  /** What stands below each. */
  readonly children?: (file: PageUndoFile) => JSX.Element;
}

function Files({ files, selected, select, children }: FilesProps): JSX.Element {
  const [shown, setShown] = useState(filesAtATime);
  return (
    <>
      {files.slice(0, shown).map((file) => (
        <div key={file.path} class="undo-entry">
          <button
            type="button"
            class="undo-row plain"
            aria-current={file.path === selected}
            onClick={() => select(file.path)}
          >
            <span>
              <code>{file.path}</code>
              {file.from !== undefined && <small>from {file.from}</small>}
            </span>
            <span class="faint">{file.by.join(", ")}</span>
            <Lines file={file} />
          </button>
          {children?.(file)}
        </div>
      ))}
      {files.length > shown && (
        <button type="button" class="plain" onClick={() => setShown(shown + filesAtATime)}>
          {files.length - shown} more
        </button>
      )}
    </>
  );
}

function Lines({ file: { lines_added: added, lines_removed: removed } }: { readonly file: PageUndoFile }): JSX.Element {
  return (
    <span class="times undo-lines">
      {added !== undefined && added > 0 && <span class="undo-added">+{added}</span>}{" "}
      {removed !== undefined && removed > 0 && <span class="undo-removed">−{removed}</span>}
    </span>
  );
}

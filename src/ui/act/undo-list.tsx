import type { ComponentChildren, JSX } from "preact";
import type { OnConflict, PageUndo, PageUndoFile } from "../../views/page/act-records.ts";
import { Lines } from "../look/lines.tsx";
import { OneOf } from "../look/one-of.tsx";
import { useMore } from "../look/use-more.tsx";
import { WithCode } from "./refusal.tsx";
import { type Choices, choiceFor, conflictsOf } from "./undo-groups.ts";

interface UndoListProps {
  readonly undo: PageUndo;
  /** Names of the blocks that ran and left nothing to take back. */
  readonly untouched: readonly string[];
  readonly choices: Choices;
  /** For one file, or for all. */
  choose(choice: OnConflict, path?: string): void;
  readonly selected: string | undefined;
  select(path: string): void;
}

/** Everything that the run did, by what becomes of it. */
export function UndoList(props: UndoListProps): JSX.Element {
  const { undo, untouched, choices, choose, selected, select } = props;
  const conflicts = conflictsOf(undo);
  return (
    <div class="undo-list">
      <Group name="Changed since the run" count={conflicts.length}>
        {conflicts.length > 1 && (
          <ConflictChoice undo={undo} name="all of them" chosen={commonChoice(conflicts, choices)} choose={choose} />
        )}
        <Files files={conflicts} selected={selected} select={select}>
          {(file) => (
            <ConflictChoice
              undo={undo}
              name={file.path}
              chosen={choiceFor(file, choices)}
              choose={(choice) => choose(choice, file.path)}
            />
          )}
        </Files>
      </Group>
      {undo.groups.map(({ name, count, rows }) => (
        <Group key={name} name={name} count={count}>
          <Files files={undo.files.filter(({ group }) => group === name)} selected={selected} select={select} />
          {rows.map((row) =>
            row.is_text ? (
              <details key={row.what}>
                <summary>
                  <code>{row.what}</code> <span class="faint">{row.by}</span>
                </summary>
                <pre>{row.why}</pre>
              </details>
            ) : (
              <Row key={row.what} {...row} />
            ),
          )}
        </Group>
      ))}
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
  readonly undo: PageUndo;
  readonly name: string;
  readonly chosen: OnConflict | undefined;
  choose(choice: OnConflict): void;
}

function ConflictChoice({ undo, name, chosen, choose }: ConflictChoiceProps): JSX.Element {
  return (
    <fieldset class="undo-conflict" aria-label={`What becomes of ${name}`}>
      <OneOf options={undo.choices.map(({ choice, label }) => [choice, label])} chosen={chosen} choose={choose} />
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

const filesAtATime = 200;

interface FilesProps {
  readonly files: readonly PageUndoFile[];
  readonly selected: string | undefined;
  select(path: string): void;
  /** What stands below each. */
  readonly children?: (file: PageUndoFile) => JSX.Element;
}

function Files({ files, selected, select, children }: FilesProps): JSX.Element {
  const [shown, more] = useMore(files, filesAtATime, "file");
  return (
    <>
      {shown.map((file) => (
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
            <Lines of={file} />
          </button>
          {children?.(file)}
        </div>
      ))}
      {more}
    </>
  );
}

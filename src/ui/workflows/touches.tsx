import type { ComponentChildren, JSX } from "preact";
import type { UndoPart, WorkflowTouches } from "../../views/page/workflow-records.ts";
import { plural } from "../look/format.ts";

interface TouchesProps {
  readonly touches: WorkflowTouches;
  /** What it may cost by its own text. */
  readonly budget: string | undefined;
}

/** What a workflow can reach, in a line for each kind. */
export function Touches({ touches, budget }: TouchesProps): JSX.Element {
  const limit: readonly (readonly [string, ComponentChildren])[] =
    budget === undefined ? [] : [["Spends", `at most ${budget}`]];
  const rows = [...rowsOf(touches), ...limit];
  return (
    <section>
      <h3>What it can touch</h3>
      {rows.length === 0 ? (
        <p class="faint">Nothing outside of itself.</p>
      ) : (
        <dl class="workflow-rows">
          {rows.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** Which workers take its runs, where those work, and when they are started. */
export function Machines({ sentences }: { readonly sentences: readonly string[] }): JSX.Element {
  return (
    <section>
      <h3>On which machines, and when</h3>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </section>
  );
}

function rowsOf(touches: WorkflowTouches): readonly (readonly [string, ComponentChildren])[] {
  const { writes, hosts, commands, secrets, models, asks } = touches;
  const sandbox = { all: "in a sandbox", some: "some in a sandbox", none: "no sandbox" }[touches.sandbox];
  const rows: (readonly [string, ComponentChildren])[] = [];
  const add = (name: string, has: boolean, text: ComponentChildren): void => {
    if (has) rows.push([name, text]);
  };
  const others = commands > 0 ? "whatever its commands write" : "files that are only known in a run";
  add(
    "Writes",
    writes.length > 0 || touches.writes_others,
    <>
      <Codes words={writes} />
      {touches.writes_others && (writes.length > 0 ? `, and ${others}` : others)}
    </>,
  );
  add("Runs", commands > 0, `commands in ${plural(commands, "block")}, ${sandbox}`);
  add(
    "Calls",
    hosts.length > 0 || touches.calls_others,
    <>
      <Codes words={hosts} />
      {touches.calls_others &&
        (hosts.length > 0 ? ", and addresses that are only known in a run" : "addresses that are only known in a run")}
    </>,
  );
  add(
    "Secrets",
    secrets.length > 0,
    secrets.map(({ name, is_set }, index) => (
      <span key={name}>
        {index > 0 && ", "}
        <code>{name}</code>{" "}
        {is_set ? <span class="workflow-set">is set</span> : <span class="problem">is missing</span>}
      </span>
    )),
  );
  add("Model", models > 0, `asked in ${plural(models, "block")}`);
  add("People", asks.length > 0, `asked by ${asks.slice(0, mostNamed).join(", ")}${andMore(asks.length)}`);
  add("Inputs", touches.takes_commands, "decide which program runs");
  add("Unknown", touches.unknown, "it calls workflows that are only known in a run");
  return rows;
}

const mostNamed = 6;

function andMore(count: number): string {
  return count > mostNamed ? ` and ${count - mostNamed} more` : "";
}

function Codes({ words }: { readonly words: readonly string[] }): JSX.Element {
  return (
    <>
      {words.slice(0, mostNamed).map((word, index) => (
        <span key={word}>
          {index > 0 && ", "}
          <code>{word}</code>
        </span>
      ))}
      {andMore(words.length)}
    </>
  );
}

const undoWords: Readonly<Record<UndoPart["kind"], string>> = {
  undone: "undone",
  partly: "in part: the files of the workspace",
  nothing: "nothing to undo",
  not_undone: "not undone",
};

/** How much of what a workflow does can be taken back: as a bar, and in words. */
export function UndoCoverage({ parts }: { readonly parts: readonly UndoPart[] }): JSX.Element {
  const label = parts.map(({ kind, count }) => `${plural(count, "block")} ${undoWords[kind]}`).join(", ");
  return (
    <section>
      <h3>What undo covers</h3>
      <div class="workflow-undo" role="img" aria-label={label}>
        {parts.map(({ kind, count }) => (
          <i key={kind} class={kind} style={{ flexGrow: count }} />
        ))}
      </div>
      <dl class="workflow-rows">
        {parts.map(({ kind, count, blocks, why }) => (
          <div key={kind}>
            <dt>{plural(count, "block")}</dt>
            <dd>
              <b>{undoWords[kind]}</b>
              {kind !== "nothing" &&
                `: ${blocks.join(", ")}${count > blocks.length ? ` and ${count - blocks.length} more` : ""}`}
              {why !== undefined && <span class="faint"> · {why}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { WorkflowFacts, WorkflowGraphRecord } from "../../views/page/workflow-records.ts";
import { useApp } from "../app-context.ts";
import { keep, readKept } from "../data/kept.ts";
import { Header } from "../shell/header.tsx";
import { Lost } from "../shell/lost.tsx";
import { CodeFrame } from "./code-frame.tsx";
import { Editor } from "./editor.tsx";
import { PlanGraph } from "./plan-graph.tsx";
import { positionOf } from "./positions.ts";
import { StartForm } from "./start-form.tsx";
import { type Checked, useChecked } from "./use-checked.ts";
import "./scratch-view.css";
import "./workflow-view.css";

const storageKey = "frond-scratch";

/** Writes a workflow: it is checked while it is typed, drawn beside it, and run from here. */
export function ScratchView(): JSX.Element {
  const { source } = useApp();
  const [text, setText] = useState(() => readKept(storageKey) ?? "");
  const field = useRef<HTMLTextAreaElement>(null);
  const checked = useChecked(source, text);
  const sound = useLastSound(checked);
  const problems = checked.answer?.problems ?? [];
  const change = (next: string): void => {
    setText(next);
    keep(storageKey, next);
  };
  const begin = (): void =>
    void source.get<{ readonly text: string }>("/first-workflow").then(
      (first) => change(first.text),
      () => undefined,
    );
  useEffect(() => {
    if (text === "") begin();
  }, []);
  const jump = (line: number, column: number): void => {
    const area = field.current;
    if (area === null) return;
    const at = positionOf(area.value, line, column);
    area.focus();
    area.setSelectionRange(at, at);
    area.scrollTop = Math.max(0, (line - 6) * lineHeight);
  };
  return (
    <>
      <Header trail={[{ name: "Write one", to: { view: "scratch" } }]} />
      <Lost />
      <main id="main" class="scratch">
        <div class="scratch-left">
          <div class="workflow-bar">
            <h1>Write a workflow</h1>
            <span class="faint">kept in this browser</span>
            <button type="button" onClick={begin}>
              Start anew
            </button>
          </div>
          <Editor text={text} marks={checked.answer?.marks ?? []} field={field} change={change} />
          <section class="scratch-problems" aria-label="What is said of it">
            <p role="status">
              {checked.failure === undefined
                ? (checked.answer?.says ?? "It is being checked.")
                : `It could not be checked: ${checked.failure}`}
            </p>
            {problems.map((problem, index) => (
              <CodeFrame key={index} problem={problem} jump={jump} />
            ))}
          </section>
        </div>
        <div class="scratch-right">
          {sound === undefined ? (
            <p class="scratch-none faint">Its blocks are drawn here once it is sound.</p>
          ) : (
            <>
              <PlanGraph graph={sound.graph} />
              <section class="scratch-run">
                <h2>Run it</h2>
                <StartForm
                  facts={sound.facts}
                  target={{ workflow_yaml: text }}
                  hindrance={checked.answer?.valid === false && <p class="problem">It has errors: those come first.</p>}
                />
              </section>
            </>
          )}
        </div>
      </main>
    </>
  );
}

const lineHeight = 18;

interface Sound {
  readonly facts: WorkflowFacts;
  readonly graph: WorkflowGraphRecord;
}

/** While it is being typed a text is mostly broken: what it was when it was sound last stays in sight. */
function useLastSound({ answer }: Checked): Sound | undefined {
  const last = useRef<Sound | undefined>(undefined);
  if (answer?.facts !== undefined && answer.graph !== undefined)
    last.current = { facts: answer.facts, graph: answer.graph };
  return last.current;
}

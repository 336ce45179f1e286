import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PageTrust, WorkflowPage } from "../../views/page/workflow-records.ts";
import { useRecord } from "../act/use-record.ts";
import { useApp } from "../app-context.ts";
import { addressPath } from "../data/http-source.ts";
import type { ApiProblem } from "../data/source.ts";
import { Copy } from "../look/copy.tsx";
import { Header } from "../shell/header.tsx";
import { Lost } from "../shell/lost.tsx";
import { CodeFrame } from "./code-frame.tsx";
import { commandLine, toolCall } from "./command-line.ts";
import { LastRuns, LatestRuns } from "./last-runs.tsx";
import { PlanGraph } from "./plan-graph.tsx";
import { type FormState, StartForm } from "./start-form.tsx";
import { Touches } from "./touches.tsx";
import "./workflow-view.css";

interface WorkflowViewProps {
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
}

/** A workflow before it runs: what it does, can touch and takes, and how to start it. */
export function WorkflowView({ name, query }: WorkflowViewProps): JSX.Element {
  const { go } = useApp();
  const { record: page, problem } = useRecord<WorkflowPage>(`/workflows/${addressPath(name)}`, {
    at: query.at || undefined,
  });
  const place = { view: "workflow", name, query: {} } as const;
  const change = (changed: Readonly<Record<string, string>>): void => {
    const kept = Object.entries({ ...query, ...changed }).filter(([, value]) => value !== "");
    go({ ...place, query: Object.fromEntries(kept) });
  };
  return (
    <>
      <Header trail={[{ name: page?.facts.name ?? name, to: place }]} />
      <Lost />
      <main id="main" class="workflow" aria-busy={page === undefined && problem === undefined}>
        {problem !== undefined && <Missing problem={problem} />}
        {page !== undefined && problem === undefined && (
          <>
            <Head page={page} isYaml={query.show === "yaml"} toggle={(show) => change({ show })} />
            <div class="workflow-frame">
              <div class="workflow-main">
                {query.show === "yaml" ? (
                  <Yaml text={page.yaml} />
                ) : (
                  <PlanGraph graph={page.graph} stepTo={(to) => change({ at: to })} />
                )}
                {page.problems.length > 0 && (
                  <section class="workflow-problems">
                    {page.problems.map((found, index) => (
                      <CodeFrame key={index} problem={found} />
                    ))}
                  </section>
                )}
                <div class="workflow-columns">
                  <Touches facts={page.facts} />
                  <LastRuns drawn={page.usual.drawn} />
                </div>
                <LatestRuns name={page.facts.name} runs={page.latest} />
              </div>
              <Side key={page.file} page={page} target={name} />
            </div>
          </>
        )}
      </main>
    </>
  );
}

interface HeadProps {
  readonly page: WorkflowPage;
  readonly isYaml: boolean;
  toggle(show: string): void;
}

function Head({ page: { facts, usual, file, source, trust }, isYaml, toggle }: HeadProps): JSX.Element {
  return (
    <div class="workflow-head">
      <div class="workflow-title">
        <h1>
          {facts.name} <span class="faint">workflow</span>
        </h1>
        <p title={facts.description}>{facts.description}</p>
      </div>
      <dl>
        {usual.drawn.facts.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="times">{text}</dd>
          </div>
        ))}
        <div class="workflow-file">
          <dt>File</dt>
          <dd>
            <code title={file}>{source === "built-in" ? "built in" : file}</code>{" "}
            <span class={trust.trusted ? "workflow-trusted" : "workflow-untrusted"}>
              {trust.trusted ? "trusted" : "not trusted"}
            </span>
          </dd>
        </div>
      </dl>
      <button type="button" aria-pressed={isYaml} onClick={() => toggle(isYaml ? "" : "yaml")}>
        {isYaml ? "Graph" : "YAML"}
      </button>
    </div>
  );
}

function Side({ page, target }: { readonly page: WorkflowPage; readonly target: string }): JSX.Element {
  const { facts, trust, tool } = page;
  const [form, setForm] = useState<FormState>({ inputs: {} });
  const start = { workflow: target, ...form };
  return (
    <aside class="workflow-side" aria-label="Run it">
      <section>
        <h2>Run it</h2>
        <StartForm
          facts={facts}
          target={{ workflow: target }}
          hindrance={<Untrusted trust={trust} />}
          changed={setForm}
        />
      </section>
      <section>
        <h3>The same on the command line</h3>
        <Copy text={commandLine(start)} label="Copy the command" />
      </section>
      <section>
        <h3>
          From an agent <span class="faint">MCP tool</span>
        </h3>
        <Copy text={toolCall(tool, start)} label="Copy the call" />
      </section>
      {facts.outputs.length > 0 && (
        <section>
          <h3>Gives</h3>
          <dl class="workflow-rows">
            {facts.outputs.map(({ name, type = "any", description }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  {type} {description !== undefined && <span class="faint">{description}</span>}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </aside>
  );
}

function Untrusted({ trust }: { readonly trust: PageTrust }): JSX.Element | null {
  if (trust.trusted) return null;
  return (
    <div class="workflow-hindrance">
      <p>{trust.why} To run it, look at its text and type:</p>
      <Copy text={trust.command} label="Copy the command" />
    </div>
  );
}

function Yaml({ text }: { readonly text: string }): JSX.Element {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
    <pre class="workflow-yaml" tabIndex={0}>
      {lines.map((line, index) => (
        <span key={index}>
          <i>{index + 1}</i>
          {line}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

function Missing({ problem }: { readonly problem: ApiProblem }): JSX.Element {
  const problems = problem.problems.length > 0 ? problem.problems : [problem];
  return (
    <div class="notice">
      <h1>This workflow can't be shown</h1>
      {problems.map(({ message, fix }) => (
        <p key={message}>
          {message} {fix}
        </p>
      ))}
    </div>
  );
}

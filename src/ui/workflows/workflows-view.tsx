import type { JSX } from "preact";
import type { WorkflowLine, WorkflowLines, WorkflowSourceLine } from "../../views/page/workflow-records.ts";
import { useRecord } from "../act/use-record.ts";
import { useApp } from "../app-context.ts";
import { Copy } from "../look/copy.tsx";
import { plural } from "../look/format.ts";
import { Link } from "../look/link.tsx";
import { Header } from "../shell/header.tsx";
import { useKeys } from "../shell/keys.ts";
import { Lost } from "../shell/lost.tsx";
import { CodeFrame } from "./code-frame.tsx";
import "./workflows-view.css";

/** All workflows, by where they come from; files that are broken first. */
export function WorkflowsView({ query }: { readonly query: Readonly<Record<string, string>> }): JSX.Element {
  const { go } = useApp();
  const { record: lines, problem } = useRecord<WorkflowLines>("/workflows");
  useKeys({
    "/": (event) => {
      event.preventDefault();
      document.getElementById("workflows-find")?.focus();
    },
  });
  const { text = "", tag = "" } = query;
  const change = (changed: Readonly<Record<string, string>>): void => {
    const kept = Object.entries({ ...query, ...changed }).filter(([, value]) => value !== "");
    go({ view: "workflows", query: Object.fromEntries(kept) }, "replace");
  };
  const all = lines?.workflows ?? [];
  const shown = all.filter((line) => isWanted(line, text, tag));
  const tags = [...new Set(all.flatMap((line) => line.tags))].sort();
  return (
    <>
      <Header />
      <Lost />
      <main id="main" class="workflows" aria-busy={lines === undefined && problem === undefined}>
        <div class="workflows-head">
          <div>
            <h1>Workflows</h1>
            <p>{lines?.says}</p>
          </div>
          <Link to={{ view: "scratch" }} class="button">
            Write one
          </Link>
        </div>
        <div class="workflows-filter">
          <input
            id="workflows-find"
            type="search"
            value={text}
            placeholder="Find a workflow"
            aria-label="Find a workflow"
            onInput={(event) => change({ text: event.currentTarget.value })}
          />
          <select value={tag} aria-label="Tag" onChange={(event) => change({ tag: event.currentTarget.value })}>
            <option value="">Any tag</option>
            {tags.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </div>
        {problem !== undefined && <p class="workflows-none problem">{problem.message}</p>}
        {lines?.warnings.map((warning) => (
          <p key={warning} class="workflows-none">
            {warning}
          </p>
        ))}
        {lines !== undefined && lines.broken.length > 0 && (
          <section>
            <h2>
              Broken <span class="faint">{lines.broken.length}</span>
            </h2>
            {lines.broken.map((file) => (
              <details key={file.file} class="workflows-broken" open={lines.broken.length < 4}>
                <summary>
                  <code>{file.file}</code> <span class="problem">{plural(file.problems.length, "problem")}</span>
                </summary>
                {file.problems.map((found, index) => (
                  <CodeFrame key={index} problem={found} />
                ))}
              </details>
            ))}
          </section>
        )}
        {lines !== undefined && shown.length === 0 && (
          <p class="workflows-none">
            No workflow{" "}
            {[text === "" ? "" : `matches “${text}”`, tag === "" ? "" : `has the tag ${tag}`]
              .filter(Boolean)
              .join(" and ")}
            .{" "}
            <button type="button" onClick={() => change({ text: "", tag: "" })}>
              Show all
            </button>
          </p>
        )}
        {lines?.sources.map((one) => (
          <Source
            key={one.source}
            source={one}
            lines={shown.filter((line) => line.source === one.source)}
            choose={(chosen) => change({ tag: chosen })}
          />
        ))}
      </main>
    </>
  );
}

interface SourceProps {
  readonly source: WorkflowSourceLine;
  readonly lines: readonly WorkflowLine[];
  choose(tag: string): void;
}

function Source({ source: { title, untrusted }, lines, choose }: SourceProps): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    <section>
      <h2>
        {title} <span class="faint">{lines.length}</span>
      </h2>
      {untrusted.map(({ says, command }) => (
        <p key={command} class="workflows-trust">
          {says} <Copy text={command} />
        </p>
      ))}
      <ul class="workflows-list">
        {lines.map((line) => (
          <li key={line.file}>
            <Link to={{ view: "workflow", name: line.target, query: {} }} class="workflows-name">
              {line.name}
            </Link>
            <span class="workflows-about" title={line.description}>
              {line.description}
            </span>
            <span class="workflows-tags">
              {!line.trust.trusted && <span class="workflows-untrusted">not trusted</span>}
              {line.replaces_built_in === true && <span class="faint">replaces the built-in</span>}
              {line.tags.slice(0, 3).map((tag) => (
                <button key={tag} type="button" class="workflows-tag" onClick={() => choose(tag)}>
                  {tag}
                </button>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function isWanted({ name, description, tags }: WorkflowLine, text: string, tag: string): boolean {
  const all = `${name} ${description} ${tags.join(" ")}`.toLowerCase();
  const words = text.toLowerCase().split(/\s+/);
  return (tag === "" || tags.includes(tag)) && words.every((word) => all.includes(word));
}

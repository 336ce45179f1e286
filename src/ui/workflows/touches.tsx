import type { JSX } from "preact";
import type { WorkflowFacts } from "../../views/page/workflow-records.ts";
import { WithCode } from "../act/refusal.tsx";
import { plural } from "../look/format.ts";

/** What a workflow can reach, in a line for each kind; and what of it can be taken back, as a bar and in words. */
export function Touches({ facts }: { readonly facts: WorkflowFacts }): JSX.Element {
  const { touches_rows: rows, undo, machines } = facts;
  return (
    <>
      <section>
        <h3>What it can touch</h3>
        {rows.length === 0 && <p class="faint">Nothing outside of itself.</p>}
        <dl class="workflow-rows">
          {rows.map(({ name, text, is_problem }) => (
            <div key={text}>
              <dt>{name}</dt>
              <dd class={is_problem && "problem"}>
                <WithCode text={text} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <h3>What undo covers</h3>
        <div
          class="workflow-undo"
          role="img"
          aria-label={undo.map(({ count, says }) => `${plural(count, "block")} ${says}`).join(", ")}
        >
          {undo.map(({ kind, count }) => (
            <i key={kind} class={kind} style={{ flexGrow: count }} />
          ))}
        </div>
        <dl class="workflow-rows">
          {undo.map(({ kind, count, says, why }) => (
            <div key={kind}>
              <dt>{plural(count, "block")}</dt>
              <dd>
                {says} <span class="faint">{why}</span>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {machines !== undefined && (
        <section>
          <h3>On which machines, and when</h3>
          {machines.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </section>
      )}
    </>
  );
}

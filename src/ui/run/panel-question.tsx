import type { JSX } from "preact";
import type { PageQuestion } from "../../views/page/page-records.ts";

/** What it asks, and the way to the bar above the graph, where it is answered. */
export function PanelQuestion({ question }: { readonly question: PageQuestion }): JSX.Element {
  const answer = (): void => {
    const bar = document.querySelector<HTMLElement>(".question-bar");
    bar?.scrollIntoView({ block: "nearest" });
    bar?.querySelector<HTMLElement>("button, input, select, textarea")?.focus();
  };
  return (
    <section class="panel-part panel-question" aria-label="Question">
      <p>{question.prompt}</p>
      <button type="button" class="amber small" onClick={answer}>
        Answer
      </button>
      <span class="faint">{question.audience === "human" ? "asks a person" : "a model may answer"}</span>
    </section>
  );
}

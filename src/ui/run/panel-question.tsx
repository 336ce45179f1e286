import type { JSX } from "preact";
import type { PageQuestion } from "../../views/page/page-records.ts";
import { focusAnswer } from "../act/question-bar.tsx";

interface QuestionProps {
  readonly question: PageQuestion;
  /** Closes the panel. */
  close(): void;
}

/** What it asks, and the way to the bar above the graph, where it is answered. */
export function PanelQuestion({ question, close }: QuestionProps): JSX.Element {
  const answer = (): void => {
    // As a drawer the panel would cover it; as in run-view.css.
    if (matchMedia("(max-width: 1180px)").matches) close();
    focusAnswer();
  };
  return (
    <section class="panel-part panel-question" aria-label="Question">
      <p>{question.prompt}</p>
      <button type="button" class="amber small" onClick={answer}>
        Answer
      </button>
      <span class="faint">{question.asks}</span>
    </section>
  );
}

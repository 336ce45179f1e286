import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { PageButton } from "../../views/page/act-records.ts";
import type { PageQuestion, RunHead } from "../../views/page/page-records.ts";
import { useApp, useNow } from "../app-context.ts";
import { Copy } from "../look/copy.tsx";
import { formatDuration, formatTime } from "../look/format.ts";
import { Glyph } from "../look/glyph.tsx";
import { Link } from "../look/link.tsx";
import { Sentence } from "../look/sentence.tsx";
import { placeOfBlock } from "../place.ts";
import { useKeys } from "../shell/keys.ts";
import { type FieldProblems, Fields, fillFields, readFields } from "./fields.tsx";
import { Refusal, WithCode } from "./refusal.tsx";
import { sortProblems } from "./sort-problems.ts";
import { asProblem, useAct } from "./use-act.ts";
import "./question-bar.css";

/** All that a run asks, one below the other; the first is open. */
export function QuestionBar({ head }: { readonly head: RunHead }): JSX.Element | null {
  const bar = useRef<HTMLElement>(null);
  useKeys({
    a(event) {
      event.preventDefault();
      focusAnswer(bar.current);
    },
  });
  if (head.questions.length === 0) return null;
  return (
    <section ref={bar} class="question-bar" aria-label="Questions">
      {head.questions.map((question, index) => (
        <Question key={question.id} question={question} head={head} isFirst={index === 0} />
      ))}
    </section>
  );
}

/** Where the answer is entered; it comes into sight. */
export function focusAnswer(bar: HTMLElement | null = document.querySelector<HTMLElement>(".question-bar")): void {
  const isFolded = bar?.querySelector("form") === null;
  if (isFolded) bar?.querySelector<HTMLElement>(".question-fold")?.click();
  bar?.scrollIntoView({ block: "nearest" });
  // Where it was folded, its form is there only when the page has been drawn again. Else at once: what is typed next belongs to it.
  if (isFolded) requestAnimationFrame(() => enterAnswer(bar));
  else enterAnswer(bar);
}

function enterAnswer(bar: HTMLElement | null): void {
  bar?.querySelector<HTMLElement>("form :is(input, select, textarea, button)")?.focus();
}

interface QuestionProps {
  readonly question: PageQuestion;
  readonly head: RunHead;
  readonly isFirst: boolean;
}

function Question({ question, head, isFirst }: QuestionProps): JSX.Element {
  const { source } = useApp();
  const [isOpen, setOpen] = useState(isFirst);
  const { id, block, asked_at: at } = question;
  const now = useNow(at !== null);
  return (
    <article class="question" aria-label={`${block} asks`}>
      <header class="question-head">
        <Glyph standing="asks" isSilent />
        <span class="question-who">
          <Link to={placeOfBlock(head.run_id, block)}>{block === "" ? head.workflow : block}</Link> {question.asks}
        </span>
        {at !== null && (
          <span class="times question-since">
            since {formatTime(at, now)}, {formatDuration(Math.max(0, now - Date.parse(at)))}
          </span>
        )}
        {!isOpen && (
          <span class="question-short">
            <WithCode text={question.title} />
          </span>
        )}
        <span class="question-command">
          <Copy text={`frond resume ${id}`} label="Copy the command that answers it in a terminal" />
        </span>
        <button
          type="button"
          class={isOpen ? "question-fold" : "question-fold amber"}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Later" : "Answer"}
        </button>
      </header>
      {isOpen && (
        <div class="question-body">
          <About question={question} head={head} />
          {source.isLive && <AnswerCard question={question} runId={head.run_id} />}
        </div>
      )}
    </article>
  );
}

const mostNames = 6;

/** What is asked, and what somebody needs to know to answer it. */
function About({ question, head }: Omit<QuestionProps, "isFirst">): JSX.Element {
  const { title, more, about, waiting } = question;
  const { spend, failures, run_id: runId } = head;
  return (
    <div class="question-about">
      <h2>
        <WithCode text={title} />
      </h2>
      {more !== "" && <p class="question-more">{more}</p>}
      {about === "budget" && spend !== undefined && (
        <p>
          Spent so far: <b>{spend.text}</b>
          {spend.most !== undefined && ` of ${spend.most}`}.
        </p>
      )}
      {failures.slice(0, mostNames).map(({ address, message }) => (
        <p key={address} class="question-failure">
          <Glyph standing="failed" /> <Link to={placeOfBlock(runId, address)}>{address}</Link> {message}
        </p>
      ))}
      {waiting !== undefined && (
        <p class="faint">
          <Sentence text={waiting} runId={runId} />
        </p>
      )}
    </div>
  );
}

function AnswerCard({ question, runId }: { readonly question: PageQuestion; readonly runId: string }): JSX.Element {
  const { source, announce } = useApp();
  const { fields, buttons } = question.form;
  const [values, setValues] = useState(() => fillFields(fields));
  const [problems, setProblems] = useState<FieldProblems>({});
  const [sent, setSent] = useState("");
  const { isBusy, problem, act } = useAct();
  const send = ({ takes_fields, name, value, label }: PageButton): void => {
    const read = takes_fields ? readFields(fields, values) : { ok: true as const, value };
    setProblems(read.ok ? {} : read.problems);
    if (!read.ok) return;
    act(async () => {
      try {
        const answer = name === undefined ? read.value : { ...(read.value as object), [name]: value };
        await source.post(`/runs/${encodeURIComponent(runId)}/answers`, { question: question.id, answer });
      } catch (error) {
        setProblems(sortProblems(asProblem(error), fields).fields);
        throw error;
      }
      const told = `${label}: answered as web page.`;
      setSent(told);
      announce(told);
    });
  };
  const [primary] = buttons;
  return (
    <form
      class="question-form"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || primary === undefined) return;
        event.preventDefault();
        send(primary);
      }}
    >
      <Fields fields={fields} values={values} problems={problems} change={setValues} />
      {Object.keys(problems).length === 0 && <Refusal problem={problem} />}
      <div class="question-buttons">
        {buttons.map((button) => (
          <button
            key={button.label}
            type="button"
            class={button === primary ? "primary" : ""}
            title={button.means}
            onClick={() => send(button)}
          >
            {button.label}
          </button>
        ))}
        <span class="faint question-as">
          {sent !== "" ? sent : isBusy ? "Sending..." : "as web page"} · <kbd>Ctrl</kbd> <kbd>↵</kbd>
        </span>
      </div>
      <Meanings buttons={buttons} />
    </form>
  );
}

/** What follows from each button, where that is not plain. */
function Meanings({ buttons }: { readonly buttons: readonly PageButton[] }): JSX.Element {
  return (
    <dl class="question-means">
      {buttons.map(
        ({ label, means = "" }) =>
          means !== "" && (
            <div key={label}>
              <dt>{label}</dt> <dd>{means}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

import type { ComponentChildren, JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type Field, Fields, type FieldValues, fillFields, readFields } from "../act/fields.tsx";
import { useApp } from "../app-context.ts";
import type { ApiProblem } from "../data/source.ts";
import { type Forecast, ForecastView } from "./forecast.tsx";
import { givenInputs } from "./given-inputs.ts";
import { type Said, sortProblems } from "./sort-problems.ts";
import "./start-form.css";

/** What would be started as the form stands. */
export interface FormState {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly budget?: number;
}

interface StartFormProps {
  readonly fields: readonly Field[];
  /** What is run: its name, or its text. */
  readonly target: { readonly workflow: string } | { readonly workflow_yaml: string };
  /** Why it can't be run now. */
  readonly hindrance?: ComponentChildren;
  /** Hears of every change, with what could be read. */
  changed?(state: FormState): void;
}

const budgetField = "budget";
const nothingSaid: Said = { fields: {}, others: [] };

/** Starts a workflow, or tells what it would do. What the server finds wrong stands below the field that it is about. */
export function StartForm({ fields, target, hindrance, changed }: StartFormProps): JSX.Element {
  const { source, go, announce } = useApp();
  const [entered, setEntered] = useState<FieldValues>({});
  const [budget, setBudget] = useState("");
  const [said, setSaid] = useState<Said>(nothingSaid);
  const [isBusy, setBusy] = useState(false);
  const [forecast, setForecast] = useState<Forecast>();
  const values = useMemo(() => ({ ...fillFields(fields), ...entered }), [fields, entered]);

  const readable = (all: FieldValues): Readonly<Record<string, unknown>> =>
    Object.assign(
      {},
      ...fields.map((field) => {
        const read = readFields([field], all);
        return read.ok ? read.value : {};
      }),
    );
  const tell = (all: FieldValues, limit: string): void => {
    const usd = readBudget(limit);
    changed?.({ inputs: givenInputs(fields, readable(all)), ...(usd === undefined ? {} : { budget: usd }) });
  };
  const start = async (isDry: boolean): Promise<void> => {
    if (isBusy) return;
    const read = readFields(fields, values);
    const usd = readBudget(budget);
    const isBudgetWrong = budget.trim() !== "" && usd === undefined;
    if (!read.ok || isBudgetWrong) {
      const wrong = isBudgetWrong ? { [budgetField]: "Write an amount in dollars, such as 2.50." } : {};
      const own = { ...(read.ok ? {} : read.problems), ...wrong };
      setSaid({ fields: own, others: [] });
      announce("Not started: look at the fields.");
      // What the server would refuse is told at once, too: nothing is started by this.
      const body = { ...target, inputs: givenInputs(fields, readable(values)), dry_run: true };
      const found = await source.post("/runs", body).then(
        () => nothingSaid,
        (error: ApiProblem) => sortProblems(error, fields),
      );
      setSaid({ fields: { ...found.fields, ...own }, others: found.others });
      return;
    }
    setBusy(true);
    setSaid(nothingSaid);
    setForecast(undefined);
    try {
      const given = givenInputs(fields, read.value as Readonly<Record<string, unknown>>);
      const limit = usd === undefined ? {} : { budget_usd: usd };
      const body = { ...target, inputs: given, ...limit, ...(isDry ? { dry_run: true } : {}) };
      const answer = await source.post<{ readonly run_id: string } | Forecast>("/runs", body);
      if ("run_id" in answer) go({ view: "run", runId: answer.run_id, level: "" });
      else {
        setForecast(answer);
        announce("This is what it would do.");
      }
    } catch (error) {
      const found = sortProblems(error as ApiProblem, fields);
      setSaid(found);
      announce(`Not started. ${found.others.join(" ")}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="start-form"
      onSubmit={(event) => {
        event.preventDefault();
        void start(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
        event.preventDefault();
        void start(false);
      }}
    >
      <Fields
        fields={fields}
        values={values}
        problems={said.fields}
        change={(next) => {
          setEntered(next);
          tell(next, budget);
        }}
      />
      <label class="start-form-budget">
        <span>
          Budget <span class="faint">in dollars; it pauses and asks when this is spent · optional</span>
        </span>
        <input
          value={budget}
          inputmode="decimal"
          placeholder="no limit of its own"
          aria-invalid={said.fields[budgetField] !== undefined}
          onInput={(event) => {
            setBudget(event.currentTarget.value);
            tell(values, event.currentTarget.value);
          }}
        />
      </label>
      {said.fields[budgetField] !== undefined && <p class="problem">{said.fields[budgetField]}</p>}
      {hindrance}
      {said.others.map((message) => (
        <p key={message} class="problem">
          {message}
        </p>
      ))}
      <div class="start-form-buttons">
        <button type="submit" class="primary" aria-busy={isBusy}>
          {isBusy ? "Starting..." : "Run"}
        </button>
        <button type="button" onClick={() => void start(true)}>
          Run dry
        </button>
        <span class="faint">Ctrl or ⌘ Enter runs it</span>
      </div>
      {forecast !== undefined && <ForecastView forecast={forecast} close={() => setForecast(undefined)} />}
    </form>
  );
}

function readBudget(text: string): number | undefined {
  const usd = Number(text.trim().replace(/^\$/, ""));
  return text.trim() !== "" && Number.isFinite(usd) && usd > 0 ? usd : undefined;
}

import type { ComponentChildren, JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { WorkflowFacts } from "../../views/page/workflow-records.ts";
import { Fields, type FieldValues, fillFields, readFields } from "../act/fields.tsx";
import { type Said, sortProblems } from "../act/sort-problems.ts";
import { useApp } from "../app-context.ts";
import type { ApiProblem } from "../data/source.ts";
import { type Forecast, ForecastView } from "./forecast.tsx";
import { givenInputs } from "./given-inputs.ts";
import "./start-form.css";

/** What would be started as the form stands. */
export interface FormState {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly budget?: number;
}

interface StartFormProps {
  readonly facts: WorkflowFacts;
  /** What is run: its name, or its text. */
  readonly target: { readonly workflow: string } | { readonly workflow_yaml: string };
  /** Why it can't be run now. */
  readonly hindrance?: ComponentChildren;
  /** Hears of every change, with what could be read. */
  changed?(state: FormState): void;
}

const nothingSaid: Said = { fields: {}, others: [] };

/** Starts a workflow, or tells what it would do. What the server finds wrong stands below the field that it is about. */
export function StartForm({ facts, target, hindrance, changed }: StartFormProps): JSX.Element {
  const { source, go, announce } = useApp();
  const [entered, setEntered] = useState<FieldValues>({});
  const [said, setSaid] = useState<Said>(nothingSaid);
  const [isBusy, setBusy] = useState(false);
  const [forecast, setForecast] = useState<Forecast>();
  const fields = useMemo(() => [...facts.fields, facts.budget_field], [facts]);
  const values = useMemo(() => ({ ...fillFields(fields), ...entered }), [fields, entered]);

  /** As far as it can be read. */
  const take = (all: FieldValues): FormState => {
    const read = fields.map((field) => readFields([field], all));
    const found: Readonly<Record<string, unknown>> = Object.assign({}, ...read.map((one) => (one.ok ? one.value : {})));
    const { [facts.budget_field.name]: budget, ...inputs } = found;
    const limit = typeof budget === "number" ? { budget } : {};
    return { inputs: givenInputs(fields, inputs), ...limit };
  };
  const start = async (isDry: boolean): Promise<void> => {
    if (isBusy) return;
    const read = readFields(fields, values);
    const { inputs, budget } = take(values);
    const body = { ...target, inputs, ...(budget === undefined ? {} : { budget_usd: budget }) };
    if (!read.ok) {
      setSaid({ fields: read.problems, others: [] });
      announce("Not started: look at the fields.");
      // What the server would refuse is told at once, too: nothing is started by this.
      const found = await source.post("/runs", { ...body, dry_run: true }).then(
        () => nothingSaid,
        (error: ApiProblem) => sortProblems(error, fields),
      );
      setSaid({ fields: { ...found.fields, ...read.problems }, others: found.others });
      return;
    }
    setBusy(true);
    setSaid(nothingSaid);
    setForecast(undefined);
    try {
      const asked = isDry ? { ...body, dry_run: true } : body;
      const answer = await source.post<{ readonly run_id: string } | Forecast>("/runs", asked);
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
          changed?.(take(next));
        }}
      />
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

import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { PageField as Field } from "../../views/page/act-records.ts";
import type { FieldProblems, FieldValues } from "./field.ts";
import "./fields.css";

export type { PageField as Field } from "../../views/page/act-records.ts";
export { type FieldProblems, type FieldValues, fillFields, readFields } from "./field.ts";

interface FieldsProps {
  readonly fields: readonly Field[];
  readonly values: FieldValues;
  readonly problems: FieldProblems;
  change(values: FieldValues): void;
}

/** A form for answers and for inputs. What is wrong with a field stands below it. */
export function Fields({ fields, values, problems, change }: FieldsProps): JSX.Element {
  return (
    <div class="fields">
      {fields.map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          problem={problems[field.name]}
          change={(value) => change({ ...values, [field.name]: value })}
        />
      ))}
    </div>
  );
}

interface FieldRowProps {
  readonly field: Field;
  readonly value: string | boolean;
  readonly problem: string | undefined;
  change(value: string | boolean): void;
}

function FieldRow({ field, value, problem, change }: FieldRowProps): JSX.Element {
  const id = useId();
  const { label, kind, description, limits, required } = field;
  const hints = [description, limits, required || kind === "boolean" ? undefined : "optional"];
  const hint = hints.filter((part) => part !== undefined).join(" · ");
  const about = { id, "aria-invalid": problem !== undefined, "aria-describedby": `${id}-hint ${id}-problem` };
  const told = (
    <span class="fields-hint" id={`${id}-hint`}>
      {hint}
    </span>
  );
  return (
    <div class={`fields-row ${kind}`}>
      {kind === "boolean" ? (
        <label class="fields-box">
          <input
            {...about}
            type="checkbox"
            checked={value === true}
            onChange={(e) => change(e.currentTarget.checked)}
          />
          <span>
            {label} {told}
          </span>
        </label>
      ) : (
        <>
          <label for={id}>
            {label} {told}
          </label>
          <Control field={field} value={String(value)} about={about} change={change} />
        </>
      )}
      <p class="fields-problem problem" id={`${id}-problem`} aria-live="polite">
        {problem}
      </p>
    </div>
  );
}

interface ControlProps {
  readonly field: Field;
  readonly value: string;
  readonly about: Readonly<Record<string, string | boolean>>;
  change(value: string): void;
}

function Control({ field, value, about, change }: ControlProps): JSX.Element {
  const { kind, choices = [], placeholder = "", required } = field;
  if (kind === "choice") {
    const isOpen = !required || value === "";
    return (
      <select {...about} value={value} onChange={(event) => change(event.currentTarget.value)}>
        {isOpen && <option value="">{required ? "Choose..." : "not given"}</option>}
        {choices.map((choice) => (
          <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
            {wordChoice(choice)}
          </option>
        ))}
      </select>
    );
  }
  const common = { ...about, value, placeholder, spellcheck: false };
  if (kind === "multiline" || kind === "json") {
    return <textarea {...common} rows={1} onInput={(event) => change(event.currentTarget.value)} />;
  }
  const mode = kind === "text" ? "text" : "decimal";
  return <input {...common} inputmode={mode} onInput={(event) => change(event.currentTarget.value)} />;
}

/** A choice as people read it. */
function wordChoice(choice: unknown): string {
  if (typeof choice === "boolean") return choice ? "yes" : "no";
  return typeof choice === "string" ? choice : JSON.stringify(choice);
}

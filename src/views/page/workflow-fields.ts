import type { PageField as Field, PageInput } from "./act-records.ts";
import type { WorkflowInput } from "./workflow-records.ts";

/** What a workflow takes, as a form has it. A default that only a run knows is a hint, and nothing to start with. */
export function fieldsOfInputs(inputs: readonly WorkflowInput[]): readonly Field[] {
  return inputs.map(({ name, type, description, required, default: usual, choices, limits, secret }) => {
    const isComputed = typeof usual === "string" && usual.includes("${");
    const kind = choices === undefined ? kindOf(type, usual) : "choice";
    return {
      name,
      label: name,
      kind: secret === true ? "text" : kind,
      required,
      ...(description === undefined ? {} : { description }),
      ...(choices === undefined ? {} : { choices }),
      ...(limits === undefined ? {} : { limits }),
      ...(usual === undefined || isComputed ? {} : { default: usual }),
      ...(isComputed ? { placeholder: String(usual) } : {}),
    };
  });
}

export const budgetField: Field = {
  name: "--max-cost",
  label: "Budget",
  kind: "number",
  required: false,
  description: "in dollars; it pauses and asks when this is spent",
  placeholder: "no limit of its own",
};

function kindOf(type: string, usual: unknown): Field["kind"] {
  if (type === "string") return typeof usual === "string" && usual.includes("\n") ? "multiline" : "text";
  return type === "integer" || type === "number" || type === "boolean" ? type : "json";
}

const kinds: Readonly<Record<string, Field["kind"]>> = {
  string: "multiline",
  integer: "integer",
  number: "number",
  boolean: "boolean",
};

/** An input of a run before, to be changed. */
export function fieldOfGiven({ name, type, description, enum: choices, value }: PageInput): Field {
  const isOpen = type === "boolean" && value === undefined;
  return {
    name,
    label: name,
    // What nobody gives is as it was.
    required: false,
    kind: choices !== undefined || isOpen ? "choice" : (kinds[type] ?? "json"),
    ...(choices !== undefined || isOpen ? { choices: choices ?? [true, false] } : {}),
    ...(description === undefined ? {} : { description }),
    ...(value === undefined ? {} : { default: value }),
  };
}

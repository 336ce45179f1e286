import type { WorkflowInput } from "../../views/page/workflow-records.ts";
import type { Field } from "../act/fields.tsx";

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

function kindOf(type: string, usual: unknown): Field["kind"] {
  if (type === "string") return typeof usual === "string" && usual.includes("\n") ? "multiline" : "text";
  return type === "integer" || type === "number" || type === "boolean" ? type : "json";
}

/** Without what is as the workflow has it by itself: what is told of a start is what was chosen. */
export function givenInputs(
  inputs: readonly WorkflowInput[],
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const usual = new Map(inputs.map((input) => [input.name, JSON.stringify(input.default)]));
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => usual.get(name) !== JSON.stringify(value)),
  );
}

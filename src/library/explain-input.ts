import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { InputProblem } from "../engine/bind-inputs.ts";

/** What is wrong with an input that was given, or was not, for any door. */
export function explainInput({ input, ...found }: InputProblem): Diagnostic {
  const advice = found.code === "missing-input" ? ({ advice: { kind: "give-input", input } } as const) : {};
  return { level: "error", ...found, ...advice };
}

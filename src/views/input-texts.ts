import type { RunNode } from "../engine/run-node.ts";
import { WorkflowScope } from "../engine/scope.ts";
import { evaluate } from "../expression/evaluate.ts";
import type { Value } from "../expression/value.ts";

/** An input in a language of its own, such as a shell command, as the file says it. */
export interface InputText {
  readonly text: string;
  /** What each `${...}` in it stood for, in the order in which they stand there. */
  readonly values: readonly ReferencedValue[];
}

export interface ReferencedValue {
  /** As it is written. */
  readonly reference: string;
  readonly value: Value;
  /** It was made part of the text itself. */
  readonly is_pasted?: true;
}

/**
 * By name, those inputs of a block whose values never become part of their text: a text with the values pasted in would look as if they
 * had. The values are found once more, and told only where they give what was recorded. A secret stays its reference.
 */
export function describeInputTexts(node: RunNode, runId: string): Readonly<Record<string, InputText>> {
  const texts: Record<string, InputText> = {};
  for (const [name, { value: template }] of node.block?.definition.inputs ?? []) {
    if (template.kind !== "compiled") continue;
    const { compiled, text } = template;
    const scope = WorkflowScope.ofBlock(node, runId);
    const resolved = compiled.resolve(scope);
    if (!resolved.ok || resolved.value.shown !== node.record.inputs[name]) continue;
    const pasted = new Set(compiled.pasted?.map(({ start }) => start));
    texts[name] = {
      text: text.text,
      values: compiled.expressions.flatMap(({ expression, start, end }) => {
        const value = evaluate(expression, scope);
        if (!value.ok) return [];
        const reference = text.text.slice(start, end);
        return [{ reference, value: value.value, ...(pasted.has(start) ? { is_pasted: true as const } : {}) }];
      }),
    };
  }
  return texts;
}

import { isList, isMap, type Value, type ValueMap } from "../expression/value.ts";
import type { ExecutionData, QuestionData } from "./response.ts";

/** Shorter texts cost less than the words that would stand for them. */
const leastCharacters = 200;

/**
 * Records without the long texts that a question quotes, such as a diff that is to be approved, and without the question itself
 * among the inputs of its block: all of that is in the prompt already.
 */
export function omitQuoted(
  blocks: Readonly<Record<string, ExecutionData>>,
  questions: readonly QuestionData[],
): Readonly<Record<string, ExecutionData>> {
  const prompts = questions.map(({ prompt }) => prompt).filter(({ length }) => length >= leastCharacters);
  return prompts.length === 0 ? blocks : omitIn(blocks, prompts);
}

function omitIn(
  blocks: Readonly<Record<string, ExecutionData>>,
  prompts: readonly string[],
): Record<string, ExecutionData> {
  return Object.fromEntries(
    Object.entries(blocks).map(([key, record]) => {
      // Of blocks that are only named there is nothing to say.
      if (record.metadata === undefined) return [key, record];
      const { inputs, outputs, blocks: inside } = record;
      const shown = { ...record, inputs: withoutQuoted(inputs, prompts), outputs: withoutQuoted(outputs, prompts) };
      return [key, inside === undefined ? shown : { ...shown, blocks: omitIn(inside, prompts) }];
    }),
  );
}

function withoutQuoted<V extends Value | ValueMap>(value: V, prompts: readonly string[]): V;
function withoutQuoted(value: Value, prompts: readonly string[]): Value {
  if (typeof value === "string") return isQuoted(value, prompts) ? "(in the prompt)" : value;
  if (isList(value)) return value.map((one) => withoutQuoted(one, prompts));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutQuoted(one, prompts)]));
}

function isQuoted(text: string, prompts: readonly string[]): boolean {
  if (text.length < leastCharacters) return false;
  const trimmed = text.trim();
  return trimmed.length >= leastCharacters && prompts.some((prompt) => prompt.includes(trimmed));
}

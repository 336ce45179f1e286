import { describeValue, formatValue } from "../expression/format-value.ts";
import { toValue, type Value, type ValueMap } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";
import { compileAnswerSchema } from "./answer-schema.ts";
import type { Question } from "./define-block.ts";

/**
 * The answer as the block will get it, or why it can't be taken; the question then stays open. Without a schema it is text, in
 * whatever form it was given: conditions compare it with text, and the number 2 must not slip past all of them.
 */
export function checkAnswer(question: Question, answer: Value): Result<Value, string> {
  const empty = answer === null || answer === "";
  const given = empty && question.default !== undefined ? question.default : answer;
  if (question.schema !== undefined) return checkAgainstSchema(question.schema, given);
  const text = formatValue(given);
  return question.choices === undefined ? ok(text) : checkChoice(question.choices, text);
}

function checkChoice(choices: readonly string[], given: string): Result<Value, string> {
  if (choices.includes(given)) return ok(given);
  return err(`The answer must be exactly one of: ${choices.join(", ")}. It is ${describeValue(given)}.`);
}

function checkAgainstSchema(schema: ValueMap, given: Value): Result<Value, string> {
  const check = compileAnswerSchema(schema);
  if (!check.ok) return check;
  const candidates = typeof given === "string" ? [...parsedJson(given), given] : [given];
  let problems: readonly string[] = [];
  for (const candidate of candidates) {
    const found = check.value(candidate);
    if (found.length === 0) return ok(candidate);
    if (problems.length === 0) problems = found;
  }
  return err(`The answer does not fit: ${problems.join("; ")}.`);
}

function parsedJson(text: string): Value[] {
  try {
    const value = toValue(JSON.parse(text));
    return value.ok ? [value.value] : [];
  } catch {
    return [];
  }
}

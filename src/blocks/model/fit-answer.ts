import { type AnswerCheck, compileAnswerSchema } from "../../block/answer-schema.ts";
import { BlockCannotRun } from "../../block/define-block.ts";
import { toValue, type Value, type ValueMap } from "../../expression/value.ts";
import { err, ok, type Result } from "../../util/result.ts";

/** What an answer has to be: told to the model before, checked after. */
export interface AnswerShape {
  /** For the system prompt. */
  readonly instructions: string;
  /** The value, or what does not fit. */
  check(text: string): Result<Value, string>;
}

export function shapeOf(schema: ValueMap): AnswerShape {
  const check = compileAnswerSchema(schema);
  if (!check.ok) throw new BlockCannotRun(`The schema of the answer can't be used: ${check.error}.`);
  return { instructions: instructionsFor(schema), check: (text) => checkText(text, check.value) };
}

export function instructionsFor(schema: ValueMap): string {
  return (
    "Answer with one JSON value and nothing else: no text around it, no code fence. " +
    `It must fit this JSON Schema:\n${JSON.stringify(schema)}`
  );
}

/** Enough to see what is wrong, and a bound for what the second round costs. */
const longestProblems = 2000;

/** What a model is told about an answer that did not fit. */
export function repairRequest(problems: string): string {
  return `This does not fit the JSON Schema: ${shorten(problems)}. Answer again, with the corrected JSON value alone.`;
}

function shorten(text: string): string {
  return text.length > longestProblems ? `${text.slice(0, longestProblems)}...` : text;
}

/** The longest that such a request can be, for estimates. */
export const longestRepairRequest: string = repairRequest("€".repeat(longestProblems + 1));

function checkText(text: string, check: AnswerCheck): Result<Value, string> {
  const value = readJson(text);
  if (!value.ok) return value;
  const problems = check(value.value);
  return problems.length === 0 ? value : err(shorten(problems.join("; ")));
}

/** Models like to put JSON into a code fence, whatever they are told. */
function readJson(text: string): Result<Value, string> {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/i.exec(text)?.[1];
  try {
    const value = toValue(JSON.parse(fenced ?? text));
    return value.ok ? ok(value.value) : err(`the answer can't be used: ${value.error}`);
  } catch (error) {
    return err(`the answer is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

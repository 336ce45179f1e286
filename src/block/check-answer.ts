import * as z from "zod";
import { describeValue } from "../expression/format-value.ts";
import { isMap, toValue, type Value, type ValueMap } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { PromptRequest } from "./define-block.ts";
import { explainIssue, issuePath } from "./explain-issues.ts";

/** The answer as the block will get it, or why it can't be taken; the question then stays open. */
export function checkAnswer(prompt: PromptRequest, answer: Value): Result<Value, string> {
  const empty = answer === null || answer === "";
  const given = empty && prompt.default !== undefined ? prompt.default : answer;
  if (prompt.schema !== undefined) return checkAgainstSchema(prompt.schema, given);
  if (prompt.choices !== undefined) return checkChoice(prompt.choices, given);
  return ok(typeof given === "string" ? given : given === null ? "" : given);
}

function checkChoice(choices: readonly string[], given: Value): Result<Value, string> {
  if (typeof given === "string" && choices.includes(given)) return ok(given);
  return err(`The answer must be exactly one of: ${choices.join(", ")}. It is ${describeValue(given)}.`);
}

function checkAgainstSchema(schema: ValueMap, given: Value): Result<Value, string> {
  const compiled = compileAnswerSchema(schema);
  if (!compiled.ok) return compiled;
  const candidates = typeof given === "string" ? [...parsedJson(given), given] : [given];
  let problem = "";
  for (const candidate of candidates) {
    const checked = compiled.value.safeParse(candidate);
    if (checked.success) return ok(candidate);
    problem ||= checked.error.issues.map((issue) => `answer${issuePath(issue.path)} ${explainIssue(issue)}`).join("; ");
  }
  return err(`The answer does not fit: ${problem}.`);
}

function parsedJson(text: string): Value[] {
  try {
    const value = toValue(JSON.parse(text));
    return value.ok ? [value.value] : [];
  } catch {
    return [];
  }
}

/** A JSON Schema ready to check answers with, or why it can't be one. */
export function compileAnswerSchema(schema: ValueMap): Result<z.ZodType, string> {
  if (usesPattern(schema)) {
    return err(
      "`pattern` is not supported in an answer's schema: check the answer with regex_match in a condition instead",
    );
  }
  try {
    return ok(z.fromJSONSchema(JSON.parse(JSON.stringify(schema)) as Parameters<typeof z.fromJSONSchema>[0]));
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

// The schema compiler would run patterns on the built-in engine, where a hostile one can take for ever.
function usesPattern(value: Value): boolean {
  if (Array.isArray(value)) return value.some(usesPattern);
  if (!isMap(value)) return false;
  if (typeof value.pattern === "string" || isMap(value.patternProperties ?? null)) return true;
  return Object.values(value).some(usesPattern);
}

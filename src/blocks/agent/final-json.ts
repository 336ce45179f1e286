import type { Value, ValueMap } from "../../expression/value.ts";
import type { Result } from "../../util/result.ts";
import { instructionsFor, shapeOf } from "../model/fit-answer.ts";

/** What is added to a prompt for a program that can't be told of a schema. */
export function askForJson(schema: ValueMap): string {
  return `\n\nWhen you are done: ${instructionsFor(schema)}\n`;
}

/** Agents like to say something before it. */
const lastFence = /```(?:json)?\s*\n(?:(?!```)[\s\S])*```\s*$/i;

/** The data of a final answer, if it fits; some programs give it as data already. */
export function readFinalJson(schema: ValueMap, text: string, given: Value | undefined): Result<Value, string> {
  const written = given === undefined ? (lastFence.exec(text)?.[0] ?? text) : JSON.stringify(given);
  return shapeOf(schema).check(written);
}

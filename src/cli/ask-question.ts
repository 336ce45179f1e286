import { formatValue } from "../expression/format-value.ts";
import { isList, type Value } from "../expression/value.ts";
import type { QuestionData } from "../views/response.ts";
import { askForChoice, askForText, tell, tellProblem } from "./prompts.ts";
import type { Terminal } from "./terminal.ts";

/** Asks one of the questions a run waits for, until an answer fits. Nothing when the person gives up, or the signal does. */
export async function askQuestion(
  question: QuestionData,
  refuseAnswer: (answer: Value) => string | undefined,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<{ readonly answer: Value } | undefined> {
  const lines = question.prompt.trim().split("\n");
  const message = lines.pop() ?? "";
  tell(`${question.block} asks`, [...lines, ...describeSchema(question)], terminal.colour);
  const choices = choicesOf(question);
  for (;;) {
    const given =
      choices === undefined
        ? await askForText({ message, signal, ...fallback(question), refuse: refuseAnswer })
        : (await askForChoice({ message, signal, choices: choices.map(option), ...first(question) }))?.value;
    if (given === undefined) return undefined;
    const reason = refuseAnswer(given);
    if (reason === undefined) return { answer: given };
    tellProblem(reason);
  }
}

/** The answers that are possible, where they are so few that they can be listed. */
function choicesOf({ choices, schema }: QuestionData): readonly Value[] | undefined {
  if (choices !== undefined) return choices;
  const listed = schema?.enum;
  if (listed !== undefined && isList(listed)) return listed;
  return schema?.type === "boolean" ? [true, false] : undefined;
}

function option(value: Value): { value: Value; label: string } {
  return { value, label: value === null ? "null" : formatValue(value) };
}

function fallback({ default: value }: QuestionData): { fallback?: string } {
  return value === undefined ? {} : { fallback: formatValue(value) };
}

function first({ default: value }: QuestionData): { first?: Value } {
  return value === undefined ? {} : { first: value };
}

const longestSchema = 300;

function describeSchema(question: QuestionData): string[] {
  if (question.schema === undefined || choicesOf(question) !== undefined) return [];
  const schema = JSON.stringify(question.schema);
  return [`The answer must fit: ${schema.length > longestSchema ? `${schema.slice(0, longestSchema)}…` : schema}`];
}

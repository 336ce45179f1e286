import { checkPendingAnswer } from "../engine/check-pending-answer.ts";
import { type Asking, questionOf } from "../engine/node.ts";
import type { RunState } from "../engine/state.ts";
import { formatValue } from "../expression/format-value.ts";
import { isList, type Value } from "../expression/value.ts";
import { askForChoice, askForText, tell, tellProblem } from "./prompts.ts";
import type { Terminal } from "./terminal.ts";

/** Asks one of the questions a run waits for, until an answer fits. Nothing when the person gives up, or the signal does. */
export async function askQuestion(
  state: RunState,
  id: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<{ readonly answer: Value } | undefined> {
  const node = state.pending.get(id);
  const prompt = node === undefined ? undefined : questionOf(node)?.prompt;
  if (node === undefined || prompt === undefined) return undefined;
  const lines = prompt.text.trim().split("\n");
  const message = lines.pop() ?? "";
  tell(`${node.path} asks`, [...lines, ...describeSchema(prompt)], terminal.colour);

  const refusal = (answer: Value): string | undefined => {
    const checked = checkPendingAnswer(state, id, answer);
    return checked.ok ? undefined : checked.error;
  };
  const choices = choicesOf(prompt);
  for (;;) {
    const given =
      choices === undefined
        ? await askForText({ message, signal, ...fallback(prompt), refuse: refusal })
        : (await askForChoice({ message, signal, choices: choices.map(option), ...first(prompt) }))?.value;
    if (given === undefined) return undefined;
    const reason = refusal(given);
    if (reason === undefined) return { answer: given };
    tellProblem(reason);
  }
}

type Prompt = Asking["prompt"];

/** The answers that are possible, where they are so few that they can be listed. */
function choicesOf({ choices, schema }: Prompt): readonly Value[] | undefined {
  if (choices !== undefined) return choices;
  const listed = schema?.enum;
  if (listed !== undefined && isList(listed)) return listed;
  return schema?.type === "boolean" ? [true, false] : undefined;
}

function option(value: Value): { value: Value; label: string } {
  return { value, label: value === null ? "null" : formatValue(value) };
}

function fallback({ default: value }: Prompt): { fallback?: string } {
  return value === undefined ? {} : { fallback: formatValue(value) };
}

function first({ default: value }: Prompt): { first?: Value } {
  return value === undefined ? {} : { first: value };
}

const longestSchema = 300;

function describeSchema(prompt: Prompt): string[] {
  if (prompt.schema === undefined || choicesOf(prompt) !== undefined) return [];
  const schema = JSON.stringify(prompt.schema);
  return [`The answer must fit: ${schema.length > longestSchema ? `${schema.slice(0, longestSchema)}…` : schema}`];
}

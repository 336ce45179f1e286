import { createRequire } from "node:module";
import { paint } from "../diagnostic/style.ts";
import { formatValue } from "../expression/format-value.ts";
import { isList, type Value } from "../expression/value.ts";
import { checkPendingAnswer } from "../run/check-pending-answer.ts";
import { type Asking, questionOf } from "../run/node.ts";
import type { RunState } from "../run/state.ts";
import type { Terminal } from "./terminal.ts";
import { cleanLine, cleanText } from "./visible-text.ts";

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
  const { isCancel, log, select, text } = loadPrompts();
  const lines = cleanText(prompt.text.trim()).split("\n");
  const message = lines.pop() ?? "";
  const about = [paint(`${cleanLine(node.path)} asks`, "dim", terminal.colour), ...lines, ...describeSchema(prompt)];
  log.message(about.join("\n").trimEnd());

  const refusal = (answer: Value): string | undefined => {
    const checked = checkPendingAnswer(state, id, answer);
    return checked.ok ? undefined : checked.error;
  };
  const choices = choicesOf(prompt);
  for (;;) {
    const given =
      choices === undefined
        ? await text({ message, signal, ...fallback(prompt), validate: (value) => refusal(value ?? "") })
        : await select<Value>({ message, signal, options: choices.map(option), ...initialValue(prompt) });
    if (isCancel(given)) return undefined;
    const reason = refusal(given);
    if (reason === undefined) return { answer: given };
    log.error(reason);
  }
}

/** Loaded on first use, and not with import(): code that comes from a code cache has none in Node 20. */
function loadPrompts(): typeof import("@clack/prompts") {
  return createRequire(import.meta.url)("@clack/prompts") as typeof import("@clack/prompts");
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
  return { value, label: cleanLine(value === null ? "null" : formatValue(value)) };
}

function fallback({ default: value }: Prompt): { placeholder?: string; defaultValue?: string } {
  if (value === undefined) return {};
  const shown = cleanLine(formatValue(value));
  return { placeholder: shown, defaultValue: shown };
}

function initialValue({ default: value }: Prompt): { initialValue?: Value } {
  return value === undefined ? {} : { initialValue: value };
}

const longestSchema = 300;

function describeSchema(prompt: Prompt): string[] {
  if (prompt.schema === undefined || choicesOf(prompt) !== undefined) return [];
  const schema = JSON.stringify(prompt.schema);
  return [`The answer must fit: ${schema.length > longestSchema ? `${schema.slice(0, longestSchema)}…` : schema}`];
}

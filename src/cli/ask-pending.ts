import { createRequire } from "node:module";
import { paint } from "../diagnostic/style.ts";
import { formatValue } from "../expression/format-value.ts";
import { isList, type Value } from "../expression/value.ts";
import type { PendingPrompt } from "../run/node.ts";
import type { Runner } from "../run/runner.ts";
import type { Terminal } from "./terminal.ts";
import { cleanLine, cleanText } from "./visible-text.ts";

/**
 * Asks the first question the run waits for, until an answer fits. Who gives up, with Esc or Ctrl-C, cancels the run; so does
 * the signal. False when there is nothing to ask.
 */
export async function askPending(run: Runner, terminal: Terminal, signal: AbortSignal): Promise<boolean> {
  const [first] = run.state.pending;
  const prompt = first?.[1].pending?.prompt;
  if (first === undefined || prompt === undefined) return false;
  const [id, node] = first;
  const { isCancel, log, select, text } = loadPrompts();
  const lines = cleanText(prompt.text.trim()).split("\n");
  const message = lines.pop() ?? "";
  const about = [paint(`${cleanLine(node.path)} asks`, "dim", terminal.colour), ...lines, ...describeSchema(prompt)];
  log.message(about.join("\n").trimEnd());

  /** Taking the answer is what tells whether it fits, so asking again is left to whoever reads the keys. */
  const refusal = (answer: Value): string | undefined => {
    const answered = run.answer(id, answer, "terminal");
    return answered.ok ? undefined : answered.error;
  };
  const choices = choicesOf(prompt);
  for (;;) {
    const given =
      choices === undefined
        ? await text({ message, signal, ...fallback(prompt), validate: (value) => refusal(value ?? "") })
        : await select<Value>({ message, signal, options: choices.map(option), ...initialValue(prompt) });
    if (isCancel(given)) {
      run.cancel("cancelled", true);
      return true;
    }
    const reason = choices === undefined ? undefined : refusal(given);
    if (reason === undefined) return true;
    log.error(reason);
  }
}

/** Loaded on first use, and not with import(): code that comes from a code cache has none in Node 20. */
function loadPrompts(): typeof import("@clack/prompts") {
  return createRequire(import.meta.url)("@clack/prompts") as typeof import("@clack/prompts");
}

type Prompt = PendingPrompt["prompt"];

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

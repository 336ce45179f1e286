import { createRequire } from "node:module";
import { paint } from "../diagnostic/style.ts";
import type { Value } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { cleanLine, cleanText } from "./visible-text.ts";

/**
 * The only way to the program that asks in a terminal. It writes there by itself, so every text is cleaned here on its way to it.
 */

/** Nothing when the person gives up, or the signal says so. */
export interface AskOptions {
  readonly message: string;
  readonly signal: AbortSignal;
}

/** A question with a line of text for an answer; asks again as long as there is a reason to refuse it. */
export async function askForText(
  options: AskOptions & { readonly fallback?: string; refuse(answer: string): string | undefined },
): Promise<string | undefined> {
  const { isCancel, text } = load();
  const { message, signal, fallback } = options;
  const shown = fallback === undefined ? {} : { placeholder: cleanLine(fallback), defaultValue: cleanLine(fallback) };
  const given = await text({
    message: cleanText(message),
    signal,
    ...shown,
    validate: (value) => clean(options.refuse(value ?? "")),
  });
  return isCancel(given) ? undefined : given;
}

/** A question with some answers to choose from. */
export async function askForChoice(
  options: AskOptions & { readonly choices: readonly { value: Value; label: string }[]; readonly first?: Value },
): Promise<{ readonly value: Value } | undefined> {
  const { isCancel, select } = load();
  const { message, signal, choices, first } = options;
  const given = await select<Value>({
    message: cleanText(message),
    signal,
    options: choices.map(({ value, label }) => ({ value, label: cleanLine(label) })),
    ...defined({ initialValue: first }),
  });
  return isCancel(given) ? undefined : { value: given };
}

/** A question to which nothing but a deliberate yes is one. */
export async function askWhether(message: string): Promise<boolean> {
  const { confirm } = load();
  return (await confirm({ message: cleanText(message), initialValue: false })) === true;
}

/** Lines above a question, with what it is about in the first. */
export function tell(title: string, lines: readonly string[], colour: boolean): void {
  load().log.message([paint(cleanLine(title), "dim", colour), ...lines.map(cleanText)].join("\n").trimEnd());
}

export function tellProblem(message: string): void {
  load().log.error(cleanText(message));
}

function clean(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cleanText(text);
}

/** Loaded on first use, and not with import(): code that comes from a code cache has none in Node 20. */
function load(): typeof import("@clack/prompts") {
  return createRequire(import.meta.url)("@clack/prompts") as typeof import("@clack/prompts");
}

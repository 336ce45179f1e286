import type { Value } from "../expression/value.ts";
import { askForm, bareStage } from "./asking/ask-form.ts";
import type { Choice, Field } from "./asking/form.ts";
import { type CliContext, exitCodes } from "./context.ts";

/**
 * Questions of commands themselves, when nothing else is on the screen. Nothing is the answer of somebody who gives up; whoever
 * interrupts wants out of the command, whatever it would do without an answer.
 */

/** A question to which nothing but a deliberate yes is one. */
export async function askWhether(message: string, context: Asking): Promise<boolean> {
  const choices = [
    { value: true, label: "yes" },
    { value: false, label: "no" },
  ];
  const given = await ask(
    message,
    { kind: "choice", label: "", about: "", choices, first: 1, isAnsweredByLetter: true },
    context,
  );
  return given === true;
}

/** A question with some answers to choose from; `first` is chosen already. */
export async function askForChoice(
  message: string,
  choices: readonly Choice[],
  context: Asking,
  first?: number,
): Promise<Value | undefined> {
  const chosen = first === undefined ? {} : { first };
  return ask(message, { kind: "choice", label: "", about: "", choices, ...chosen }, context);
}

type Asking = Pick<CliContext, "terminal" | "onInterrupt">;

async function ask(message: string, field: Field, { terminal, onInterrupt }: Asking): Promise<Value | undefined> {
  let given: Value | undefined;
  const form = {
    title: message,
    text: "",
    fields: [field],
    keys: () => ["Esc no answer"],
    async submit([value]: readonly (Value | undefined)[]) {
      given = value;
      return undefined;
    },
  };
  const interrupted = new AbortController();
  let code: number = exitCodes.cancelled;
  const stopListening = onInterrupt((interrupt) => {
    if (interrupt === "hang-up") code = exitCodes.hungUp;
    interrupted.abort();
  });
  const end = await askForm(form, bareStage(terminal), terminal, interrupted.signal);
  stopListening();
  if (interrupted.signal.aborted) process.exit(code);
  return end === "answered" ? given : undefined;
}

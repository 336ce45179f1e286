import type { Terminal } from "../terminal.ts";
import { drawForm, drawText, type FormLook } from "./draw-form.ts";
import { emptyForm, type Form, type FormState, pressKey, readForm } from "./form.ts";
import type { Key } from "./keyboard.ts";

/** Lines that stand at the bottom of the screen. */
export type Panel = (look: FormLook) => readonly string[];

/** Where a form is shown. */
export interface Stage {
  /** Draws the panel now, and whenever the screen is drawn, until there is another or none. */
  show(panel: Panel | undefined): void;
}

/** `answered`: what was filled in has been taken. `left`: the person would rather answer later, or not at all, or the signal came. */
export type FormEnd = "answered" | "left";

/** Asks a person, until what is filled in is taken. */
export async function askForm(form: Form, stage: Stage, terminal: Terminal, signal: AbortSignal): Promise<FormEnd> {
  let state: FormState = emptyForm(form);
  const shown = readAbove(form, terminal);
  // Nobody may answer what they can't see yet.
  const keys: Key[] = [];
  let wake = (): void => {};
  const stopListening = await terminal.keyboard.listen((key) => {
    keys.push(key);
    wake();
  });
  const onAbort = (): void => wake();
  signal.addEventListener("abort", onAbort);
  try {
    for (;;) {
      stage.show((look) => drawForm(shown, state, look));
      while (keys.length === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (signal.aborted) return "left";
      const pressed = pressKey(form, state, keys.shift() as Key);
      state = pressed.state;
      if (pressed.end === "leave") return "left";
      if (pressed.end === undefined) continue;
      const values = readForm(form, state);
      if (!values.ok) {
        state = values.error;
        continue;
      }
      const problem = await form.submit(values.value);
      if (problem === undefined) return "answered";
      // What was typed while it was being looked at was not meant for what is wrong with it.
      keys.length = 0;
      state = { ...state, at: fieldNamedIn(problem, form) ?? state.at, problem };
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    stopListening();
    stage.show(undefined);
  }
}

/** A problem names the value that it is about by its path in the answer. */
function fieldNamedIn(problem: string, { fields }: Form): number | undefined {
  const at = fields.findIndex(({ label }) => label !== "" && problem.includes(`answer.${label} `));
  return at === -1 ? undefined : at;
}

/** The share of the screen that a text may take before it is written above, where one can scroll to it. */
const mostOfScreen = 0.5;

/** A text that is too long for the screen is written above it, whole; its last lines stay with the fields. */
function readAbove(form: Form, terminal: Terminal): Form {
  const { columns, rows, colour, unicode } = terminal;
  const lines = drawText(form, { columns, rows, colour, unicode });
  if (lines.length <= Math.max(2, Math.floor(rows * mostOfScreen))) return form;
  terminal.write(`\n${lines.join("\n")}\n\n`);
  const last = form.text.trim().split("\n").at(-1) ?? "";
  return { ...form, text: last };
}

/** The bottom of the screen, with nothing above it but what was written. */
export function bareStage(terminal: Terminal): Stage {
  let shown: Panel | undefined;
  const draw = (): void => {
    const { columns, rows, colour, unicode } = terminal;
    terminal.area.show(shown?.({ columns, rows: Math.max(1, rows - 1), colour, unicode }) ?? []);
  };
  const stopListening = terminal.onResize(draw);
  return {
    show(panel) {
      shown = panel;
      draw();
      if (panel === undefined) stopListening();
    },
  };
}

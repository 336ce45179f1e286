import type { Value } from "../../expression/value.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { editLine, nothingTyped, type TypedText } from "./edit-line.ts";
import type { Key } from "./keyboard.ts";

/** Something to ask a person: a text above, and fields to fill in. */
export interface Form {
  /** Who asks. */
  readonly title: string;
  readonly text: string;
  /** At least one. */
  readonly fields: readonly Field[];
  /** What keys do beside filling it in. */
  keys(): readonly string[];
  /** Takes what was filled in, in the order of the fields; or says what is wrong with it, and the form stays. */
  submit(values: readonly (Value | undefined)[]): Promise<string | undefined>;
}

export type Field = ChoiceField | TextField;

interface CommonField {
  /** Empty where there is only one field. */
  readonly label: string;
  /** What it is about, shown while it is filled in. */
  readonly about: string;
}

export interface ChoiceField extends CommonField {
  readonly kind: "choice";
  readonly choices: readonly Choice[];
  /** The choice that is made already; nothing is where a person is to decide. */
  readonly first?: number;
  /** It may be left open. */
  readonly isOptional?: true;
  /** Whether choosing here chooses the same in all fields after it. */
  readonly isForAll?: true;
  /** Whether the first letter of a choice is the answer already. */
  readonly isAnsweredByLetter?: true;
}

export interface Choice {
  readonly value: Value;
  readonly label: string;
}

export interface TextField extends CommonField {
  readonly kind: "text";
  /** What holds when nothing is typed, shown until then. */
  readonly fallback?: string;
  /** The value that a text stands for; nothing where it is left out. */
  read(text: string): Result<Value | undefined, string>;
}

/** How far a person has come with a form. */
export interface FormState {
  readonly entries: readonly Entry[];
  /** The field that keys go to. */
  readonly at: number;
  readonly problem?: string;
}

export interface Entry {
  readonly typed: TypedText;
  readonly picked?: number;
}

export function emptyForm({ fields }: Form): FormState {
  return {
    entries: fields.map((field) => ({
      typed: nothingTyped,
      ...(field.kind === "choice" && field.first !== undefined ? { picked: field.first } : {}),
    })),
    at: 0,
  };
}

/** What a key does. */
export interface Pressed {
  readonly state: FormState;
  /** It ends the form. */
  readonly end?: "submit" | "leave";
}

export function pressKey(form: Form, state: FormState, key: Key): Pressed {
  const { fields } = form;
  const field = fields[state.at] as Field;
  switch (key.name) {
    case "escape":
      return { state, end: "leave" };
    case "return":
    case "enter":
      if (isAnswer(form, state)) return { state, end: "submit" };
      return { state: moveTo(form, state, state.at + 1) };
    case "tab":
      return { state: moveTo(form, state, state.at + (key.shift ? -1 : 1)) };
  }
  if (fields.length > 1 && (key.name === "up" || key.name === "down"))
    return { state: moveTo(form, state, state.at + (key.name === "up" ? -1 : 1)) };
  if (field.kind === "choice") {
    const chosen = choose(form, state, field, key);
    const isLetter = field.isAnsweredByLetter && key.text !== undefined && chosen !== state;
    return { state: chosen, ...(isLetter ? { end: "submit" } : {}) };
  }
  const typed = editLine((state.entries[state.at] as Entry).typed, key);
  return { state: typed === undefined ? state : change(state, { typed }) };
}

/** Whether Enter ends the form: in its last field, and where one choice was made for all. */
export function isAnswer({ fields }: Form, { at, entries }: FormState): boolean {
  const field = fields[at];
  const isForAll = field?.kind === "choice" && field.isForAll === true && entries[at]?.picked !== undefined;
  return at === fields.length - 1 || isForAll;
}

function moveTo({ fields }: Form, { entries }: FormState, at: number): FormState {
  return { entries, at: Math.min(fields.length - 1, Math.max(0, at)) };
}

/** A form with a single field is a list from top to bottom; else choices stand beside each other. */
function choose(form: Form, state: FormState, { choices, isForAll }: ChoiceField, key: Key): FormState {
  const { picked } = state.entries[state.at] as Entry;
  const index = chosenBy(key, choices, picked);
  if (index === undefined) return state;
  const chosen = change(state, { picked: index });
  if (!isForAll) return chosen;
  const entries = chosen.entries.map((entry, at) =>
    at > state.at && form.fields[at]?.kind === "choice" ? { ...entry, picked: index } : entry,
  );
  return { ...chosen, entries };
}

function chosenBy(key: Key, choices: readonly Choice[], picked: number | undefined): number | undefined {
  const last = choices.length - 1;
  switch (key.name) {
    case "up":
    case "left":
      return picked === undefined ? last : Math.max(0, picked - 1);
    case "down":
    case "right":
      return picked === undefined ? 0 : Math.min(last, picked + 1);
    case "home":
    case "pageup":
      return 0;
    case "end":
    case "pagedown":
      return last;
  }
  const typed = key.text?.toLowerCase();
  if (typed === undefined || typed === "") return undefined;
  // The next one that begins so, and after the last the first again.
  const matching = choices.flatMap(({ label }, index) => (label.toLowerCase().startsWith(typed) ? [index] : []));
  return matching.find((index) => index > (picked ?? -1)) ?? matching[0];
}

function change({ entries, at }: FormState, entry: Partial<Entry>): FormState {
  return { entries: entries.map((before, index) => (index === at ? { ...before, ...entry } : before)), at };
}

/** What was filled in; or the state in which the person is told what is missing. */
export function readForm({ fields }: Form, state: FormState): Result<readonly (Value | undefined)[], FormState> {
  const values: (Value | undefined)[] = [];
  for (const [index, field] of fields.entries()) {
    const entry = state.entries[index] as Entry;
    const problem = (text: string): Result<never, FormState> =>
      err({ entries: state.entries, at: index, problem: text });
    if (field.kind === "choice") {
      const choice = entry.picked === undefined ? undefined : field.choices[entry.picked];
      if (choice === undefined && !field.isOptional) return problem(howToChoose(field));
      values.push(choice?.value);
      continue;
    }
    const read = field.read(entry.typed.text === "" ? (field.fallback ?? "") : entry.typed.text);
    if (!read.ok) return problem(read.error);
    values.push(read.value);
  }
  return ok(values);
}

function howToChoose({ label }: ChoiceField): string {
  return label === "" ? "Nothing is chosen yet." : `Nothing is chosen for ${label} yet.`;
}

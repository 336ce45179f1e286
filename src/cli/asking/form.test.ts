import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Value } from "../../expression/value.ts";
import type { QuestionData } from "../../views/response.ts";
import { widthOf } from "../text/visible-text.ts";
import { drawForm } from "./draw-form.ts";
import { emptyForm, type Form, type FormState, pressKey, readForm } from "./form.ts";
import type { Key } from "./keyboard.ts";
import { fieldsFor } from "./question-form.ts";

function key(name: string, text?: string): Key {
  return { name, ctrl: false, meta: false, shift: false, ...(text === undefined ? {} : { text }) };
}

const [enter, down, right] = [key("return"), key("down"), key("right")];

function question(more: Partial<QuestionData>): QuestionData {
  return { checkpoint_id: "pause_1", block: "ask", prompt: "Which?", audience: "llm", ...more };
}

function formOf(asked: QuestionData): Form {
  const { fields } = fieldsFor(asked);
  return { title: "ask asks", text: asked.prompt, fields, keys: () => ["Esc later"], submit: async () => undefined };
}

/** The answer after these keys, or what the person is told. */
function answer(asked: QuestionData, keys: readonly Key[]): Value | string | undefined {
  const form = formOf(asked);
  let state = emptyForm(form);
  for (const next of keys) {
    const pressed = pressKey(form, state, next);
    state = pressed.state;
    if (pressed.end === "leave") return undefined;
    if (pressed.end === undefined) continue;
    const values = readForm(form, state);
    if (values.ok) return fieldsFor(asked).read(values.value);
    state = values.error;
  }
  return `told: ${state.problem}`;
}

function typing(text: string): Key[] {
  return [...text].map((character) => key("", character));
}

test("of a person's approval nothing is chosen before the person has, whatever the default is", () => {
  const approval = question({ audience: "human", choices: ["yes", "no"], default: "yes" });
  expect(answer(approval, [enter])).toBe("told: Nothing is chosen yet.");
  expect(answer(approval, [down, enter])).toBe("yes");
  expect(answer(approval, [...typing("n"), enter])).toBe("no");
  expect(answer(question({ choices: ["yes", "no"], default: "no" }), [enter])).toBe("no");
  const form = question({
    audience: "human",
    schema: { type: "object", required: ["go"], properties: { go: { type: "boolean", default: true } } },
  });
  expect(answer(form, [enter])).toBe("told: Nothing is chosen for go yet.");
});

test("a map is a form with a field for each of its values, at any depth; what is left empty is left out", () => {
  const schema = {
    type: "object",
    required: ["name", "where"],
    properties: {
      name: { type: "string" },
      replicas: { type: "integer", default: 3 },
      note: { type: "string" },
      where: { type: "object", required: ["region"], properties: { region: { enum: ["eu", "us"] } } },
      steps: { type: "array", items: { enum: ["build", "test"] } },
      loud: { type: "boolean" },
    },
  };
  const keys = [...typing("web"), enter, enter, enter, right, right, enter, ...typing("test, build"), enter, enter];
  expect(answer(question({ schema }), keys)).toEqual({
    name: "web",
    replicas: 3,
    where: { region: "us" },
    steps: ["test", "build"],
  });
});

test("what can't be a number or is no choice is said at once, in the field where it stands", () => {
  const schema = { type: "object", required: ["a"], properties: { a: { type: "number" }, b: { type: "string" } } };
  const form = formOf(question({ schema }));
  const pressed = [...typing("x"), enter].reduce((state, next) => pressKey(form, state, next).state, emptyForm(form));
  expect(readForm(form, pressed)).toMatchObject({ ok: false, error: { at: 0, problem: "'x' is not a number." } });
});

test("a question without choices takes text, and its default when nothing is typed", () => {
  expect(answer(question({ default: "none" }), [enter])).toBe("none");
  expect(answer(question({ default: "none" }), [...typing("some"), enter])).toBe("some");
  expect(answer(question({}), [key("escape")])).toBeUndefined();
});

test("a form is never wider or longer than there is room for", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 200 });
  const anyField = fc.oneof(
    fc.constant({ type: "string", description: "A text" }),
    fc.constant({ type: "integer", minimum: 1 }),
    fc.array(text, { minLength: 1, maxLength: 30 }).map((choices) => ({ enum: choices })),
  );
  fc.assert(
    fc.property(
      fc.record({
        prompt: text,
        properties: fc.dictionary(fc.string({ minLength: 1 }), anyField, { minKeys: 1, maxKeys: 12 }),
        typed: text,
        columns: fc.integer({ min: 12, max: 120 }),
        rows: fc.integer({ min: 1, max: 30 }),
        unicode: fc.boolean(),
      }),
      ({ prompt, properties, typed, columns, rows, unicode }) => {
        const form = formOf(question({ prompt, schema: { type: "object", properties } }));
        const states: FormState[] = [emptyForm(form)];
        for (const next of [...typing(typed), down, right, down]) {
          states.push(pressKey(form, states.at(-1) as FormState, next).state);
        }
        for (const state of [states[0], states.at(-1)] as FormState[]) {
          const lines = drawForm(form, { ...state, problem: prompt }, { columns, rows, colour: true, unicode });
          expect(lines.length).toBeLessThanOrEqual(rows);
          for (const line of lines) expect(widthOf(stripVTControlCharacters(line))).toBeLessThan(columns);
        }
      },
    ),
    { numRuns: 60 },
  );
});

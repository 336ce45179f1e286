import fc from "fast-check";
import { expect, test } from "vitest";
import { editLine, nothingTyped, type TypedText } from "./edit-line.ts";
import type { Key } from "./keyboard.ts";

function key(name: string, more: Partial<Key> = {}): Key {
  return { name, ctrl: false, meta: false, shift: false, ...more };
}

function typing(text: string): Key[] {
  return [...text].map((character) => key("", { text: character }));
}

function press(keys: readonly Key[], from: TypedText = nothingTyped): TypedText {
  return keys.reduce((typed, next) => editLine(typed, next) ?? typed, from);
}

test("what is typed stands at the cursor, which moves and deletes by characters as people see them", () => {
  expect(press([...typing("wb"), key("left"), ...typing("e")])).toEqual({ text: "web", cursor: 2 });
  expect(press([...typing("ab"), key("", { text: "👩‍🚀" }), key("backspace")]).text).toBe("ab");
  expect(press([key("", { text: "e\u0301" }), key("left"), key("delete")]).text).toBe("");
});

test.each([
  [
    "Ctrl-A and Ctrl-E",
    [key("a", { ctrl: true }), ...typing("<"), key("e", { ctrl: true }), ...typing(">")],
    "<one two>",
  ],
  ["Ctrl-W", [key("w", { ctrl: true })], "one "],
  ["Ctrl-U", [key("u", { ctrl: true })], ""],
  ["Ctrl-K", [key("left", { ctrl: true }), key("k", { ctrl: true })], "one "],
  [
    "Alt-B and Alt-F",
    [key("b", { meta: true }), ...typing("x"), key("f", { meta: true }), ...typing("y")],
    "one xtwoy",
  ],
] as const)("%s do what they do in a shell", (_, keys, text) => {
  expect(press([...typing("one two"), ...keys]).text).toBe(text);
});

test("whatever is pressed, the cursor stays inside of the text, between two characters", () => {
  const names = ["left", "right", "home", "end", "backspace", "delete", "up", "f1"];
  const letters = ["a", "b", "d", "e", "f", "h", "k", "u", "w"];
  const anyKey = fc.oneof(
    fc.constantFrom(...names).map((name) => key(name)),
    fc.constantFrom(...letters).map((name) => key(name, { ctrl: true })),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }).map((text) => key("", { text })),
  );
  fc.assert(
    fc.property(fc.array(anyKey, { maxLength: 40 }), (keys) => {
      const { text, cursor } = press(keys);
      const starts = [...new Intl.Segmenter().segment(text)].map(({ index }) => index);
      expect([...starts, text.length]).toContain(cursor);
    }),
  );
});

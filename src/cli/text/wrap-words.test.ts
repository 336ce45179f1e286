import fc from "fast-check";
import { expect, test } from "vitest";
import { widthOf } from "./visible-text.ts";
import { wrapWords } from "./wrap-words.ts";

test("a text is broken between words, and no line is wider than asked for", () => {
  expect(wrapWords("the tests of the engine did not pass", 16)).toEqual(["the tests of the", "engine did not", "pass"]);
});

test("a text that fits stays as it is, blanks between its words included", () => {
  expect(wrapWords("name   value", 12)).toEqual(["name   value"]);
  expect(wrapWords("", 12)).toEqual([""]);
});

test("without a width nothing is broken", () => {
  expect(wrapWords("a ".repeat(500).trim(), Number.POSITIVE_INFINITY)).toHaveLength(1);
});

test("the lines below stand under the text of the first, unless another indent is given", () => {
  expect(wrapWords("one two three", 14, { first: "say: " })).toEqual(["say: one two", "     three"]);
  expect(wrapWords("one two three", 14, { first: "say: ", following: "  " })).toEqual(["say: one two", "  three"]);
});

test("lines of the text itself stay, and so does what is indented or empty in it", () => {
  expect(wrapWords("first\n\n    indented text goes on\nlast", 16, { first: "- " })).toEqual([
    "- first",
    "",
    "      indented",
    "      text goes",
    "      on",
    "  last",
  ]);
});

test("a word that is longer than a line is broken, and nothing of it is lost", () => {
  expect(wrapWords("see https://example.com/a/b now", 12)).toEqual(["see", "https://exam", "ple.com/a/b", "now"]);
});

test("a wide character takes two columns, and text in wide characters is broken between any two of them", () => {
  expect(wrapWords("ビルドに失敗しました", 12)).toEqual(["ビルドに失敗", "しました"]);
  expect(wrapWords("in ビルド ok", 8)).toEqual(["in ビル", "ド ok"]);
});

test("a mark that is written over a character stays with it", () => {
  const word = "e\u0301".repeat(10);
  expect(wrapWords(word, 8)).toEqual(["e\u0301".repeat(8), "e\u0301".repeat(2)]);
});

test("where the indents leave no room, lines are longer rather than a letter each", () => {
  expect(wrapWords("some words here", 5, { first: "    " })).toEqual(["    some", "    words", "    here"]);
});

test("whatever the text and the width, no line is too wide and every character is there in its order", () => {
  const texts = fc.array(fc.constantFrom("a", "word", "ビ", " ", "\n", "longer-than-that", "é"), { maxLength: 40 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 8, max: 30 }), (parts, columns) => {
      const text = parts.join("");
      const lines = wrapWords(text.replaceAll(/^ +/gm, ""), columns);
      expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(/\s/g, ""));
    }),
  );
});

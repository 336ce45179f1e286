import { expect, test } from "vitest";
import { readJsoncAt, readJsoncDocument } from "./read-jsonc.ts";

test.each([
  ["a comma behind the last member", '{"a": [1, 2,],}', { a: [1, 2] }],
  ["comments", '// one\n{"a": /* two */ 1} // three', { a: 1 }],
  ["lines that are broken inside of a text", '{"a": "one\ntwo\r\n\tthree"}', { a: "one\ntwo\r\n\tthree" }],
  ["escapes", '["\\u0041\\n", "\\"", "\\\\"]', ["A\n", '"', "\\"]],
  ["a key called __proto__", '{"__proto__": 1}', JSON.parse('{"__proto__": 1}')],
])("%s can be read", (_, text, value) => {
  const read = readJsoncDocument(text);
  expect(read.ok && read.value.value).toEqual(value);
});

test("a value is read wherever it begins, and tells where it ends", () => {
  const text = 'The plan: {"a": "}"} and more';
  expect(readJsoncAt(text, 10)).toMatchObject({ ok: true, value: { value: { a: "}" }, start: 10, end: 20 } });
  expect(readJsoncAt("[1,\n2 x", 0)).toEqual({ ok: false, error: { message: "line 2 is not valid JSON", at: 6 } });
});

test.each(["[".repeat(100_000), '{"a":'.repeat(100_000)])("what is nested beyond all reason is refused", (text) => {
  expect(readJsoncDocument(text).ok).toBe(false);
});

test("a text of megabytes is read", () => {
  const long = "x\\n".repeat(1_000_000);
  const read = readJsoncDocument(`["${long}",]`);
  expect(read.ok && (read.value.value as string[])[0]?.length).toBe(2_000_000);
});

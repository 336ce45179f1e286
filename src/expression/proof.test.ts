import { expect, test } from "vitest";
import { joinProofs, proveAround, provenBoolean, provenNumber, proveOneOf, provePart, proveValue } from "./proof.ts";

test("a value that is there proves what it is", () => {
  expect(proveValue(5)).toMatchObject({ kind: "integer", dash: false, letters: false, texts: ["5"] });
  expect(proveValue(-5)).toMatchObject({ kind: "integer", dash: true });
  expect(proveValue(2 ** 53)).toMatchObject({ kind: "number" });
  expect(proveValue(0.5)).toMatchObject({ kind: "number", texts: ["0.5"] });
  expect(proveValue(1e21)).toMatchObject({ kind: "number", letters: false });
  expect(proveValue(true)).toMatchObject({ kind: "boolean", texts: ["true"] });
  expect(proveValue("a/b=c,d%")).toMatchObject({ kind: "word", slash: true, equals: true, comma: true, percent: true });
});

test.each(["", " ", "a b", "-c", "a\n", "a;b", "$x", "a'b", "ä", "a\u0000", "~", "a*", "{a}", "[x]", "\\"])(
  "the text %j proves nothing",
  (text) => {
    expect(proveValue(text)).toBeUndefined();
  },
);

test("neither do null, lists and maps", () => {
  for (const value of [null, [], ["a"], { a: 1 }]) expect(proveValue(value)).toBeUndefined();
});

test("of several values only what holds of all of them is proved", () => {
  expect(proveOneOf(["a", "b"])).toMatchObject({ kind: "word", texts: ["a", "b"] });
  expect(proveOneOf(["a", "b c"])).toBeUndefined();
  expect(proveOneOf([])).toBeUndefined();
  expect(joinProofs(provenNumber("integer", 0), provenNumber("number"))).toMatchObject({ kind: "number", dash: true });
  expect(joinProofs(provenNumber("integer", 0), proveValue("a"))).toEqual({
    ...{ kind: "word", dash: false, letters: true, percent: false, equals: false, slash: false, comma: false },
  });
  expect(joinProofs(provenBoolean, undefined)).toBeUndefined();
  const many = Array.from({ length: 50 }, (_, index) => `w${index}`);
  expect(proveOneOf(many)).not.toHaveProperty("texts");
});

test("a part of a value is known only where it can be nothing but a piece of a number", () => {
  expect(provePart(provenNumber("integer", 0))).toMatchObject({ kind: "part", dash: true });
  expect(provePart(proveValue("1.2.3"))).toMatchObject({ kind: "part", letters: false });
  expect(provePart(proveValue("v1"))).toBeUndefined();
});

test("with plain text around it a value is one word, with anything else it is nothing that is known", () => {
  expect(proveAround("python", provenNumber("integer", 0), "")).toMatchObject({
    kind: "word",
    dash: false,
    letters: true,
  });
  expect(proveAround("-", proveValue("a"), "")).toMatchObject({ dash: true });
  expect(proveAround("", provenNumber("integer"), "x")).toMatchObject({ dash: true });
  expect(proveAround("a", provenNumber("integer"), "")).toMatchObject({ dash: false });
  expect(proveAround("x-", proveOneOf(["a", "b"]), ".sh")).toMatchObject({ texts: ["x-a.sh", "x-b.sh"] });
  for (const text of ["a b", "$(", ";", "'", "\n"]) expect(proveAround(text, proveValue("a"), "")).toBeUndefined();
  expect(proveAround("x", provePart(provenNumber("integer")), "")).toBeUndefined();
});

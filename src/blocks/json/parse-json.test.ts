import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonError } from "./find-json-error.ts";
import { findLossyNumber, parseJson } from "./parse-json.ts";

const seed = 4;

test.each([
  ["", "line 1, column 1: expected a value, found the end"],
  ['{\n  "a": 1,\n  "b": tru\n}', "line 3, column 8: expected a value, found 'tru'"],
  ['{"a": 1,}', "line 1, column 9: expected a name in double quotes, found '}'"],
  ["[1, 2,]", "line 1, column 7: expected a value, found ']'"],
  ['{"a" 1}', "line 1, column 6: expected a colon, found '1'"],
  ["{a: 1}", "line 1, column 2: expected a name in double quotes or }, found 'a'"],
  ['{"a": [1 2]}', "line 1, column 10: expected a comma or ], found '2'"],
  ['{"a": 1', "line 1, column 8: expected a comma or }, found the end"],
  ["{} {}", "line 1, column 4: expected nothing more, found '{'"],
  ['["a\nb"]', "line 1, column 4: a line break inside a text must be written as an escape"],
  ['["a\tb"]', "line 1, column 4: a control character inside a text must be written as an escape"],
  ['["a\\x"]', "line 1, column 4: this is no escape that JSON knows"],
  ['\n["abc', "line 2, column 2: the text that begins here does not end"],
  ["NaN", "line 1, column 1: expected a value, found 'NaN'"],
  ["[01]", "line 1, column 3: expected a comma or ], found '1'"],
  ["{'a': 1}", "line 1, column 2: expected a name in double quotes or }, found '\\''"],
  ["[1] 😀", "line 1, column 5: expected nothing more, found '😀'"],
])("what is wrong with %j is told with line and column", (text, message) => {
  expect(parseJson(text)).toEqual({ ok: false, error: message });
});

/** JSON, and texts that differ from it in a few characters. */
const almostJson = fc
  .tuple(fc.json({ maxDepth: 3 }), fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...'{}[]",: \\u0n1-e.t\n'))))
  .map(([text, edits]) => {
    const characters = [...text];
    for (const [at, character] of edits) characters.splice(at, at % 2, character);
    return characters.join("");
  });

test("an error is found in exactly those texts that the language's own parser refuses", () => {
  fc.assert(
    fc.property(almostJson, (text) => {
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(findJsonError(text) === undefined).toBe(isJson);
    }),
    { seed, numRuns: 3000 },
  );
});

test("a text of millions of escapes is read like any other", () => {
  const long = "\\n".repeat(3_000_000);
  expect(parseJson(`["${long}", x]`)).toMatchObject({ ok: false, error: expect.stringContaining("found 'x'") });
  expect(findLossyNumber(`["${long}", 12345678901234567890]`)).toBe("12345678901234567890");
});

test("numbers that would change when written again are found, and no others", () => {
  expect(findLossyNumber('{"a": [-9007199254740993]}')).toBe("-9007199254740993");
  for (const kept of [
    "9007199254740992",
    "1.00000000000000000001",
    '"12345678901234567890"',
    '"\\"12345678901234567890"',
  ]) {
    expect(findLossyNumber(`[${kept}]`)).toBeUndefined();
  }
});

test("what is nested too deeply, or no number, is refused by name", () => {
  expect(parseJson(`${"[".repeat(300)}${"]".repeat(300)}`)).toMatchObject({ ok: false });
  expect(parseJson("1e999")).toEqual({
    ok: false,
    error: "The value is Infinity, which is not a number JSON can hold.",
  });
});

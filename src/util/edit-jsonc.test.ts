import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editJsonc } from "./edit-jsonc.ts";
import type { Result } from "./result.ts";

const path = ["servers", "frond"];
const entry = { command: "frond", args: ["serve"] };

function textOf(result: Result<{ readonly text: string }, string>): string {
  if (!result.ok) throw new Error(result.error);
  return result.value.text;
}

describe("a value that is set", () => {
  test("leaves comments, order and blanks as they are", () => {
    const text = [
      "// mine",
      "{",
      '    "inputs": [],  /* none */',
      '    "servers": {',
      '        "other": { "command": "x" } // keep, "this", too',
      "        // and this",
      "    },",
      '    "last": 1',
      "}",
      "",
    ].join("\n");
    expect(textOf(editJsonc(text, path, entry)).split("\n")).toEqual([
      "// mine",
      "{",
      '    "inputs": [],  /* none */',
      '    "servers": {',
      '        "other": { "command": "x" }, // keep, "this", too',
      "        // and this",
      '        "frond": {',
      '            "command": "frond",',
      '            "args": [',
      '                "serve"',
      "            ]",
      "        }",
      "    },",
      '    "last": 1',
      "}",
      "",
    ]);
  });

  test("needs no second comma after one that is there", () => {
    expect(textOf(editJsonc('{\n  "a": 1, // ,\n}\n', ["b"], 2))).toBe('{\n  "a": 1, // ,\n  "b": 2\n}\n');
  });

  test("is made with what is around it where there is nothing", () => {
    expect(textOf(editJsonc("{}", path, 1))).toBe('{\n  "servers": {\n    "frond": 1\n  }\n}');
    expect(textOf(editJsonc('{ "servers": {} }', path, 1))).toBe('{ "servers": {\n  "frond": 1\n} }');
    expect(textOf(editJsonc('{"a":1}', ["b"], 2))).toBe('{"a":1,\n  "b": 2\n}');
  });

  test("keeps the ends of lines and the mark at the beginning", () => {
    expect(textOf(editJsonc('\uFEFF{\r\n\t"a": 1\r\n}\r\n', ["b"], [2]))).toBe(
      '\uFEFF{\r\n\t"a": 1,\r\n\t"b": [\r\n\t\t2\r\n\t]\r\n}\r\n',
    );
  });

  test("takes the place of the one that is there, which is told", () => {
    const edited = editJsonc('{ "servers": { "frond": [1, 2,], "b": 2 } } // end', path, 3);
    expect(edited).toEqual({
      ok: true,
      value: { before: { value: [1, 2] }, text: '{ "servers": { "frond": 3, "b": 2 } } // end' },
    });
  });

  test("is found by every reader, beside everything that was there", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.nat(4), (before, value, indent) => {
        const text = JSON.stringify(before, null, indent);
        const expected = Object.fromEntries([...Object.entries(JSON.parse(text)), ["frond", value]]);
        expect(JSON.parse(textOf(editJsonc(text, ["frond"], value)))).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });
});

test.each([
  ["{", "line 1 is not valid JSON"],
  ['{\n "a" 1 }', "line 2 is not valid JSON"],
  ['{ "a": 1 } x', "line 1 is not valid JSON"],
  ['{ "a": 1 "b": 2 }', "line 1 is not valid JSON"],
  ["{ /* }", "line 1 is not valid JSON"],
  ['{ "servers": null }', '"servers" is no object'],
  ["[]", "it is no object"],
])("%s is not changed: %s", (text, message) => {
  expect(editJsonc(text, path, 1)).toEqual({ ok: false, error: message });
});

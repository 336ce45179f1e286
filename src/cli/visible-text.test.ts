import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanLine, cleanText, cutToWidth, widthOf } from "./visible-text.ts";

const seed = { seed: 20 };

test("escape sequences and control characters do not survive", () => {
  expect(
    cleanLine("\u001b[31mred\u001b[0m \u001b]0;title\u0007and\u001b[2J \u0007b\u0008e\u009b1ml\u0085l\u202e!"),
  ).toBe("red and bell!");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(cleanLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
    seed,
  );
});

test("white space of any kind is a blank in a line, while lines and tabs of a text stay", () => {
  expect(cleanLine("a\tb\r\nc\u00a0d")).toBe("a b  c d");
  expect(cleanText("a\tb\u001b[1m\r\nc  \n")).toBe("a\tb\nc\n");
});

test.each([
  ["abc", 3],
  ["日本語", 6],
  ["한글", 4],
  ["e\u0301", 1],
  ["✓ ok", 4],
  ["🚀", 2],
  ["ｆｕｌｌ", 8],
  ["", 0],
])("%j takes %i columns", (text, columns) => {
  expect(widthOf(text)).toBe(columns);
});

test("a cut line fits, and is the line itself when that fits", () => {
  expect(cutToWidth("abcdef", 6)).toBe("abcdef");
  expect(cutToWidth("abcdef", 5)).toBe("abcd…");
  expect(cutToWidth("日本語", 5)).toBe("日本…");
  expect(cutToWidth("日本語", 4)).toBe("日…");
  expect(cutToWidth("abc", 0)).toBe("");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }).map(cleanLine), fc.nat(30), (line, columns) => {
      const cut = cutToWidth(line, columns);
      expect(widthOf(cut)).toBeLessThanOrEqual(columns);
      if (widthOf(line) <= columns) expect(cut).toBe(line);
    }),
    seed,
  );
});

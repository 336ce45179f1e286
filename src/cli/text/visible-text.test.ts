import fc from "fast-check";
import { expect, test } from "vitest";
import { paint, paintSequences } from "../../diagnostic/style.ts";
import { cleanLine, cleanText, cutToWidth, harmless, widthOf } from "./visible-text.ts";

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

test("of all that a terminal obeys, only our own colours get to it", () => {
  const ours = `${paint("a", "red", true)}\tb\n${paint(paint("c", "bold", true), "dim", true)} d\u0301 日本 👩‍🚀`;
  expect(harmless(ours, true)).toBe(ours);
  expect(harmless(ours, false)).toBe("a\tb\nc d\u0301 日本 👩‍🚀");
  expect(harmless(`x\u001b]0;a${paint("b", "red", true)}\u0007y\u001b[2J\r\u009b1mz\u202e`, true)).toBe(
    `x;a${paint("b", "red", true)}yz`,
  );
  const pieces = fc.constantFrom(
    "\u001b",
    "[",
    "]",
    "0;",
    "m",
    "J",
    "\u0007",
    "\u009b",
    "\u001b\\",
    "\u2066",
    ...paintSequences,
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: "binary" }))), fc.boolean(), (parts, colour) => {
      const written = harmless(parts.join(""), colour);
      const rest = colour ? paintSequences.reduce((text, sequence) => text.replaceAll(sequence, ""), written) : written;
      expect(rest).not.toMatch(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
    }),
    seed,
  );
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

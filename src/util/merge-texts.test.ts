import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mergeTexts } from "./merge-texts.ts";

/** Few different lines, so that texts have many in common; the last one may lack its end. */
const text = fc
  .tuple(fc.array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n"), { maxLength: 8 }), fc.constantFrom("", "end"))
  .map(([lines, end]) => lines.join("") + end);

test("who has changed nothing takes what the other has made", () => {
  fc.assert(
    fc.property(text, text, (base, other) => {
      expect(mergeTexts(base, base, other)).toBe(other);
      expect(mergeTexts(base, other, base)).toBe(other);
    }),
  );
});

test("the same change made by both is made once", () => {
  fc.assert(fc.property(text, text, (base, other) => void expect(mergeTexts(base, other, other)).toBe(other)));
});

test("it does not matter who is first", () => {
  fc.assert(
    fc.property(
      text,
      text,
      text,
      (base, one, other) => void expect(mergeTexts(base, one, other)).toBe(mergeTexts(base, other, one)),
    ),
  );
});

/** Lines that are all different, of which some are replaced, removed or followed by others. */
const editsOf = (lines: number) =>
  fc.array(fc.record({ line: fc.nat(lines - 1), becomes: fc.constantFrom("", "new\n", "two\nlines\n") }), {
    maxLength: 4,
  });

test("changes that are apart from each other are all kept", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
  const apply = (edits: readonly { line: number; becomes: string }[]): string => {
    const changed = [...lines];
    for (const { line, becomes } of edits) changed[line] = becomes;
    return changed.join("");
  };
  fc.assert(
    fc.property(editsOf(30), editsOf(30), (ours, theirs) => {
      fc.pre(ours.every((one) => theirs.every((other) => Math.abs(one.line - other.line) > 1)));
      const merged = apply([...ours, ...theirs]);
      expect(mergeTexts(lines.join(""), apply(ours), apply(theirs))).toBe(merged);
      // Merging what is merged already changes nothing.
      expect(mergeTexts(lines.join(""), merged, apply(theirs))).toBe(merged);
    }),
  );
});

test("different changes of the same line, or of neighbours, are not merged", () => {
  expect(mergeTexts("a\nb\nc\n", "a\nB\nc\n", "a\nX\nc\n")).toBeUndefined();
  expect(mergeTexts("a\nb\nc\n", "a\nB\nc\n", "a\nb\nC\n")).toBeUndefined();
  expect(mergeTexts("a\nb\n", "a\nb\nours\n", "a\nb\ntheirs\n")).toBeUndefined();
  expect(mergeTexts("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n")).toBe("A\nb\nC\n");
});

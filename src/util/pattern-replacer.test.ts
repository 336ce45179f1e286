import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BytePatterns } from "./byte-patterns.ts";
import { PatternReplacer } from "./pattern-replacer.ts";

function createReplacer(patterns: readonly string[], mostBreaks = 2): PatternReplacer {
  return new PatternReplacer({
    patterns: new BytePatterns(patterns.map((pattern, label) => ({ bytes: Buffer.from(pattern), label }))),
    replacements: patterns.map((_, label) => Buffer.from(`<${label}>`)),
    mostBreaks,
  });
}

/** Written in pieces; the buffer of each is overwritten afterwards, because it was only lent. */
function replace(patterns: readonly string[], chunks: readonly string[], mostBreaks?: number): string {
  const replacer = createReplacer(patterns, mostBreaks);
  let written = "";
  for (const chunk of chunks) {
    const lent = Buffer.from(chunk);
    written += Buffer.from(replacer.write(lent)).toString("latin1");
    lent.fill(0);
  }
  return written + Buffer.from(replacer.end()).toString("latin1");
}

/** The same by looking at every place for every pattern. */
function replaceSlowly(patterns: readonly string[], text: string): string {
  const isCovered = Array.from<boolean>({ length: text.length }).fill(false);
  const isStart = [...isCovered];
  for (let start = 0; start < text.length; start++) {
    for (const pattern of patterns.filter((each) => text.startsWith(each, start))) {
      if (!isCovered[start]) isStart[start] = true;
      isCovered.fill(true, start, start + pattern.length);
    }
  }
  return [...text].map((character, at) => (isStart[at] ? "<>" : isCovered[at] ? "" : character)).join("");
}

test.each<[what: string, patterns: string[], text: string, expected: string]>([
  ["no pattern", ["abc"], "ab ab ab", "ab ab ab"],
  ["one", ["abc"], "xabcx", "x<0>x"],
  ["side by side", ["abc"], "abcabc", "<0><0>"],
  ["overlapping", ["aba"], "ababa.", "<0>."],
  ["one inside another", ["b", "abc"], "abc b", "<1> <0>"],
  ["one that turns out to be longer", ["ab", "abcd"], "abce abcd", "<0>ce <1>"],
  ["a beginning inside a beginning", ["aab", "ab"], "aaab", "a<0>"],
  ["at the very end", ["abc"], "ab", "ab"],
])("%s", (_what, patterns, text, expected) => {
  expect(replace(patterns, [text])).toBe(expected);
  expect(replace(patterns, [...text])).toBe(expected);
});

describe("line breaks", () => {
  test.each<[text: string, expected: string]>([
    ["a\nbc", "<0>"],
    ["a\r\nb\r\nc.", "<0>."],
    ["\nabc\n", "\n<0>\n"],
    ["a\n\n\nbc", "a\n\n\nbc"],
    ["a\nabc", "a\n<0>"],
  ])("may stand inside a match, but not many in a row: %j", (text, expected) => {
    expect(replace(["abc"], [text])).toBe(expected);
    expect(replace(["abc"], [...text])).toBe(expected);
  });

  test("as many in a row as one allows", () => {
    expect(replace(["abc"], ["a\n\n\nbc"], 3)).toBe("<0>");
  });
});

const letters = fc.constantFrom("a", "b", "c");
const patternsOfLetters = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 6,
});
const textOfLetters = fc.string({ unit: letters, maxLength: 60 });

test("whatever is found by looking everywhere is replaced, and nothing else", () => {
  fc.assert(
    fc.property(patternsOfLetters, textOfLetters, (patterns, text) => {
      expect(replace(patterns, [text]).replaceAll(/<\d>/g, "<>")).toBe(replaceSlowly(patterns, text));
    }),
    { numRuns: 2000, seed: 1 },
  );
});

test("it does not matter in which pieces a text comes", () => {
  const text = fc.array(fc.oneof({ weight: 6, arbitrary: letters }, fc.constantFrom("\n", "\r")), { maxLength: 60 });
  fc.assert(
    fc.property(patternsOfLetters, text, fc.array(fc.nat(60)), (patterns, characters, cuts) => {
      const whole = characters.join("");
      const borders = [0, ...cuts.toSorted((one, other) => one - other), whole.length];
      const pieces = borders.slice(1).map((end, index) => whole.slice(borders[index], end));
      expect(replace(patterns, pieces)).toBe(replace(patterns, [whole]));
    }),
    { numRuns: 2000, seed: 2 },
  );
});

test("no more is held back than the beginning of a pattern, also while matches go on and on", () => {
  const replacer = createReplacer(["abab", "x".repeat(10)]);
  expect(replacer.write(Buffer.from("hello ab")).length).toBe("hello ".length);
  expect(Buffer.from(replacer.write(Buffer.from("abab".repeat(1000)))).toString()).toBe("<0>");
  expect(replacer.write(Buffer.from("ab".repeat(1000))).length).toBe(0);
  expect(Buffer.from(replacer.write(Buffer.from("!"))).toString()).toBe("!");
  expect(replacer.end().length).toBe(0);
});

test("a match that can't become longer is not held back", () => {
  const replacer = createReplacer(["abc", "abcde", "xyz"]);
  expect(Buffer.from(replacer.write(Buffer.from("xyz\n"))).toString()).toBe("<2>\n");
  expect(replacer.write(Buffer.from("abc")).length).toBe(0);
  expect(Buffer.from(replacer.write(Buffer.from("d"))).toString()).toBe("");
  expect(Buffer.from(replacer.write(Buffer.from("!"))).toString()).toBe("<0>d!");
});

test("a chunk without a trace of a pattern is passed on as it is", () => {
  const replacer = createReplacer(["abc"]);
  const chunk = Buffer.from("nothing here");
  expect(replacer.write(chunk)).toBe(chunk);
  expect(replacer.hasReplaced).toBe(false);
});

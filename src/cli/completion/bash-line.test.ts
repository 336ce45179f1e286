import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quoteForBash, readBashLine } from "./bash-line.ts";

const breaks = " \t\n\"'@><=;|&(:";

describe("a line is read as bash reads it", () => {
  test.each([
    ["frond run ", ["frond", "run", ""], "", 0],
    ["frond  run de", ["frond", "run", "de"], "", 0],
    ["frond run a\\ b", ["frond", "run", "a b"], "", 0],
    ["frond run 'a b'c", ["frond", "run", "a bc"], "", 0],
    ["frond run 'a b", ["frond", "run", "a b"], "'", 0],
    ['frond run "a \\"b', ["frond", "run", 'a "b'], '"', 0],
    ['frond run "a\\b', ["frond", "run", "a\\b"], '"', 0],
    ["frond run -i name=val", ["frond", "run", "-i", "name=val"], "", 5],
    ["frond run -i name=", ["frond", "run", "-i", "name="], "", 5],
    ['frond run -i name="a b', ["frond", "run", "-i", "name=a b"], '"', 5],
    ["frond logs x a\\:b", ["frond", "logs", "x", "a:b"], "", 0],
    ["frond logs x 'a:b'c", ["frond", "logs", "x", "a:bc"], "", 0],
    ["frond logs x a:'b c'd@2", ["frond", "logs", "x", "a:b cd@2"], "", 7],
    ["frond logs x ''", ["frond", "logs", "x", ""], "", 0],
  ] as const)("%s", (line, words, quote, kept) => {
    expect(readBashLine(line, breaks)).toEqual({ words, quote, kept });
  });
});

test("every word that is quoted for bash is read by it as it was", () => {
  const word = fc.string({ unit: fc.constantFrom(..."ab ~/'\"$`\\!*?[]{}()<>|&;#=:@%^é✓-\t".split("")), minLength: 1 });
  const words = fc.sample(word, 300).filter((one) => !/^~[^/]*\//.test(one));
  const lines = words.flatMap((one) => [
    `printf '%s\\0' ${quoteForBash(one, "")}`,
    `printf '%s\\0' "${quoteForBash(one, '"')}"`,
    `printf '%s\\0' '${quoteForBash(one, "'")}'`,
  ]);
  const { stdout } = spawnSync("bash", ["-c", lines.join("\n")], { encoding: "utf8" });
  expect(stdout.split("\0").slice(0, -1)).toEqual(words.flatMap((one) => [one, one, one]));
});

test("the way home stays one", () => {
  expect(quoteForBash("~/my dir/", "")).toBe("~/my\\ dir/");
  expect(quoteForBash("~", "")).toBe("\\~");
});

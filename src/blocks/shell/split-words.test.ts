import { describe, expect, test } from "vitest";
import type { Value } from "../../expression/value.ts";
import { splitWords } from "./split-words.ts";

const values: Readonly<Record<string, Value>> = {
  "${inputs.v}": "two words; $x",
  "${inputs.list}": ["a b", 1, true],
  "${inputs.none}": [],
  "${inputs.nothing}": null,
};

function split(text: string): readonly string[] | string {
  const words = splitWords(text, (start) => {
    const found = Object.keys(values).find((reference) => text.startsWith(reference, start));
    return found === undefined ? undefined : values[found];
  });
  return words.ok ? words.value : words.error;
}

describe("a command without a shell", () => {
  test.each<[string, readonly string[]]>([
    ["a b  c\n d", ["a", "b", "c", "d"]],
    ["'a b' \"c d\" e\\ f", ["a b", "c d", "e f"]],
    ["a'b'\"c\"d", ["abcd"]],
    ["'' \"\" x", ["", "", "x"]],
    [`'a\\b' "a\\"b\\\\c\\x"`, ["a\\b", 'a"b\\c\\x']],
    ["$HOME * ~ | ; > `x` $(y) # z", ["$HOME", "*", "~", "|", ";", ">", "`x`", "$(y)", "#", "z"]],
  ])("%s is split by quotes and blanks only", (text, words) => {
    expect(split(text)).toEqual(words);
  });

  test.each<[string, readonly string[]]>([
    ["x ${inputs.v}", ["x", "two words; $x"]],
    ["x a${inputs.v}b", ["x", "atwo words; $xb"]],
    ["x '${inputs.v}' \"${inputs.v}\"", ["x", "two words; $x", "two words; $x"]],
    ["x ${inputs.list} y", ["x", "a b", "1", "true", "y"]],
    ["x ${inputs.none} y", ["x", "y"]],
    ["x ${inputs.nothing} y", ["x", "", "y"]],
    ["x l=${inputs.list}", ["x", 'l=["a b",1,true]']],
    ['x "${inputs.list}"', ["x", '["a b",1,true]']],
  ])("in %s a value is never split", (text, words) => {
    expect(split(text)).toEqual(words);
  });

  test.each<[string, readonly string[]]>([
    ["x $${inputs.v} '$${inputs.v}'", ["x", "${inputs.v}", "${inputs.v}"]],
    ["x $$${inputs.v}", ["x", "$$two words; $x"]],
    ['x "\\$${inputs.v}"', ["x", "$two words; $x"]],
    ["x ${HOME} ${x:-1}", ["x", "${HOME}", "${x:-1}"]],
  ])("in %s what is not ours stays as it is", (text, words) => {
    expect(split(text)).toEqual(words);
  });

  test.each([
    ["echo 'open", "The command has a ' that is never closed."],
    ['echo "open', 'The command has a " that is never closed.'],
    ["  \n ", "The command is empty."],
    ["x # ${inputs.unknown}", "${inputs.unknown} stands in a comment, but no shell reads this command."],
  ])("%s can't be run", (text, problem) => {
    expect(split(text)).toBe(problem);
  });
});

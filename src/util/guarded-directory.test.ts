import { describe, expect, test } from "vitest";
import { guardedDirectory } from "./guarded-directory.ts";

describe.each(["git", "frond"])(".%s", (word) => {
  const [first, ...rest] = word;
  test.each([
    `.${word}`,
    `.${word.toUpperCase()}`,
    `.${first}${rest.join("").toUpperCase()}`,
    `.${first}\u200c${rest.join("")}`,
    `\ufeff.${word}`,
    `${word}~1`,
    `${word.toUpperCase()}~1`,
    `.${word} `,
    `.${word}. .`,
    `.${word}::$INDEX_ALLOCATION`,
  ])("'%s' is it to some file system", (name) => {
    expect(guardedDirectory(name)).toBe(`.${word}`);
  });

  test.each([`.${word}ignore`, word, `x.${word}`, `.${word}-x`, `.${word}.bak`, `${word}~10`, `a${word}~1`])(
    "'%s' is a name like any other",
    (name) => {
      expect(guardedDirectory(name)).toBeUndefined();
    },
  );
});

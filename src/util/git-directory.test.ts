import { expect, test } from "vitest";
import { isGitDirectory } from "./git-directory.ts";

test.each([
  ".git",
  ".GIT",
  ".gIt",
  ".g\u200cit",
  "\ufeff.git",
  "git~1",
  "GIT~1",
  ".git ",
  ".git. .",
  ".git::$INDEX_ALLOCATION",
])("'%s' is .git to some file system", (name) => {
  expect(isGitDirectory(name)).toBe(true);
});

test.each([".gitignore", ".github", "git", "x.git", ".git-x", ".git.bak", "git~10", "agit~1"])(
  "'%s' is a name like any other",
  (name) => {
    expect(isGitDirectory(name)).toBe(false);
  },
);

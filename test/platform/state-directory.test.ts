import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { stateDirectory } from "../../src/platform/files/state-directory.ts";

test("the state directory is what FROND_STATE_DIR says, else below XDG_STATE_HOME, else below the home directory", () => {
  const fallback = join(homedir(), ".local", "state", "frond");
  expect(stateDirectory({ FROND_STATE_DIR: "/a", XDG_STATE_HOME: "/b" })).toBe("/a");
  expect(stateDirectory({ FROND_STATE_DIR: "a" })).toBe(resolve("a"));
  expect(stateDirectory({ FROND_STATE_DIR: "", XDG_STATE_HOME: "/b" })).toBe("/b/frond");
  expect(stateDirectory({})).toBe(fallback);
  expect(stateDirectory({ FROND_STATE_DIR: "", XDG_STATE_HOME: "" })).toBe(fallback);
  expect(stateDirectory({ XDG_STATE_HOME: "relative" })).toBe(fallback);
});

test("a relative FROND_STATE_DIR is taken from where it is given, with a warning that names the absolute one", () => {
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  expect(stateDirectory({ FROND_STATE_DIR: "/a" }, warn)).toBe("/a");
  expect(stateDirectory({ FROND_STATE_DIR: "", XDG_STATE_HOME: "relative" }, warn)).not.toContain("relative");
  expect(warnings).toEqual([]);
  stateDirectory({ FROND_STATE_DIR: "a" }, warn);
  expect(warnings).toEqual([expect.stringMatching(new RegExp(`a relative path.* Set it to ${resolve("a")}$`))]);
});

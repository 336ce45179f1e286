import { expect, test } from "vitest";
import { WriteGlobs } from "./write-globs.ts";

test.each([
  ["dist", "dist", "whole"],
  ["dist", "dist/a/b.js", "whole"],
  ["./dist/", "dist", "whole"],
  ["dist/*.js", "dist", "way"],
  ["dist/*.js", "dist/a.js", "whole"],
  ["dist/*.js", "dist/a.css", undefined],
  ["dist/*.js", "src", undefined],
  ["dist/**", "dist", "whole"],
  ["dist/**", "dist/a", "whole"],
  ["**/*.log", "a.log", "whole"],
  ["**/*.log", "a/b/c.log", "whole"],
  ["**/*.log", "a/b", "way"],
  ["a/**/b/?", "a/b/c", "whole"],
  ["a/**/b/?", "a/x/y/b/c", "whole"],
  ["a/**/b/?", "a/x/y/b/cc", "way"],
  ["**", "anything/at/all", "whole"],
  ["*a*b", "xxaxxb", "whole"],
  ["*a*b", "xxaxx", undefined],
])("%s fits %s: %s", (glob, path, fit) => {
  expect(new WriteGlobs([glob]).fit(path)).toBe(fit);
});

test("a pattern of many stars takes no longer for that", () => {
  const started = process.cpuUsage();
  expect(new WriteGlobs([`${"*a".repeat(60)}b`]).fit("a".repeat(250))).toBe(undefined);
  expect(new WriteGlobs([`${"**/a/".repeat(30)}b`]).fit("a/".repeat(120))).toBe("way");
  expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
});

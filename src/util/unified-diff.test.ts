import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { diffLines } from "./line-diff.ts";
import { unifiedDiff } from "./unified-diff.ts";

const diff = (before: string | undefined, after: string): string => unifiedDiff({ path: "f", before, after }).text;

test("a change is shown with three lines around it", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  expect(diff(before, before.replace("5", "five"))).toBe(
    "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
  );
});

test("changes whose surroundings touch share a hunk, and others don't", () => {
  const numbers = (count: number): string => Array.from({ length: count }, (_, index) => `${index}\n`).join("");
  const changed = (count: number): string => `a\n${numbers(count)}b\n`;
  const hunks = (count: number): number => diff(`x\n${numbers(count)}y\n`, changed(count)).split("\n@@").length - 1;
  expect(hunks(6)).toBe(1);
  expect(hunks(7)).toBe(2);
});

test("a missing newline at the end is shown, and is a difference", () => {
  const note = "\\ No newline at end of file\n";
  expect(diff("a", "a\n")).toBe(`--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n${note}+a\n`);
  expect(diff("a\nb", "c\nb")).toBe(`--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+c\n b\n${note}`);
});

test("nothing, an empty file and an unchanged one", () => {
  expect(diff("same\n", "same\n")).toBe("");
  expect(diff("", "")).toBe("");
  expect(diff(undefined, "new\n")).toBe("--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+new\n");
  expect(diff("", "new\n")).toBe("--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+new\n");
  expect(diff("old\n", "")).toBe("--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-old\n");
});

test("a name that would break a line of the diff is quoted", () => {
  expect(unifiedDiff({ path: 'a "b"\n', before: "1", after: "2" }).text).toContain('--- "a/a \\"b\\"\\n"\n');
});

const someText = fc
  .tuple(fc.array(fc.constantFrom("a", "b", "c", "", "a\r"), { maxLength: 14 }), fc.boolean())
  .map(([lines, endsWithNewline]) => lines.join("\n") + (endsWithNewline && lines.length > 0 ? "\n" : ""));

test("a diff says how to get from one text to the other, with as few lines as possible", () => {
  fc.assert(
    fc.property(someText, someText, (before, after) => {
      const { text, linesAdded, linesRemoved } = unifiedDiff({ path: "f", before, after });
      expect(apply(text, before)).toBe(after);
      const [old, now] = [linesOf(before), linesOf(after)];
      const kept = longestCommon(old, now);
      expect([linesRemoved, linesAdded]).toEqual([old.length - kept, now.length - kept]);
    }),
    { seed: 4, numRuns: 2_000 },
  );
});

test("git understands it", () => {
  const directory = mkdtempSync(join(tmpdir(), "frond-diff-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "f");
  fc.assert(
    fc.property(someText, someText, (before, after) => {
      const text = diff(before, after);
      fc.pre(text !== "");
      writeFileSync(file, before);
      execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: directory, input: text });
      expect(after === "" || readFileSync(file, "utf8") === after).toBe(true);
    }),
    { seed: 4, numRuns: 30 },
  );
});

test("texts that have nothing in common are not compared for ever", () => {
  const [before, after] = ["old", "new"].map((word) =>
    Array.from({ length: 100_000 }, (_, line) => `${word} ${line}\n`),
  );
  const { edits, removed, added } = diffLines(["same\n", ...(before ?? [])], ["same\n", ...(after ?? [])]);
  expect(edits).toEqual([{ oldStart: 1, oldEnd: 100_001, newStart: 1, newEnd: 100_001 }]);
  expect([removed, added]).toEqual([100_000, 100_000]);
});

test("a diff that is longer than anybody reads is cut, and says so", () => {
  const { text, linesAdded } = unifiedDiff({ path: "f", before: "", after: "a line\n".repeat(200_000) });
  expect(text.length).toBeLessThanOrEqual(1_000_100);
  expect(text).toMatch(/\n\.\.\. \d+ more lines\n$/);
  expect(linesAdded).toBe(200_000);
});

test("more lines than can be compared are not taken apart", () => {
  const many = "\n".repeat(600_000);
  const { text, linesAdded, linesRemoved } = unifiedDiff({ path: "f", before: `a${many}b`, after: `b${many}a` });
  expect([linesRemoved, linesAdded]).toEqual([600_001, 600_001]);
  expect(text).toMatch(/^--- a\/f\n\+\+\+ b\/f\n@@ -1,600001 \+1,600001 @@\n-a\n-\n/);
  const [, hidden = ""] = /\n\.\.\. (\d+) more lines\n$/.exec(text) ?? [];
  expect(text.split("\n").length - 1 - 4 + Number(hidden)).toBe(1_200_002);
});

test("a line in the middle of millions is found by its number", () => {
  const many = "same\n".repeat(1_000_000);
  const { text } = unifiedDiff({ path: "f", before: `${many}old\n${many}`, after: `${many}new\n${many}` });
  const around = " same\n same\n same\n";
  expect(text).toBe(`--- a/f\n+++ b/f\n@@ -999998,7 +999998,7 @@\n${around}-old\n+new\n${around}`);
});

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function longestCommon(one: readonly string[], other: readonly string[]): number {
  let row = new Array<number>(other.length + 1).fill(0);
  for (const line of one) {
    const next = [0];
    for (const [index, otherLine] of other.entries()) {
      next.push(line === otherLine ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** A patch program for well-formed patches; everything it is told to find must be there. */
function apply(patch: string, text: string): string {
  const old = linesOf(text);
  const made: string[] = [];
  let at = 0;
  for (const line of linesOf(patch.replaceAll("\n\\ No newline at end of file\n", "\0"))
    .slice(2)
    .flatMap(splitMarked)) {
    const start = /^@@ -(\d+)(,0)?/.exec(line);
    if (start !== null) {
      const first = Number(start[1]) - (start[2] === undefined ? 1 : 0);
      made.push(...old.slice(at, first));
      at = first;
      continue;
    }
    const [sign, content] = [line[0], line.slice(1)];
    if (sign !== "+") expect(old[at++]).toBe(content);
    if (sign !== "-") made.push(content);
  }
  return [...made, ...old.slice(at)].join("");
}

/** A line that had no newline in its file is followed by the next one of the patch. */
function splitMarked(line: string): string[] {
  return line.split("\0").filter((part) => part !== "");
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DiffRow } from "./diff-row.ts";
import { parseDiff } from "./parse-diff.ts";

const diff = `--- a/package.json
+++ b/package.json
@@ -2,4 +2,4 @@ function around
   "name": "demo",
-  "version": "2.3.1",
+  "version": "2.4.0",
   "type": "module",
 
`;

describe("parseDiff", () => {
  it("numbers the lines of both sides, and marks the words that differ", () => {
    expect(parseDiff(diff)).toEqual([
      { kind: "hunk", range: "@@ −2,4 +2,4 @@", text: "function around" },
      { kind: "same", before: 2, after: 2, parts: [{ text: '  "name": "demo",' }] },
      {
        kind: "removed",
        before: 3,
        parts: [{ text: '  "version": "' }, { text: "2.3.1", isMarked: true }, { text: '",' }],
      },
      {
        kind: "added",
        after: 3,
        parts: [{ text: '  "version": "' }, { text: "2.4.0", isMarked: true }, { text: '",' }],
      },
      { kind: "same", before: 4, after: 4, parts: [{ text: '  "type": "module",' }] },
      { kind: "same", before: 5, after: 5, parts: [{ text: "" }] },
    ]);
  });

  it("reads a diff with the head of git, and without any head", () => {
    const withHead = `diff --git a/package.json b/package.json\nindex 1234567..89abcde 100644\n${diff}`;
    expect(parseDiff(withHead)).toEqual(parseDiff(diff));
    expect(parseDiff(diff.slice(diff.indexOf("@@")))).toEqual(parseDiff(diff));
  });

  it("takes a removed line that looks like a head for what it is", () => {
    const rows = parseDiff("@@ -1,2 +1 @@\n--- a/x\n-- y\n+++ b\n");
    expect(rows.slice(1).map(signAndText)).toEqual(["removed -- a/x", "removed - y", "added ++ b"]);
  });

  it("says that a newline is missing at the end, below the line that it is about", () => {
    const rows = parseDiff("@@ -1 +1 @@\n-one two\n\\ No newline at end of file\n+one three\n");
    expect(rows.slice(1).map(signAndText)).toEqual([
      "removed one two",
      "note No newline at end of file",
      "added one three",
    ]);
  });

  it("names the files only where there are several", () => {
    const two = `${diff}--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n`;
    expect(parseDiff(two).filter(({ kind }) => kind === "file")).toEqual([
      { kind: "file", text: "package.json" },
      { kind: "file", text: "old.txt" },
    ]);
    expect(parseDiff(diff).some(({ kind }) => kind === "file")).toBe(false);
  });

  it("shows what it does not know as a note", () => {
    expect(parseDiff("... 12 more lines\n")).toEqual([{ kind: "note", text: "... 12 more lines" }]);
  });

  it("keeps every character of every line", () => {
    const line = fc.string().map((text) => text.replaceAll("\n", ""));
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (old, now) => {
        const body = [...old.map((text) => `-${text}\n`), ...now.map((text) => `+${text}\n`)].join("");
        const rows = parseDiff(`@@ -1,${old.length} +1,${now.length} @@\n${body}`);
        const read = (kind: string): string[] =>
          rows.flatMap((row) => (row.kind === kind && "parts" in row ? [textOf(row)] : []));
        expect(read("removed")).toEqual(old);
        expect(read("added")).toEqual(now);
      }),
    );
  });
});

function signAndText(row: DiffRow): string {
  return `${row.kind} ${textOf(row)}`;
}

function textOf(row: DiffRow): string {
  return "parts" in row ? row.parts.map(({ text }) => text).join("") : row.text;
}

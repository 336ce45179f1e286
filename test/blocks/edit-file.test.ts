import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Execution } from "../../src/engine/execution.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createTestEngine, explain, type TestEngine } from "../rig/engine.ts";
import { runBlock } from "../rig/run-block.ts";
import { announcesChanges } from "./file-ground.ts";

interface Edited extends Execution {
  /** What the file holds now. */
  readonly now: string;
}

async function edit(
  before: string | Uint8Array,
  inputs: object | readonly object[],
  engine: TestEngine = createTestEngine(),
): Promise<Edited> {
  const file = join(engine.workspace, "f");
  writeFileSync(file, before);
  const written = Array.isArray(inputs) ? { operations: inputs } : inputs;
  const record = await runBlock(engine, "EditFile", { path: "f", ...written });
  return { ...record, now: readFileSync(file, "utf8") };
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

test("an edit tells what it changed", async () => {
  const engine = createTestEngine();
  const { metadata, outputs } = await edit(
    "one\ntwo\nthree\n",
    [{ type: "replace_text", old_text: "two", new_text: "2\n2b" }],
    engine,
  );
  expect(metadata.succeeded, String(metadata.message)).toBe(true);
  expect(outputs).toEqual({
    path: join(engine.workspace, "f"),
    diff: "--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n+2b\n three\n",
    lines_added: 2,
    lines_removed: 1,
    sha256_before: hash("one\ntwo\nthree\n"),
    sha256_after: hash("one\n2\n2b\nthree\n"),
  });
});

describe("operations", () => {
  const text = "a1\nb2\nc3\n";
  test.each([
    { operation: { type: "replace_text", old_text: "b2", new_text: "" }, gives: "a1\n\nc3\n" },
    { operation: { type: "replace_text", old_text: "1\nb", new_text: "-" }, gives: "a-2\nc3\n" },
    { operation: { type: "replace_text", old_text: "\n", new_text: ";" }, gives: "a1;b2;c3;" },
    { operation: { type: "replace_text", old_text: "\n", new_text: ";", count: 2 }, gives: "a1;b2;c3\n" },
    { operation: { type: "replace_text", old_text: "2", new_text: "$& $1 \\1" }, gives: "a1\nb$& $1 \\1\nc3\n" },
    { operation: { type: "replace_text", old_text: 2, new_text: 4 }, gives: "a1\nb4\nc3\n" },
    { operation: { type: "replace_lines", line_start: 2, content: "B" }, gives: "a1\nB\nc3\n" },
    { operation: { type: "replace_lines", line_start: 1, line_end: 2, content: "x\ny\nz\n" }, gives: "x\ny\nz\nc3\n" },
    { operation: { type: "replace_lines", line_start: 1, line_end: 3, content: "" }, gives: "" },
    { operation: { type: "replace_lines", line_start: 3, content: "\n" }, gives: "a1\nb2\n\n" },
    { operation: { type: "insert_lines", line_start: 1, content: "top" }, gives: "top\na1\nb2\nc3\n" },
    { operation: { type: "insert_lines", line_start: 4, content: "end\n" }, gives: "a1\nb2\nc3\nend\n" },
    { operation: { type: "insert_lines", content: "end" }, gives: "a1\nb2\nc3\nend\n" },
    { operation: { type: "insert_lines", line_start: 3, position: "after", content: "end" }, gives: `${text}end\n` },
    { operation: { type: "insert_lines", position: "after", content: "end" }, gives: `${text}end\n` },
    { operation: { type: "delete_lines", line_start: 2 }, gives: "a1\nc3\n" },
    { operation: { type: "delete_lines", line_start: 1, line_end: 3 }, gives: "" },
    { operation: { type: "regex_replace", pattern: "[0-9]", replacement: "#" }, gives: "a#\nb#\nc#\n" },
    { operation: { type: "regex_replace", pattern: "[0-9]", replacement: "#", count: 1 }, gives: "a#\nb2\nc3\n" },
    {
      operation: { type: "regex_replace", pattern: "([a-z])(\\d)", replacement: "$2$1 $& $$1 $x" },
      gives: "1a a1 $1 $x\n2b b2 $1 $x\n3c c3 $1 $x\n",
    },
    { operation: { type: "regex_replace", pattern: "(?P<n>[23])", replacement: "<$<n>>" }, gives: "a1\nb<2>\nc<3>\n" },
    { operation: { type: "regex_replace", pattern: "^B", replacement: "x", flags: "im" }, gives: "a1\nx2\nc3\n" },
    {
      operation: { type: "regex_replace", pattern: "B.*3", replacement: "", flags: ["IGNORECASE", "DOTALL"] },
      gives: "a1\n\n",
    },
    { operation: { type: "regex_replace", pattern: "x*", replacement: "-" }, gives: "-a-1-\n-b-2-\n-c-3-\n-" },
  ])("%j", async ({ operation, gives }) => {
    const { metadata, now } = await edit(text, [operation]);
    expect(metadata.message).toBeNull();
    expect(now).toBe(gives);
  });

  test("are made in their order, each on what those before it made", async () => {
    const { now } = await edit("one\n", [
      { type: "insert_lines", line_start: 1, content: "zero" },
      { type: "replace_lines", line_start: 1, content: "null" },
      { type: "replace_text", old_text: "null\none", new_text: "both" },
    ]);
    expect(now).toBe("both\n");
  });

  test("are made all or none", async () => {
    const operations = [
      { type: "replace_text", old_text: "one", new_text: "1" },
      { type: "delete_lines", line_start: 9 },
    ];
    const { metadata, now, outputs } = await edit("one\n", operations);
    expect(metadata).toMatchObject({
      status: "completed",
      outcome: "failure",
      message: "operations[1]: there is no line 9: the file has one line",
    });
    expect(now).toBe("one\n");
    expect(outputs).toMatchObject({ diff: "", lines_added: 0, sha256_after: "" });
  });

  test.each([
    {
      operation: { type: "replace_text", old_text: "if (a)  {\n  b", new_text: "" },
      says: 'the text "if (a)  {\\n  b" is not in the file; the file has 3 lines, the first is "if (a) {"',
    },
    {
      operation: { type: "replace_text", old_text: "b();\n}", new_text: "" },
      says: 'the text "b();\\n}" is not in the file; line 2 is "  b(); // c"',
    },
    {
      operation: { type: "replace_lines", line_start: 3, line_end: 5, content: "" },
      says: "there is no line 5: the file has 3 lines",
    },
    {
      operation: { type: "replace_lines", line_start: 7, content: "" },
      says: "there is no line 7: the file has 3 lines",
    },
    { operation: { type: "delete_lines", line_start: 3, line_end: 1 }, says: "line 1 comes before line 3" },
    {
      operation: { type: "insert_lines", line_start: 5, content: "x" },
      says: "there is no line 5: the file has 3 lines",
    },
    {
      operation: { type: "insert_lines", line_start: 4, position: "after", content: "x" },
      says: "there is no line 4: the file has 3 lines",
    },
    { operation: { type: "regex_replace", pattern: "z+", replacement: "" }, says: "nothing matches 'z+'" },
  ])("fail with what is there instead: $says", async ({ operation, says }) => {
    const { metadata, now } = await edit("if (a) {\n  b(); // c\n}\n", [operation]);
    expect(metadata).toMatchObject({ outcome: "failure", message: `operations[0]: ${says}` });
    expect(now).toBe("if (a) {\n  b(); // c\n}\n");
  });

  test("an empty file is said to be empty", async () => {
    const { metadata } = await edit("", [{ type: "replace_text", old_text: "x", new_text: "" }]);
    expect(metadata.message).toBe('operations[0]: the text "x" is not in the file; it is empty');
  });
});

describe("what can't work is refused before anything runs", () => {
  test.each([
    { inputs: {}, says: "operations-or-content: block 'it': EditFile needs operations." },
    { inputs: { operations: [], content: "" }, says: "EditFile takes either operations or content, not both." },
    { inputs: { operations: [] }, says: "input 'operations' must not be empty" },
    {
      inputs: { operations: [{ type: "replace" }] },
      says: "input 'operations[0].type' must be one of replace_text, replace_lines, insert_lines,",
    },
    {
      inputs: { operations: [{ type: "replace_text", old_text: "", new_text: "" }] },
      says: "'operations[0].old_text' must not be empty",
    },
    {
      inputs: { operations: [{ type: "delete_lines", line_start: 0 }] },
      says: "'operations[0].line_start' must be at least 1",
    },
    { inputs: { operations: [{ type: "delete_lines", line_start: 1, to: 2 }] }, says: "'operations[0]' has no 'to'" },
    {
      inputs: { operations: [{ type: "regex_replace", pattern: "(", replacement: "" }] },
      says: "'(' is not a valid pattern",
    },
    { inputs: { operations: [{ type: "regex_replace", pattern: "(?=a)", replacement: "" }] }, says: "no lookahead" },
    {
      inputs: { operations: [{ type: "regex_replace", pattern: "a", replacement: "\\1" }] },
      says: "write $1 or $<name>",
    },
    {
      inputs: { operations: [{ type: "regex_replace", pattern: "a", replacement: "$1" }] },
      says: "the pattern has no group for '$1'",
    },
    {
      inputs: { operations: [{ type: "regex_replace", pattern: "a", replacement: "$<constructor>" }] },
      says: "the pattern has no group for '$<constructor>'",
    },
    { inputs: { content: "", backup: true }, says: "Remove it: Frond keeps what it replaces." },
    { inputs: { content: "", expect_sha256: "12" }, says: "must be 64 hexadecimal digits" },
  ])("$says", ({ inputs, says }) => {
    const { diagnostics } = createTestEngine().check({
      blocks: [{ id: "it", type: "EditFile", inputs: { path: "f", ...inputs } }],
    });
    expect(`${explain(diagnostics)} ${diagnostics.map(({ fix }) => fix).join(" ")}`).toContain(says);
  });

  test("also when other parts of it are only known later", () => {
    const operations = [
      { type: "delete_lines", line_start: "${inputs.line}" },
      { type: "regex_replace", pattern: "[", replacement: "" },
    ];
    const { diagnostics } = createTestEngine().check({
      inputs: { line: { type: "integer", description: "Which" } },
      blocks: [{ id: "it", type: "EditFile", inputs: { path: "f", operations } }],
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(["bad-pattern"]);
  });

  test("and a pattern that an expression makes, before anything is changed", async () => {
    const engine = createTestEngine();
    writeFileSync(join(engine.workspace, "f"), "text");
    const operations = [{ type: "regex_replace", pattern: "${inputs.pattern}", replacement: "" }];
    const { metadata } = await runBlock(engine, "EditFile", { path: "f", operations }, { pattern: "(" });
    expect(metadata).toMatchObject({ status: "failed", message: expect.stringContaining("is not a valid pattern") });
  });
});

describe("what the file is like, it stays", () => {
  test.each([
    { what: "CRLF", before: "a\r\nb\r\n", gives: "A\r\nB\r\nnew\r\n" },
    { what: "CRLF without a last one", before: "a\r\nb", gives: "A\r\nB\r\nnew" },
    { what: "LF", before: "a\nb\n", gives: "A\nB\nnew\n" },
    { what: "LF without a last one", before: "a\nb", gives: "A\nB\nnew" },
  ])("line ends: $what", async ({ before, gives }) => {
    const operations = (newline: string): object[] => [
      { type: "replace_text", old_text: `a${newline}b`, new_text: `A${newline}B` },
      { type: "insert_lines", content: "new" },
    ];
    expect((await edit(before, operations("\n"))).now).toBe(gives);
    if (before.includes("\r")) expect((await edit(before, operations("\r\n"))).now).toBe(gives);
  });

  test("where line ends differ, each keeps its own", async () => {
    const { now } = await edit("a\r\nb\nc\r\n", [{ type: "replace_lines", line_start: 2, content: "B" }]);
    expect(now).toBe("a\r\nB\nc\r\n");
  });

  test("a content as a whole takes on the line ends too", async () => {
    const { now, outputs } = await edit("a\r\nb\r\n", { content: "a\nc\n" });
    expect(now).toBe("a\r\nc\r\n");
    expect(outputs.diff).toBe("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
  });

  test("permissions", async () => {
    const engine = createTestEngine();
    writeFileSync(join(engine.workspace, "f"), "", { mode: 0o600 });
    await edit("a", { content: "b" }, engine);
    expect(statSync(join(engine.workspace, "f")).mode & 0o777).toBe(0o600);
  });

  test.each([
    { encoding: "utf-16", before: "feff0061", gives: "feff0062" },
    { encoding: "utf-16", before: "fffe6100", gives: "fffe6200" },
    { encoding: "utf-16", before: "6100", gives: "6200" },
    { encoding: "utf-16-be", before: "0061", gives: "0062" },
    { encoding: "utf-8-sig", before: "61", gives: "62" },
    { encoding: "utf-8-sig", before: "efbbbf61", gives: "efbbbf62" },
    { encoding: "cp1252", before: "8061", gives: "8062" },
  ])("its encoding: $encoding, $before", async ({ encoding, before, gives }) => {
    const engine = createTestEngine();
    const operations = [{ type: "replace_text", old_text: "a", new_text: "b" }];
    const { metadata } = await edit(Buffer.from(before, "hex"), { operations, encoding }, engine);
    expect(metadata.succeeded, String(metadata.message)).toBe(true);
    expect(readFileSync(join(engine.workspace, "f")).toString("hex")).toBe(gives);
  });

  test("a mark of its byte order", async () => {
    expect((await edit("\uFEFFa\n", [{ type: "insert_lines", content: "b" }])).now).toBe("\uFEFFa\nb\n");
  });
});

describe("a file that is not text is left alone", () => {
  test.each([
    { bytes: Buffer.from([0x61, 0xff, 0x62]), says: "'f' is not UTF-8 text" },
    { bytes: Buffer.from("a\0b"), says: "'f' is a binary file: it holds a NUL" },
    { bytes: Buffer.alloc(10_000_001, "a"), says: "'f' is larger than 10,000,000 bytes" },
  ])("$says", async ({ bytes, says }) => {
    const engine = createTestEngine();
    const { metadata } = await edit(bytes, { content: "" }, engine);
    expect(metadata).toMatchObject({ status: "completed", outcome: "failure", message: says });
    expect(readFileSync(join(engine.workspace, "f")).equals(bytes)).toBe(true);
  });
});

test("an edit that makes a file too long is none", async () => {
  const operation = { type: "replace_text", old_text: "a", new_text: "b".repeat(100_000) };
  const { metadata, now } = await edit("a".repeat(10_000), [operation]);
  expect(metadata).toMatchObject({ outcome: "failure", message: "operations[0]: the edited text is too long" });
  expect(now).toBe("a".repeat(10_000));
  const regex = { type: "regex_replace", pattern: "a", replacement: "b".repeat(100_000) };
  expect((await edit("a".repeat(10_000), [regex])).metadata.outcome).toBe("failure");
  const content = { path: "f", content: "${inputs.long}", create_if_missing: true };
  const whole = await runBlock(createTestEngine(), "EditFile", content, { long: "ü".repeat(5_000_001) });
  expect(whole.metadata).toMatchObject({ outcome: "failure", message: "the edited text is too long" });
});

test("a pattern that would take for ever is given up", async () => {
  // Each of the million matches searches to the end of the text, of which this clock makes a tenth of a second.
  let milliseconds = 0;
  const clock = { ...systemClock, monotonic: () => (milliseconds += 100) };
  const operation = { type: "regex_replace", pattern: "a.*b|a", replacement: "" };
  const { metadata, now } = await edit("a".repeat(100_000), [operation], createTestEngine({ clock }));
  const message = "operations[0]: the pattern takes too long on this text";
  expect(metadata).toMatchObject({ outcome: "failure", message });
  expect(now).toBe("a".repeat(100_000));
  const long = await edit("a".repeat(9_000_000), [{ ...operation, pattern: "(a|b|c|d)(e|f){20}g" }]);
  expect(long.metadata.message).toBe("operations[0]: the text is too long for this pattern");
});

describe("an expected hash", () => {
  test("is fine when the file has it, in capitals too", async () => {
    expect((await edit("a", { content: "b", expect_sha256: hash("a").toUpperCase() })).now).toBe("b");
  });

  test("fails when somebody changed the file", async () => {
    const { metadata, now } = await edit("mine", { content: "b", expect_sha256: hash("a") });
    expect(metadata.outcome).toBe("failure");
    expect(metadata.message).toBe(`'f' has been changed: its hash is ${hash("mine")}, not ${hash("a")}`);
    expect(now).toBe("mine");
  });

  test("fails when the file is missing, even if it may be", async () => {
    const inputs = { path: "no", content: "b", expect_sha256: hash(""), create_if_missing: true };
    expect((await runBlock(createTestEngine(), "EditFile", inputs)).metadata.outcome).toBe("failure");
  });
});

describe("a missing file", () => {
  test("is made from nothing when that is wanted, with its directories", async () => {
    const engine = createTestEngine();
    const operations = [{ type: "insert_lines", content: "first" }];
    const inputs = { path: "d/f", operations, create_if_missing: true };
    const { outputs } = await runBlock(engine, "EditFile", inputs);
    expect(outputs).toMatchObject({
      diff: "--- /dev/null\n+++ b/d/f\n@@ -0,0 +1 @@\n+first\n",
      lines_added: 1,
      sha256_before: "",
    });
    expect(readFileSync(join(engine.workspace, "d/f"), "utf8")).toBe("first\n");
  });

  test("is a failure otherwise", async () => {
    const { metadata } = await runBlock(createTestEngine(), "EditFile", { path: "d/f", content: "" });
    expect(metadata).toMatchObject({ outcome: "failure", message: "the file 'd/f' does not exist" });
  });
});

test("a dry run tells what it would do, and does nothing", async () => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "f"), "a\n");
  const { state, events } = await engine.run({
    blocks: [
      { id: "it", type: "EditFile", inputs: { path: "f", content: "b\n", dry_run: true } },
      { id: "new", type: "EditFile", inputs: { path: "d/n", content: "b\n", dry_run: true, create_if_missing: true } },
    ],
  });
  const { it, new: created } = state.root.record.blocks;
  expect(it?.outputs).toMatchObject({ lines_added: 1, lines_removed: 1, sha256_after: hash("b\n") });
  expect(created?.outputs).toMatchObject({ lines_added: 1, sha256_before: "" });
  expect(readFileSync(join(engine.workspace, "f"), "utf8")).toBe("a\n");
  expect(existsSync(join(engine.workspace, "d"))).toBe(false);
  expect(announcesChanges(events)).toBe(false);
});

test("an edit that changes nothing is a success without a change", async () => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "f"), "a\n");
  const operations = [{ type: "replace_text", old_text: "a", new_text: "a" }];
  const { state, events } = await engine.run({
    blocks: [{ id: "it", type: "EditFile", inputs: { path: "f", operations } }],
  });
  expect(state.root.record.blocks.it?.outputs).toMatchObject({ diff: "", lines_added: 0, lines_removed: 0 });
  expect(announcesChanges(events)).toBe(false);
});

test("edits of the same file at the same time are all made", async () => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "f"), "");
  const operations = [{ type: "insert_lines", content: "${each.index}" }];
  const { response } = await engine.run({
    blocks: [
      { id: "it", type: "EditFile", inputs: { path: "f", operations }, for_each: Array(20).fill(0), max_parallel: 20 },
    ],
  });
  expect(response.status).toBe("success");
  const lines = readFileSync(join(engine.workspace, "f"), "utf8").trim().split("\n");
  expect(lines.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

import { expect, test } from "vitest";
import { OutputLines } from "./output-lines.ts";

/** What is shown of these chunks and then the end. */
function shown(...chunks: readonly (string | Uint8Array)[]): string[] {
  const lines = new OutputLines();
  return [...chunks.flatMap((chunk) => lines.take(Buffer.from(chunk))), ...lines.end()];
}

test("a chunk that ends in the middle of a line waits for the rest", () => {
  const lines = new OutputLines();
  expect(lines.take(Buffer.from("one\ntw"))).toEqual(["one"]);
  expect(lines.take(Buffer.from("o"))).toEqual([]);
  expect(lines.take(Buffer.from("\nthree\n\n"))).toEqual(["two", "three", ""]);
  expect(lines.end()).toEqual([]);
});

test("a character that two chunks share is whole", () => {
  const [first, second] = [Buffer.from("a é\n").subarray(0, 3), Buffer.from("a é\n").subarray(3)];
  expect(shown(first, second)).toEqual(["a é"]);
});

test("a line without an end is shown at the end", () => {
  expect(shown("one\ntwo")).toEqual(["one", "two"]);
  expect(shown("")).toEqual([]);
});

test("the beginning of a line is given once, and its rest when it has ended", () => {
  const lines = new OutputLines();
  lines.take(Buffer.from("Password: "));
  expect(lines.isWaiting).toBe(true);
  expect(lines.takeBeginning()).toEqual(["Password: "]);
  lines.take(Buffer.from("."));
  expect(lines.isWaiting).toBe(false);
  expect(lines.takeBeginning()).toEqual([]);
  expect(lines.take(Buffer.from(".\nnext\n"))).toEqual(["..", "next"]);
  lines.take(Buffer.from("Sure? "));
  expect(lines.takeBeginning()).toEqual(["Sure? "]);
  expect(lines.take(Buffer.from("\n"))).toEqual([]);
});

test("a progress bar is one line, with what it showed last", () => {
  const steps = Array.from({ length: 1000 }, (_, step) => `\r${step / 10}%`);
  expect(shown("start", ...steps, "\r100%\ndone\n")).toEqual(["100%", "done"]);
  expect(shown(steps.join(""))).toEqual(["99.9%"]);
  expect(shown("50%\r", "\r\n")).toEqual(["50%"]);
});

test("a progress bar has no beginning worth showing", () => {
  const lines = new OutputLines();
  lines.take(Buffer.from("1%\r2%"));
  expect(lines.isWaiting).toBe(false);
  expect(lines.take(Buffer.from("\n"))).toEqual(["2%"]);
});

test("lines that end with a return and a line feed are lines, however they are split", () => {
  expect(shown("one\r\ntwo\r\n")).toEqual(["one", "two"]);
  expect(shown("one\r", "\ntwo", "\r\n")).toEqual(["one", "two"]);
});

test("nothing in a line speaks to a terminal", () => {
  expect(shown("\u001b[31mred\u001b[0m\u0007\n\u001b]0;title\u0007x\n\u202eback\n\ttab\n")).toEqual([
    "red",
    "x",
    "back",
    "\ttab",
  ]);
});

test("of a huge line the beginning is shown, and it takes no more memory than that", () => {
  const chunks = Array.from({ length: 1000 }, () => "x".repeat(10_000));
  const [line = "", ...more] = shown(...chunks, "\nnext\n");
  expect(line).toBe(`${"x".repeat(16_384)} ... and ${10_000_000 - 16_384} more characters`);
  expect(more).toEqual(["next"]);
  expect(shown(`a\n${"y".repeat(20_000)}\nb\n`)[1]).toBe(`${"y".repeat(16_384)} ... and 3616 more characters`);
});

test("what is no text is mentioned, once for all that follows each other", () => {
  const bytes = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 10, 0, 200, 10, 0xff, 0xfe, 10]);
  expect(shown("before\n", bytes, "after\n")).toEqual(["before", "(binary output is not shown)", "after"]);
  expect(shown(bytes)).toEqual(["(binary output is not shown)"]);
});

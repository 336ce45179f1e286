import { expect, test } from "vitest";
import type { LogEntry } from "../read-logs.ts";
import { harmlessLine, LogSplitter } from "./split-log.ts";

function entry(text: string, more: Partial<LogEntry> = {}): LogEntry {
  return { block: "a", attempt: 1, stream: "stdout", at: 5, bytes: Buffer.from(text), isLast: false, ...more };
}

test("lines are the same however what was written is split, also within a character", () => {
  const bytes = Buffer.from("one\ntwö\n\nthree");
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const splitter = new LogSplitter(false);
    const parts = [bytes.subarray(0, cut), bytes.subarray(cut)];
    const lines = parts.flatMap((part, index) => [...splitter.add({ ...entry(""), bytes: part, isLast: index === 1 })]);
    expect(lines.map(({ text }) => text)).toEqual(["one", "twö", "", "three"]);
  }
});

test("what has no end is held until something has not been added to it for a while", () => {
  const splitter = new LogSplitter(true);
  expect([...splitter.add(entry("Password: ", { attempt: 2 }))]).toEqual([]);
  expect([...splitter.takeOpen(5)]).toEqual([]);
  expect([...splitter.takeOpen(6)]).toEqual([{ at: 5, stream: "stdout", text: "Password: ", block: "a@2" }]);
  expect([...splitter.takeOpen(6)]).toEqual([]);
});

test("a line that is too long becomes several, and no character is cut in two", () => {
  const lines = [...new LogSplitter(false).add(entry(`${"x".repeat(9_999)}${"🌿".repeat(6_000)}\nend\n`))];
  expect(lines.map(({ text }) => text.length)).toEqual([9_999, 10_000, 2_000, 3]);
  expect(lines.every(({ text }) => Buffer.from(text).toString() === text)).toBe(true);
});

test("colours are read: a line has its text, and how stretches of it look", () => {
  const [line, plain] = [
    ...new LogSplitter(false).add(entry("\u001b[1;31mred\u001b[0m\tand \u001b[32mgreen\u001b[m\nplain\n")),
  ];
  expect(line).toEqual({
    at: 5,
    stream: "stdout",
    text: "red     and green",
    styles: [
      [3, "ansi-red ansi-bold"],
      [9, ""],
      [5, "ansi-green"],
    ],
  });
  expect(plain).toEqual({ at: 5, stream: "stdout", text: "plain" });
});

test.each([
  ["\u001b[31mred\u001b[0m\ttab", "\u001b[31mred\u001b[0m\ttab"],
  ["10%\r50%\r100%\r", "100%"],
  ["windows\r", "windows"],
  ["a\0b\u0007c\u007fd\u009b31m", "a␀b␇c␡d\ufffd31m"],
  ["\u001b]8;;http://evil\u0007text\u001b]8;;\u0007 \u001b]0;title\u001b\\.", "text ."],
  ["safe\u202egnp.exe\u2066", "safegnp.exe"],
])("nothing in a line looks like something else than it is: %j", (text, shown) => {
  expect(harmlessLine(text)).toBe(shown);
});

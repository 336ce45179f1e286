import { expect, test } from "vitest";
import { OutputTails } from "./output-tails.ts";

function tailOf(...chunks: readonly (string | Uint8Array)[]): string {
  const tails = new OutputTails();
  for (const chunk of chunks) tails.add("block", typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return tails.lastLine("block");
}

test("the last line that shows anything is given, whole even when it came in pieces", () => {
  expect(tailOf("one\ntwo\n\n  \n")).toBe("two");
  expect(tailOf("one\ntw", "o and", " a half")).toBe("two and a half");
});

test("a progress bar shows what it says last", () => {
  expect(tailOf("10%\r20%\r", "30%\r")).toBe("30%");
});

test("a character split between two chunks is put together", () => {
  const bytes = Buffer.from("né");
  expect(tailOf(bytes.subarray(0, 2), bytes.subarray(2))).toBe("né");
});

test("a flood is kept only at its end, and none of it when the block has ended", () => {
  const flood = `${"x".repeat(100_000)}\nend`;
  expect(tailOf(flood)).toBe("end");
  expect(tailOf("early\n", "y".repeat(5000))).toBe("y".repeat(1024));
  const tails = new OutputTails();
  tails.add("block", Buffer.from("text"));
  tails.forget("block");
  expect(tails.lastLine("block")).toBe("");
});

test("what a block writes can't reach the terminal as more than text", () => {
  expect(tailOf("\u001b[2J\u001b[Hgone\u001b[31m red")).toBe("gone red");
});

import { describe, expect, it } from "vitest";
import type { MarkedPart } from "./diff-row.ts";
import { markWords } from "./mark-words.ts";

describe("markWords", () => {
  it("marks what was taken out and what was put in", () => {
    const { before, after } = markWords("const a = await retry(put(part));", "const a = await put(part);");
    expect(show(before)).toBe("const a = await [retry(]put(part[)]);");
    expect(show(after)).toBe("const a = await put(part);");
  });

  it("marks two words with the blank between them as one", () => {
    const { before } = markWords("keep this old words end", "keep this new text end");
    expect(show(before)).toBe("keep this [old words] end");
  });

  it("leaves lines whole that have nothing in common", () => {
    expect(markWords("alpha beta", "something else entirely").before).toEqual([{ text: "alpha beta" }]);
  });

  it("is quick with long lines, and marks nothing in very long ones", () => {
    const long = "word ".repeat(300);
    expect(show(markWords(`${long}a`, `${long}b`).after)).toBe(`${long}[b]`);
    const longer = "word ".repeat(100_000);
    expect(markWords(`${longer}a`, `${longer}b`).after).toEqual([{ text: `${longer}b` }]);
  });
});

function show(parts: readonly MarkedPart[]): string {
  return parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join("");
}

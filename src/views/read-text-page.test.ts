import { expect, test } from "vitest";
import { readTextPage } from "./read-text-page.ts";
import type { TextPage, TextPiece, TextQuery } from "./text-page.ts";

const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1} says "so"\n`);
const whole = lines.join("");

/** Split where no line ends, as a log is. */
function* inPieces(text: string): Generator<TextPiece> {
  for (let at = 0; at < text.length; at += 997) yield { text: text.slice(at, at + 997) };
}

async function read(text: string, query: Partial<TextQuery>, usual: "start" | "end" = "end"): Promise<TextPage> {
  const page = await readTextPage(() => [inPieces(text)], { limit: 8_000, ...query }, usual);
  if (!page.ok) throw new Error(page.error.message);
  return page.value;
}

test("unless something else is asked for, the end is read from the beginning of a line on, and the total is said", async () => {
  const { text, shown, ...total } = await read(whole, {});
  expect(total).toEqual({ lines: 5_000, bytes: whole.length });
  expect(text.length).toBeLessThanOrEqual(8_000);
  expect(text).toBe(lines.slice((shown?.[0] ?? 0) - 1).join(""));
  expect(shown?.[1]).toBe(5_000);
});

test("tail gives so many lines, fewer where they are too long together", async () => {
  expect((await read(whole, { tail: 3 })).text).toBe(lines.slice(-3).join(""));
  expect((await read("one\ntwo", { tail: 1 })).text).toBe("two");
  expect((await read("\n\n", { tail: 1 })).text).toBe("\n");
  expect((await read(whole, { tail: 3, limit: 50 })).text).toBe(lines.slice(-2).join(""));
  expect((await read("x".repeat(20_000), { tail: 1 })).text).toBe("x".repeat(8_000));
});

test("pages read on from their offsets are the whole text, and end with lines", async () => {
  let text = "";
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: TextPage = await read(whole, { offset, limit: 3_000 });
    expect(page.text.endsWith("\n")).toBe(true);
    expect(page.shown?.[0]).toBe(text.split("\n").length);
    text += page.text;
    offset = page.next;
  }
  expect(text).toBe(whole);
  expect(await read("🌿🌿🌿", { offset: 0, limit: 3 })).toMatchObject({ text: "🌿", next: 2, lines: 1, bytes: 12 });
  expect(await read(whole, { offset: whole.length })).toMatchObject({ text: "", lines: 5_000 });
});

test("grep gives the lines that hold the text, with their numbers, and reads on behind them", async () => {
  const first = await read(whole, { grep: "99 says", limit: 200 });
  expect(first.text).toMatch(/^99: line 99 says "so"\n199: line 199/);
  expect(first.matches).toMatchObject({ total: 50, isPattern: false });
  const next = await read(whole, { grep: "99 says", limit: 200, offset: first.next });
  expect(next.shown?.[0]).toBe(100 + (first.shown?.[1] ?? 0));
  expect((await read(whole, { grep: "99 says", tail: 2 })).text).toBe(
    '4899: line 4899 says "so"\n4999: line 4999 says "so"\n',
  );
});

test("what no line holds is looked for as a pattern, which takes no longer the more it could match", async () => {
  expect((await read(whole, { grep: "line (7|8) " })).text).toBe('7: line 7 says "so"\n8: line 8 says "so"\n');
  expect((await read("[core] broken\ncore\n", { grep: "[core]" })).text).toBe("1: [core] broken\n");
  expect((await read("core\n", { grep: "[core]" })).matches).toEqual({ total: 1, shown: 1, isPattern: true });
  expect((await read(whole, { grep: "no such(" })).matches).toEqual({ total: 0, shown: 0, isPattern: false });
  expect((await read(`${"a".repeat(50_000)}!`, { grep: "(a+)+$" })).matches?.total).toBe(0);
  const costly = await readTextPage(
    () => [inPieces(whole.repeat(20))],
    { limit: 1, grep: "(a{50}|b{50}){19}?x" },
    "end",
  );
  expect(costly).toMatchObject({ ok: false, error: { code: "too-much-text", fix: expect.any(String) } });
});

test("of a long line what was found is shown, with what is around it", async () => {
  const { text } = await read(`${"a".repeat(300_000)}needle${"b".repeat(300_000)}`, { grep: "needle" });
  expect(text).toMatch(/^1: \.\.\.a+needleb+\.\.\.\n$/);
  expect(text.length).toBeLessThan(600);
});

test("a line that is found stands under its heading", async () => {
  const pieces: readonly TextPiece[] = [
    { text: "== one\n", isHeading: true },
    { text: "good\nbad" },
    { text: "\n== two\n", isHeading: true },
    { text: "bad\nbad\n" },
  ];
  const page = await readTextPage(() => [pieces], { limit: 100, grep: "bad" }, "end");
  expect(page).toMatchObject({ ok: true, value: { text: "== one\n3: bad\n== two\n5: bad\n6: bad\n", lines: 6 } });
});

test("two places to begin at are refused", async () => {
  const page = await readTextPage(() => [], { limit: 1, offset: 0, tail: 1 }, "end");
  expect(page).toMatchObject({ ok: false, error: { code: "which-end" } });
});

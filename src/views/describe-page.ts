import type { TextPage, TextQuery } from "./text-page.ts";

/** How much there is of a text, and what of it a page holds, in a line. Doors add how to read on. */
export function describePage(
  { text, lines, bytes, shown, matches }: TextPage,
  { grep, offset = 0 }: TextQuery,
): string {
  const all = `${count(lines, "line")}, ${count(bytes, "byte")}`;
  if (matches === undefined) {
    if (shown === undefined) return offset > 0 && bytes > 0 ? `${all}, nothing after ${offset}` : all;
    const [first, last] = shown;
    if (Buffer.byteLength(text) === bytes) return all;
    return `${all}; here ${first === last ? `line ${figure(first)}` : `lines ${figure(first)}-${figure(last)}`}`;
  }
  const { total, isPattern } = matches;
  const found = `${count(total, "line")} with ${JSON.stringify(grep)}${isPattern ? " as a pattern" : ""}`;
  return `${all}; ${found}${matches.shown === total ? "" : `, ${figure(matches.shown)} of them here`}`;
}

function count(amount: number, noun: string): string {
  return `${figure(amount)} ${noun}${amount === 1 ? "" : "s"}`;
}

function figure(amount: number): string {
  return amount.toLocaleString("en-US");
}

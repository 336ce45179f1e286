import type { OpenWord, Scan } from "./scan.ts";

/** Text inside single quotes, spelled so that it stays inside them. */
export function escapeSingleQuoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}

/** At `'`: text in which nothing is special, so a value leaves the quotes and comes back. */
export function scanSingleQuoted(scan: Scan, word: OpenWord): void {
  const start = scan.position;
  word.quoted = true;
  scan.position += 1;
  for (;;) {
    const character = scan.peek();
    if (character === "") scan.stopUnbalanced(start, "This single quote is never closed.");
    if (character === "'") break;
    if (scan.atEscapedReference()) scan.takeEscapedReference(word, escapeSingleQuoted);
    else if (scan.atReference()) scan.takeReference(word, "single-quoted");
    else scan.takeRun(word, singleQuotedSpecial, true);
  }
  scan.position += 1;
}

const singleQuotedSpecial: ReadonlySet<string> = new Set(["'", "$"]);

/** At `$'`: like single quotes, with backslash escapes. */
export function scanAnsiQuoted(scan: Scan, word: OpenWord): void {
  const start = scan.position;
  word.quoted = true;
  scan.position += 2;
  for (;;) {
    const character = scan.peek();
    if (character === "") scan.stopUnbalanced(start, "This $' is never closed.");
    if (character === "'") {
      scan.position += 1;
      return;
    }
    if (character === "\\") scanAnsiEscape(scan, word);
    else if (scan.atEscapedReference()) scan.takeEscapedReference(word, escapeAnsiQuoted);
    else if (scan.atReference()) scan.takeReference(word, "ansi-quoted");
    else scan.takeRun(word, ansiQuotedSpecial, true);
  }
}

const ansiQuotedSpecial: ReadonlySet<string> = new Set(["'", "$", "\\"]);

function scanAnsiEscape(scan: Scan, word: OpenWord): void {
  if (scan.atReference(1)) {
    // `\$` is no escape here, and a backslash before the quote that ends the text would keep it open.
    word.text += "\\";
    scan.replace(1, "\\\\");
    return;
  }
  const following = scan.text.slice(scan.position + 1, Math.min(scan.position + 10, scan.limit));
  const numeric = numericEscape.exec(following);
  if (numeric === null) {
    word.text += ansiCharacters[scan.peek(1)] ?? scan.peek(1);
    scan.position += 2;
    return;
  }
  const [whole, octal, ...hexadecimal] = numeric;
  const digits = octal ?? hexadecimal.find((group) => group !== undefined) ?? "";
  const code = Number.parseInt(digits, octal === undefined ? 16 : 8) & 0x1fffff;
  if (code === 0 || code > 0x10ffff)
    scan.stopAmbiguous(scan.position, "Shells read this escape in different ways.", "Leave it out.");
  // The first control characters are marks of ours in a word's text.
  word.text += code < 8 ? "?" : String.fromCodePoint(code);
  scan.position += 1 + whole.length;
}

const ansiCharacters: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
const numericEscape = /^(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))/;

function escapeAnsiQuoted(text: string): string {
  return text.replaceAll(/[\\']/g, "\\$&");
}

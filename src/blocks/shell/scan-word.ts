import type { OpenWord, Scan } from "./scan.ts";
import { scanBackticks, scanDollar, scanDoubleQuoted, scanSubscriptOf } from "./scan-expansion.ts";
import { scanSingleQuoted } from "./scan-quotes.ts";
import type { Word } from "./shell-syntax.ts";

/**
 * What a word may be: an argument, something that can be an assignment (`a[1 + 2]=x`, `a=(x y)`), an element of an array, or the
 * regular expression of `[[ x =~ (a|b) ]]`.
 */
export type WordRole = "argument" | "assignment" | "element" | "regex";

/** Reads one word. The position is at its first character, which is no blank, newline or operator. */
export function scanWord(scan: Scan, role: WordRole, array = ""): Word {
  const word = scan.openWord();
  if (role === "element" && scan.peek() === "[") scanSubscript(scan, word, array);
  while (scanPiece(scan, word, role));
  return scan.closeWord(word);
}

/** Marks a word that is one bare value and nothing else, so that a list there becomes words. */
export function allowList(word: Word): void {
  const [only, ...others] = word.slots;
  if (only === undefined || others.length > 0 || only.context !== "bare") return;
  if (only.start === word.start && only.end === word.end) only.context = "words";
}

const wordSpecial: ReadonlySet<string> = new Set(" \t\n;&|<>()'\"\\$`[");

/** Takes the next piece of the word; false at its end. */
function scanPiece(scan: Scan, word: OpenWord, role: WordRole): boolean {
  const character = scan.peek();
  switch (character) {
    case "":
    case " ":
    case "\t":
    case "\n":
    case ";":
    case "&":
    case ")":
      return false;
    case "|":
      if (role !== "regex") return false;
      takeLiteral(scan, word);
      return true;
    case "(":
      return scanParenthesis(scan, word, role);
    case "<":
    case ">":
      if (scan.peek(1) !== "(") return false;
      scan.takeSubstitution(word);
      return true;
    case "'":
      scanSingleQuoted(scan, word);
      return true;
    case '"':
      scanDoubleQuoted(scan, word);
      return true;
    case "\\":
      scanBackslash(scan, word);
      return true;
    case "$":
      scanDollar(scan, word, "bare");
      return true;
    case "`":
      scanBackticks(scan, word);
      return true;
    case "[":
      if (role === "assignment" && !word.quoted && /^[A-Za-z_][A-Za-z0-9_]*$/.test(word.text))
        scanSubscript(scan, word, word.text);
      else takeLiteral(scan, word);
      return true;
    default:
      scan.takeRun(word, wordSpecial);
      return true;
  }
}

function takeLiteral(scan: Scan, word: OpenWord): void {
  word.text += scan.peek();
  scan.position += 1;
}

function scanBackslash(scan: Scan, word: OpenWord): void {
  const next = scan.peek(1);
  if (next !== "\n") {
    word.text += next;
    word.quoted = true;
  }
  scan.position += next === "" ? 1 : 2;
}

/** At `[` of `name[...]`; the text stands for the subscript without its contents. */
function scanSubscript(scan: Scan, word: OpenWord, array: string): void {
  scanSubscriptOf(scan, array);
  word.text += "[]";
}

/** At `(`: an array's elements, an extended pattern or a regular expression's group; otherwise the word's end. */
function scanParenthesis(scan: Scan, word: OpenWord, role: WordRole): boolean {
  const before = scan.text.charAt(scan.position - 1);
  if (role === "regex") scanPatternGroup(scan, word);
  else if (role === "assignment" && /^[A-Za-z_][A-Za-z0-9_]*(\[\])?\+?=$/.test(word.text)) scanElements(scan, word);
  else if (scan.startsWith("()")) return false;
  else if (word.text !== "" && "?*+@!".includes(before) && !(role === "assignment" && word.text === "!"))
    scanPatternGroup(scan, word);
  else return false;
  return true;
}

/** At `(` of `@(a|b)` or of a regular expression: blanks and operators stand for themselves up to its `)`. */
function scanPatternGroup(scan: Scan, word: OpenWord): void {
  const start = scan.position;
  takeLiteral(scan, word);
  scan.nested(() => {
    while (scan.peek() !== ")") {
      if (scan.peek() === "") scan.stopUnbalanced(start, "This ( is never closed.");
      if (scan.peek() === "(") scanPatternGroup(scan, word);
      else if (!scanPiece(scan, word, "regex")) takeLiteral(scan, word);
    }
  });
  takeLiteral(scan, word);
}

/** At `(` of `name=(...)`. */
function scanElements(scan: Scan, word: OpenWord): void {
  const start = scan.position;
  const array = /^\w*/.exec(word.text)?.[0] ?? "";
  const firstRead = scan.reads.length;
  word.elements = [];
  scan.position += 1;
  scan.nested(() => {
    for (;;) {
      skipBlankLines(scan);
      const character = scan.peek();
      if (character === "") scan.stopUnbalanced(start, "This ( is never closed.");
      if (character === ")") break;
      const before = scan.position;
      const element = scanWord(scan, "element", array);
      if (scan.position === before)
        scan.stopUnbalanced(start, `A ${character} can't stand in the elements of an array.`);
      allowList(element);
      word.text += element.text;
      word.elements?.push(element);
    }
  });
  scan.moveReads(firstRead, { at: -1 });
  scan.position += 1;
}

/** Passes over blanks, newlines and comments, where a newline starts no here-document. */
export function skipBlankLines(scan: Scan): void {
  for (;;) {
    scan.skipBlanks();
    if (scan.peek() === "#") skipComment(scan);
    else if (scan.peek() !== "\n") return;
    else if (scan.pendingBodies > 0) stopAtPendingBody(scan);
    else scan.position += 1;
  }
}

export function stopAtPendingBody(scan: Scan): never {
  scan.stopAmbiguous(
    scan.position,
    "A here-document is announced before this line's end, in a construct that goes on below.",
    "Put the command with the here-document on a line of its own.",
  );
}

export function skipComment(scan: Scan): void {
  while (scan.peek() !== "" && scan.peek() !== "\n") scan.position += 1;
}

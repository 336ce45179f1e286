import type { Refusal } from "./command-problem.ts";
import { explainExpansion, explainSubstitution, suspectVariable } from "./explain-foreign-syntax.ts";
import { insideBackticks, insideExpansion, insideOldArithmetic, insideSubscript, insideSubstring } from "./refusals.ts";
import type { OpenWord, Scan } from "./scan.ts";
import { escapeSingleQuoted, scanAnsiQuoted, scanSingleQuoted } from "./scan-quotes.ts";
import { expansionMark, valueMark } from "./shell-syntax.ts";

/** Where an expansion stands; inside double quotes and here-documents the shell does not split what it gives. */
type Place = "bare" | "double-quoted" | "here-document";

/** At `$`: one of ours, one of the shell's, or a dollar sign. */
export function scanDollar(scan: Scan, word: OpenWord, place: Place): void {
  if (scan.atEscapedReference()) scan.takeEscapedReference(word, literalSpelling[place]);
  else if (scan.atReference()) scan.takeReference(word, place);
  else if (scan.startsWith("$((")) scanArithmeticExpansion(scan, word);
  else if (scan.startsWith("$(")) {
    scan.report(explainSubstitution(scan.text, scan.position));
    scan.takeSubstitution(word);
  } else if (scan.startsWith("${")) scanParameter(scan, word, place);
  else if (scan.startsWith("$[")) scanOldArithmetic(scan, word);
  else if (place === "bare" && scan.startsWith("$'")) scanAnsiQuoted(scan, word);
  else if (place === "bare" && scan.startsWith('$"')) {
    scan.position += 1;
    scanDoubleQuoted(scan, word);
  } else scanPlainDollar(scan, word);
}

const literalSpelling: Record<Place, (literal: string) => string> = {
  bare: (literal) => `'${escapeSingleQuoted(literal)}'`,
  "double-quoted": (literal) => literal.replaceAll(/[$`"\\]/g, "\\$&"),
  "here-document": (literal) => literal.replaceAll(/[$`\\]/g, "\\$&"),
};

/** At `$name`, `$1`, `$$`, or a dollar sign that means itself. */
function scanPlainDollar(scan: Scan, word: OpenWord): void {
  const start = scan.position;
  scan.position += 1;
  const first = scan.peek();
  if (isNameStart(first)) {
    while (isNameCharacter(scan.peek())) scan.position += 1;
    scan.suspect(suspectVariable(scan.text, start, scan.position));
  } else if (first !== "" && "@*#?-!$0123456789".includes(first)) scan.position += 1;
  else {
    word.text += "$";
    return;
  }
  word.text += expansionMark;
}

function isNameStart(character: string): boolean {
  return /^[A-Za-z_]$/.test(character);
}

function isNameCharacter(character: string): boolean {
  return /^[A-Za-z0-9_]$/.test(character);
}

/** At `"`. */
export function scanDoubleQuoted(scan: Scan, word: OpenWord): void {
  const start = scan.position;
  word.quoted = true;
  scan.position += 1;
  scan.nested(() => {
    for (;;) {
      const character = scan.peek();
      if (character === "") scan.stopUnbalanced(start, "This double quote is never closed.");
      if (character === '"') break;
      if (character === "\\") scanQuotedBackslash(scan, word, '$`"\\');
      else if (character === "$") scanDollar(scan, word, "double-quoted");
      else if (character === "`") scanBackticks(scan, word);
      else scan.takeRun(word, quotedSpecial);
    }
  });
  scan.position += 1;
}

/** A backslash that only quotes the `special` characters, as in double quotes and here-documents. */
export function scanQuotedBackslash(scan: Scan, word: OpenWord, special: string): void {
  const next = scan.peek(1);
  if (next !== "\n") word.text += special.includes(next) ? next : `\\${next}`;
  scan.position += next === "" ? 1 : 2;
}

const quotedSpecial: ReadonlySet<string> = new Set(['"', "\\", "$", "`"]);

/** At a backtick. What stands inside is not looked at, except that it may hold none of ours. */
export function scanBackticks(scan: Scan, word: OpenWord): void {
  const start = scan.position;
  scan.position += 1;
  scan.demanding(insideBackticks, () => {
    for (;;) {
      const character = scan.peek();
      if (character === "") scan.stopUnbalanced(start, "This backtick is never closed.");
      if (character === "`") break;
      if (character === "\\") scan.position += scan.peek(1) === "" ? 1 : 2;
      else if (scan.atReference()) scan.takeReference(undefined, "bare");
      else scan.position += 1;
    }
  });
  scan.position += 1;
  word.text += expansionMark;
}

/** At `$((`. */
function scanArithmeticExpansion(scan: Scan, word: OpenWord): void {
  scan.demanding("integer", () => scanArithmetic(scan, 3));
  word.text += expansionMark;
}

/** Text up to the `))` that closes it; `opening` characters are passed over first. */
export function scanArithmetic(scan: Scan, opening: number): void {
  const start = scan.position;
  scan.position += opening;
  const ignored = scan.openWord();
  let open = 0;
  scan.nested(() => {
    for (;;) {
      const character = scan.peek();
      if (character === "") scan.stopUnbalanced(start, "This (( is never closed.");
      if (character === ")" && open === 0) break;
      if (character === "(") open += 1;
      if (character === ")") open -= 1;
      scanArithmeticPiece(scan, ignored, character);
    }
  });
  if (scan.peek(1) !== ")") {
    scan.stopAmbiguous(
      start,
      "This (( is not closed by )), so it may be two subshells.",
      "Put a space between the parentheses: ( (.",
    );
  }
  scan.position += 2;
}

function scanArithmeticPiece(scan: Scan, ignored: OpenWord, character: string): void {
  if (character === "$") scanDollar(scan, ignored, "double-quoted");
  else if (character === "`") scanBackticks(scan, ignored);
  else if (character === '"') scanDoubleQuoted(scan, ignored);
  else if (character === "'")
    scan.stopAmbiguous(scan.position, "Shells read a single quote in arithmetic in different ways.", "Leave it out.");
  else scan.position += character === "\\" && scan.peek(1) !== "" ? 2 : 1;
}

/** At `$[`. */
function scanOldArithmetic(scan: Scan, word: OpenWord): void {
  scan.position += 1;
  scanBracketed(scan, insideOldArithmetic);
  word.text += expansionMark;
}

/** At `[`: text up to the `]` that closes it, which bash takes for arithmetic. */
export function scanBracketed(scan: Scan, refusal: Refusal): void {
  const start = scan.position;
  const ignored = scan.openWord();
  let open = 0;
  scan.demanding(refusal, () =>
    scan.nested(() => {
      do {
        const character = scan.peek();
        if (character === "") scan.stopUnbalanced(start, "This [ is never closed.");
        if (character === "[") open += 1;
        if (character === "]") open -= 1;
        if (character === "'") scanSingleQuoted(scan, ignored);
        else scanArithmeticPiece(scan, ignored, character);
      } while (open > 0);
    }),
  );
}

/** At `${` that is not ours. */
function scanParameter(scan: Scan, word: OpenWord, place: Place): void {
  const start = scan.position;
  const firstSlot = scan.slots.length;
  scan.position += 2;
  scan.nested(() => {
    scanParameterName(scan);
    scan.report(explainExpansion(scan.text, start, scan.position));
    const operator = readOperator(scan);
    scan.demanding(operator.refusal, () => scanParameterText(scan, start, place, operator.quotesApply));
  });
  word.text += scan.slots.length > firstSlot ? valueMark : expansionMark;
}

function scanParameterName(scan: Scan): void {
  if (scan.peek() === "#" && scan.peek(1) !== "}") scan.position += 1;
  else if (scan.peek() === "!") scan.position += 1;
  if (isNameCharacter(scan.peek())) while (isNameCharacter(scan.peek())) scan.position += 1;
  else if (scan.peek() !== "" && "@*#?-!$".includes(scan.peek()) && !scan.atReference()) scan.position += 1;
  if (scan.peek() === "[") scanBracketed(scan, insideSubscript);
}

interface Operator {
  readonly refusal: Refusal | undefined;
  /** Whether single quotes quote even when the expansion itself is in double quotes, as in patterns. */
  readonly quotesApply: boolean;
}

function readOperator(scan: Scan): Operator {
  const operator = /^:?[-+=?]/.exec(scan.text.slice(scan.position, scan.position + 2))?.[0];
  if (operator === undefined)
    return { refusal: scan.peek() === ":" ? insideSubstring : insideExpansion, quotesApply: true };
  return { refusal: /[-+]$/.test(operator) ? undefined : insideExpansion, quotesApply: false };
}

function scanParameterText(scan: Scan, start: number, place: Place, quotesApply: boolean): void {
  const ignored = scan.openWord();
  for (;;) {
    const character = scan.peek();
    if (character === "") scan.stopUnbalanced(start, "This ${ is never closed.");
    if (character === "}") break;
    if (character === "\\") scan.position += scan.peek(1) === "" ? 1 : 2;
    else if (character === "$") scanDollar(scan, ignored, place);
    else if (character === "`") scanBackticks(scan, ignored);
    else if (character === '"') scanDoubleQuoted(scan, ignored);
    else if (character === "'" && (place === "bare" || quotesApply)) scanSingleQuoted(scan, ignored);
    else if (place === "bare" && (scan.startsWith("<(") || scan.startsWith(">("))) scan.takeSubstitution(ignored);
    else scan.position += 1;
  }
  scan.position += 1;
}

import type { Refusal } from "./command-problem.ts";
import { explainExpansion, explainSubstitution, suspectVariable } from "./explain-foreign-syntax.ts";
import {
  evaluatedNumber,
  evaluatedPrompt,
  evaluatedSubscript,
  indirectName,
  insideBackticks,
  insideExpansion,
  insideOldArithmetic,
  insideSubscript,
  insideSubstring,
} from "./refusals.ts";
import type { OpenWord, Scan } from "./scan.ts";
import { escapeSingleQuoted, scanAnsiQuoted, scanSingleQuoted } from "./scan-quotes.ts";
import { expansionMark, valueMark } from "./shell-syntax.ts";

/** Where an expansion stands; inside double quotes and here-documents the shell does not split what it gives. */
type Place = "bare" | "double-quoted" | "here-document";

/** At `$`: one of ours, one of the shell's, or a dollar sign. */
export function scanDollar(scan: Scan, word: OpenWord, place: Place): void {
  stopAtHiddenOpening(scan);
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
  } else scanPlainDollar(scan, word, place);
}

/** A continued line inside of `$((` or `${` is the same token to the shell, but easily misread. */
function stopAtHiddenOpening(scan: Scan): void {
  const opening = scan.peek(1) === "(" || scan.peek(1) === "{" ? 2 : 1;
  const at = scan.position + opening;
  if (scan.peek(opening) !== "\\" || scan.peek(opening + 1) !== "\n") return;
  stopAtContinuation(scan, scan.position, at + 2);
}

export function stopAtContinuation(scan: Scan, start: number, end: number): never {
  scan.stopAmbiguous(start, "A line is continued inside of this token.", "Write it on one line.", end);
}

const literalSpelling: Record<Place, (literal: string) => string> = {
  bare: (literal) => `'${escapeSingleQuoted(literal)}'`,
  "double-quoted": (literal) => literal.replaceAll(/[$`"\\]/g, "\\$&"),
  "here-document": (literal) => literal.replaceAll(/[$`\\]/g, "\\$&"),
};

/** At `$name`, `$1`, `$$`, or a dollar sign that means itself. */
function scanPlainDollar(scan: Scan, word: OpenWord, place: Place): void {
  const start = scan.position;
  scan.position += 1;
  const first = scan.peek();
  if (isNameStart(first)) {
    while (isNameCharacter(scan.peek())) scan.position += 1;
    scan.suspect(suspectVariable(scan.text, start, scan.position));
    if (scan.startsWith("\\\n") && isNameCharacter(scan.peek(2))) stopAtContinuation(scan, start, scan.position + 2);
  } else if (first !== "" && "@*#?-!$0123456789".includes(first)) scan.position += 1;
  else {
    word.text += "$";
    return;
  }
  noteRead(scan, word, scan.text.slice(start + 1, scan.position), start, place, "");
  word.text += expansionMark;
}

/** Notes what a variable or positional parameter gives; the others hold no text of ours. */
function noteRead(scan: Scan, word: OpenWord, name: string, start: number, place: Place, subscript: string): void {
  const positional = /^(?:[@*]|[1-9]\d*)$/.test(name);
  if (!positional && !isNameStart(name.charAt(0))) return;
  const all = name === "@" || name === "*";
  const full = positional ? `${scan.scope}:${all ? "@" : name}` : name;
  const list = all || subscript === "[@]" || subscript === "[*]";
  scan.noteRead(word, full, { start, end: scan.position }, { split: place === "bare", list });
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
  noteBackticked(scan, word, start);
  scan.position += 1;
  word.text += expansionMark;
}

/** Backticks are not read as commands, so every variable in them counts as evaluated. */
function noteBackticked(scan: Scan, word: OpenWord, start: number): void {
  const text = scan.text.slice(start, scan.position);
  const calculates = /\(\(|\[|\blet\b/.test(text);
  const first = scan.reads.length;
  for (const match of text.matchAll(
    calculates ? /\b([A-Za-z_]\w*|(?<=\$)[1-9])/g : /\$\{?[!#]?([A-Za-z_]\w*|[1-9@*])/g,
  )) {
    const at = start + match.index;
    const name = match[1] ?? "";
    scan.noteRead(
      word,
      isNameStart(name.charAt(0)) ? name : `${scan.scope}:${name}`,
      { start: at, end: at + match[0].length },
      { split: false, list: false },
    );
  }
  scan.noteEvaluations(first, insideBackticks);
  scan.moveReads(first, { at: word.text.length, fed: true });
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
  const firstRead = scan.reads.length;
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
  scan.noteEvaluations(firstRead, evaluatedNumber);
  // What comes out is a number.
  scan.reads.length = firstRead;
}

function scanArithmeticPiece(scan: Scan, ignored: OpenWord, character: string): void {
  if (character === "$") scanDollar(scan, ignored, "double-quoted");
  else if (character === "`") scanBackticks(scan, ignored);
  else if (character === '"') scanDoubleQuoted(scan, ignored);
  else if (character === "'")
    scan.stopAmbiguous(scan.position, "Shells read a single quote in arithmetic in different ways.", "Leave it out.");
  else if (isNameStart(character)) scanBareName(scan, ignored);
  else if (isNameCharacter(character)) while (isNameCharacter(scan.peek())) scan.position += 1;
  else scan.position += character === "\\" && scan.peek(1) !== "" ? 2 : 1;
}

/** At a name in arithmetic, where it stands for the variable's contents unless it is only assigned. */
function scanBareName(scan: Scan, ignored: OpenWord): void {
  const start = scan.position;
  while (isNameCharacter(scan.peek())) scan.position += 1;
  const name = scan.text.slice(start, scan.position);
  const assigned = /^[ \t]*=(?!=)/.test(scan.text.slice(scan.position, scan.position + 20));
  if (!assigned) scan.noteRead(ignored, name, { start, end: scan.position }, { split: false, list: false });
}

/** At `$[`. */
function scanOldArithmetic(scan: Scan, word: OpenWord): void {
  const firstRead = scan.reads.length;
  scan.position += 1;
  scanBracketed(scan, insideOldArithmetic);
  scan.noteEvaluations(firstRead, evaluatedNumber);
  scan.reads.length = firstRead;
  word.text += expansionMark;
}

/** At `[` of a subscript of `array`, whose keys the shell may evaluate. */
export function scanSubscriptOf(scan: Scan, array: string): void {
  const firstRead = scan.reads.length;
  scanBracketed(scan, insideSubscript);
  scan.noteEvaluations(firstRead, evaluatedSubscript, array);
  scan.moveReads(firstRead, { at: -1 });
}

/** At `[`: text up to the `]` that closes it, which bash takes for arithmetic. */
function scanBracketed(scan: Scan, refusal: Refusal): void {
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
  const firstRead = scan.reads.length;
  scan.nested(() => {
    const { prefix, name, subscript } = scanParameterName(scan);
    scan.report(explainExpansion(scan.text, start, scan.position));
    const operator = readOperator(scan);
    const nameEnd = scan.position;
    const firstInText = scan.reads.length;
    scan.demanding(operator.refusal, () => scanParameterText(scan, start, place, operator));
    if (operator.calculates) {
      scan.noteEvaluations(firstInText, evaluatedNumber);
      scan.reads.length = firstInText;
    }
    if (operator.assigns) scan.defaults.push({ name, reads: scan.reads.slice(firstInText) });
    if (scan.reads.length - firstRead > mostReads) scan.gatherReads(firstRead, start);
    scan.moveReads(firstRead, { at: word.text.length });
    // A length is a number.
    if (prefix === "#") return;
    const first = scan.reads.length;
    noteRead(scan, word, name, start, place, subscript);
    const rest = scan.text.slice(nameEnd, Math.min(scan.position, nameEnd + 3));
    if (prefix === "!" && subscript === "" && !/^[@*]/.test(rest)) scan.noteEvaluations(first, indirectName);
    if (/^@P/.test(rest)) scan.noteEvaluations(first, evaluatedPrompt);
  });
  word.text += scan.slots.length > firstSlot ? valueMark : expansionMark;
}

const mostReads = 10;

interface ParameterName {
  readonly prefix: "#" | "!" | "";
  readonly name: string;
  readonly subscript: string;
}

function scanParameterName(scan: Scan): ParameterName {
  let prefix: ParameterName["prefix"] = "";
  if (scan.peek() === "#" && scan.peek(1) !== "}") prefix = "#";
  else if (scan.peek() === "!") prefix = "!";
  scan.position += prefix.length;
  const start = scan.position;
  if (isNameCharacter(scan.peek())) while (isNameCharacter(scan.peek())) scan.position += 1;
  else if (scan.peek() !== "" && "@*#?-!$".includes(scan.peek()) && !scan.atReference()) scan.position += 1;
  const end = scan.position;
  const name = scan.text.slice(start, end);
  if (scan.startsWith("\\\n")) stopAtContinuation(scan, start, scan.position + 2);
  if (scan.peek() === "[") scanSubscriptOf(scan, name);
  return { prefix, name, subscript: scan.text.slice(end, scan.position) };
}

interface Operator {
  readonly refusal: Refusal | undefined;
  /** Whether single quotes quote even when the expansion itself is in double quotes, as in patterns. */
  readonly quotesApply: boolean;
  /** Whether the text after it is arithmetic. */
  readonly calculates: boolean;
  readonly assigns: boolean;
}

function readOperator(scan: Scan): Operator {
  const operator = /^:?[-+=?]/.exec(scan.text.slice(scan.position, scan.position + 2))?.[0];
  if (operator === undefined) {
    const calculates = scan.peek() === ":";
    return { refusal: calculates ? insideSubstring : insideExpansion, quotesApply: true, calculates, assigns: false };
  }
  const refusal = /[-+]$/.test(operator) ? undefined : insideExpansion;
  return { refusal, quotesApply: false, calculates: false, assigns: operator.endsWith("=") };
}

function scanParameterText(scan: Scan, start: number, place: Place, { quotesApply, calculates }: Operator): void {
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
    else if (calculates && isNameStart(character)) scanBareName(scan, ignored);
    else scan.position += 1;
  }
  scan.position += 1;
}

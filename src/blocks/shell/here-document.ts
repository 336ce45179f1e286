import { refuse } from "./command-problem.ts";
import { hereDocumentDelimiter } from "./refusals.ts";
import type { OpenWord, Scan } from "./scan.ts";
import { scanBackticks, scanDollar, scanQuotedBackslash } from "./scan-expansion.ts";
import type { Redirect } from "./shell-syntax.ts";

/** A here-document between its `<<` and its body. */
export interface HereDocument {
  readonly redirect: Redirect;
  readonly start: number;
  /** Which segment holds the `<<EOF`: a quoted delimiter is written anew when its body turns out to hold a value. */
  readonly operatorSegment: number;
  readonly operator: "<<" | "<<-";
  readonly delimiter: string;
  readonly quoted: boolean;
}

/** At `<<` or `<<-`: takes it and the delimiter. */
export function scanHereDocumentOperator(scan: Scan): HereDocument {
  const start = scan.position;
  scan.flush();
  const operator = scan.startsWith("<<-") ? "<<-" : "<<";
  scan.position += operator.length;
  scan.skipBlanks();
  const word = scan.openWord();
  while (scanDelimiterPiece(scan, word));
  if (scan.position === word.start) scan.stopUnbalanced(start, "This here-document has no delimiter.");
  const redirect: Redirect = { operator, target: scan.closeWord(word), body: [], bodyReads: [] };
  scan.flush();
  return {
    redirect,
    start,
    operatorSegment: scan.segments.length - 1,
    operator,
    delimiter: word.text,
    quoted: word.quoted,
  };
}

function scanDelimiterPiece(scan: Scan, word: OpenWord): boolean {
  const character = scan.peek();
  if (character === "" || " \t\n;&|<>()".includes(character)) return false;
  if (scan.atReference()) {
    const end = scan.text.indexOf("}", scan.position) + 1 || scan.limit;
    scan.problems.push(refuse(hereDocumentDelimiter, scan.text, { start: scan.position, end }));
    word.text += scan.text.slice(scan.position, end);
    scan.position = end;
    return true;
  }
  if (character === "'" || character === '"') {
    const close = scan.text.indexOf(character, scan.position + 1);
    const text = close === -1 || close >= scan.limit ? undefined : scan.text.slice(scan.position + 1, close);
    if (text === undefined || /[\n\\]/.test(text)) stopAtDelimiter(scan);
    word.text += text;
    word.quoted = true;
    scan.position = close + 1;
    return true;
  }
  if (character === "\\") {
    if (scan.peek(1) === "\n" || scan.peek(1) === "") stopAtDelimiter(scan);
    word.text += scan.peek(1);
    word.quoted = true;
    scan.position += 2;
    return true;
  }
  if (character === "`" || /^\$['"({[]$/.test(character + scan.peek(1))) stopAtDelimiter(scan);
  word.text += character;
  scan.position += 1;
  return true;
}

function stopAtDelimiter(scan: Scan): never {
  scan.stopAmbiguous(
    scan.position,
    "Shells read this here-document's delimiter in different ways.",
    "Use a plain word such as EOF.",
  );
}

/** At the first line of the body: takes it and the delimiter's line, except for the newline that ends it. */
export function scanHereDocumentBody(scan: Scan, document: HereDocument): void {
  const { end, next } = findBody(scan, document);
  const firstSlot = scan.slots.length;
  const firstRead = scan.reads.length;
  const outerLimit = scan.limit;
  scan.limit = end;
  let delimiter = document.delimiter;
  if (!document.quoted) scanExpandedBody(scan);
  else if (holdsReference(scan)) delimiter = scanQuotedBody(scan, document);
  else scanLiteralBody(scan);
  scan.limit = outerLimit;
  scan.position = next - document.delimiter.length;
  if (delimiter !== document.delimiter) scan.replace(document.delimiter.length, delimiter);
  scan.position = next;
  for (const slot of scan.slots.slice(firstSlot)) document.redirect.body.push(slot);
  for (const read of scan.reads.slice(firstRead)) document.redirect.bodyReads.push(read);
}

/** Where the delimiter's line starts and ends. */
function findBody(scan: Scan, document: HereDocument): { end: number; next: number } {
  let continued: string | undefined;
  let lineStart = scan.position;
  while (lineStart < scan.limit) {
    const newline = scan.text.indexOf("\n", lineStart);
    const lineEnd = newline === -1 || newline > scan.limit ? scan.limit : newline;
    const whole = scan.text.slice(lineStart, lineEnd);
    const line = document.operator === "<<-" ? whole.replace(/^\t+/, "") : whole;
    if ((continued ?? "") + line === document.delimiter) {
      if (continued !== undefined) stopAtDelimiter(scan);
      return { end: lineStart, next: lineEnd };
    }
    const continues = !document.quoted && endsInContinuation(line);
    continued = continues ? (continued ?? "") + line.slice(0, -1) : undefined;
    lineStart = lineEnd + 1;
  }
  scan.stopUnbalanced(document.start, `This here-document is never ended by a line ${document.delimiter}.`);
}

function endsInContinuation(line: string): boolean {
  let backslashes = 0;
  while (line.charAt(line.length - 1 - backslashes) === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

/** The body of `<<EOF`: the shell expands it as if in double quotes, with the quote itself a plain character. */
function scanExpandedBody(scan: Scan): void {
  const ignored = scan.openWord();
  for (;;) {
    const character = scan.peek();
    if (character === "") return;
    if (character === "\\") scanQuotedBackslash(scan, ignored, "$`\\");
    else if (character === "$") scanDollar(scan, ignored, "here-document");
    else if (character === "`") scanBackticks(scan, ignored);
    else scan.takeRun(ignored, bodySpecial);
  }
}

const bodySpecial: ReadonlySet<string> = new Set(["\\", "$", "`"]);

/** The body of `<<'EOF'` that holds a value: the shell has to expand it now, and nothing but the value. */
function scanQuotedBody(scan: Scan, document: HereDocument): string {
  const delimiter = plainDelimiter(document.delimiter, scan.text.slice(scan.position, scan.limit));
  scan.segments[document.operatorSegment] = document.operator + delimiter;
  const ignored = scan.openWord();
  for (;;) {
    const character = scan.peek();
    if (character === "") return delimiter;
    if (scan.atEscapedReference()) scan.takeEscapedReference(ignored, escapeBody);
    else if (scan.atReference()) scan.takeReference(ignored, "escaped-here-document");
    else if (bodySpecial.has(character)) scan.replace(1, escapeBody(character));
    else scan.takeRun(ignored, bodySpecial, true);
  }
}

/** Text in the body of an unquoted here-document that the shell leaves as it is. */
export function escapeBody(text: string): string {
  return text.replaceAll(/[\\$`]/g, "\\$&");
}

/** A delimiter that needs no quotes, and so does not make the body a quoted one. */
function plainDelimiter(delimiter: string, body: string): string {
  if (/^[A-Za-z0-9_]+$/.test(delimiter)) return delimiter;
  let plain = "END";
  while (body.includes(plain)) plain += "_";
  return plain;
}

function scanLiteralBody(scan: Scan): void {
  const ignored = scan.openWord();
  while (scan.peek() !== "") {
    if (scan.atEscapedReference()) scan.takeEscapedReference(ignored, (literal) => literal);
    else scan.takeRun(ignored, dollar, true);
  }
}

const dollar: ReadonlySet<string> = new Set(["$"]);

function holdsReference(scan: Scan): boolean {
  const start = scan.position;
  let found = false;
  while (!found && scan.peek() !== "") {
    if (scan.atEscapedReference()) scan.position += 2;
    else if (scan.atReference()) found = true;
    scan.position += 1;
  }
  scan.position = start;
  return found;
}

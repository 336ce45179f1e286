import { ScanStop } from "./command-problem.ts";
import { type HereDocument, scanHereDocumentBody, scanHereDocumentOperator } from "./here-document.ts";
import {
  closers,
  emptyCommand,
  type Frame,
  isDescriptor,
  keywords,
  type OpenCommand,
  parametersWord,
  refuseDescriptor,
  takesAssignments,
} from "./open-command.ts";
import { insideArithmeticCommand, loopName } from "./refusals.ts";
import { Scan } from "./scan.ts";
import { scanArithmetic, stopAtContinuation } from "./scan-expansion.ts";
import { allowList, scanWord, skipBlankLines, skipComment, stopAtPendingBody } from "./scan-word.ts";
import { type Command, readAssignment, type Word } from "./shell-syntax.ts";

/** A scan of a whole command text, and what ended it where the text can't be read. */
export interface CommandScan {
  readonly scan: Scan;
  readonly stop: ScanStop | undefined;
}

export function scanCommands(text: string): CommandScan {
  const scan = new Scan(text, (inner) => new CommandList(inner, true).scan());
  try {
    new CommandList(scan, false).scan();
  } catch (stop) {
    if (stop instanceof ScanStop) return { scan, stop };
    throw stop;
  }
  scan.flush();
  return { scan, stop: undefined };
}

const separators = [";;&", ";;", ";&", "&&", "||", "|&", ";", "&", "|"] as const;
const redirectOperators = ["<<<", "&>>", "&>", ">>", ">&", ">|", "<&", "<>", "<", ">"] as const;
const conditionalOperators = ["&&", "||", "(", ")", "<", ">"] as const;
const mostOpen = 1000;

/** The commands of a script, or of one substitution up to its `)`. */
class CommandList {
  private readonly scanned: Scan;
  private readonly inSubstitution: boolean;
  private readonly start: number;
  private readonly outerBodies: number;
  private readonly frames: Frame[] = [];
  private documents: HereDocument[] = [];
  private command: OpenCommand = emptyCommand(undefined, false);
  /** The name of the function whose body comes next. */
  private defines: string | undefined;

  constructor(scan: Scan, inSubstitution: boolean) {
    this.scanned = scan;
    this.inSubstitution = inSubstitution;
    this.start = scan.position;
    this.outerBodies = scan.pendingBodies;
  }

  scan(): void {
    const scan = this.scanned;
    for (;;) {
      scan.skipBlanks();
      const frame = this.frames.at(-1);
      if (frame?.inPattern) this.scanCasePattern(frame);
      else if (scan.peek() === "") break;
      else if (scan.peek() === ")" && this.inSubstitution && frame === undefined) {
        this.endCommand("");
        this.requireNoPendingBody();
        scan.position += 1;
        return;
      } else this.scanToken();
    }
    this.endCommand("");
    if (this.inSubstitution) scan.stopUnbalanced(this.start - 2, "This parenthesis is never closed.");
    const open = this.frames.at(-1);
    if (open !== undefined) scan.stopUnbalanced(open.start, "This compound command is never ended.");
    this.requireNoPendingBody();
  }

  private requireNoPendingBody(): void {
    const [pending] = this.documents;
    if (pending !== undefined) this.scanned.stopUnbalanced(pending.start, "This here-document has no body.");
  }

  private scanToken(): void {
    const scan = this.scanned;
    switch (scan.peek()) {
      case "\n":
        this.scanNewline();
        return;
      case "#":
        skipComment(scan);
        return;
      case ";":
      case "&":
      case "|":
        this.scanSeparator();
        return;
      case "(":
        this.scanOpening();
        return;
      case ")":
        this.endCommand("");
        this.closeFrame("(", 1);
        return;
      case "<":
      case ">":
        if (scan.peek(1) === "(") this.scanCommandWord();
        else this.scanRedirect();
        return;
      default:
        this.scanCommandWord();
    }
  }

  private scanNewline(): void {
    this.endCommand("\n");
    if (this.outerBodies > 0) stopAtPendingBody(this.scanned);
    this.scanned.position += 1;
    // A newline inside a body starts no other one.
    this.scanned.pendingBodies -= this.documents.length;
    for (const [index, document] of this.documents.entries()) {
      if (index > 0 && this.scanned.peek() === "\n") this.scanned.position += 1;
      scanHereDocumentBody(this.scanned, document);
    }
    this.documents = [];
  }

  private scanSeparator(): void {
    const scan = this.scanned;
    if (scan.startsWith("&>")) {
      this.scanRedirect();
      return;
    }
    const separator = separators.find((candidate) => scan.startsWith(candidate)) ?? "";
    if (separator === "&") scan.background ??= scan.position;
    const frame = this.frames.at(-1);
    this.endCommand(separator);
    if (separator.startsWith(";;") || separator === ";&") {
      if (frame?.kind !== "case")
        this.scanned.stopUnbalanced(scan.position, `This ${separator} stands outside of a case.`);
      frame.inPattern = true;
    }
    scan.position += separator.length;
  }

  private scanOpening(): void {
    const scan = this.scanned;
    const { words, assignments } = this.command;
    if (words.length === 1 && assignments.length === 0 && this.atEmptyParentheses()) {
      this.defines = words[0]?.text;
      this.command = emptyCommand(undefined, false);
      return;
    }
    if (words.length > 0 || assignments.length > 0) scan.stopUnbalanced(scan.position, "This ( can't stand here.");
    if (scan.startsWith("(\\\n")) stopAtContinuation(scan, scan.position, scan.position + 3);
    if (scan.startsWith("((")) {
      this.open("(", 0);
      scan.demanding(insideArithmeticCommand, () => scanArithmetic(scan, 2));
      this.closeFrame("(", 0);
    } else this.open("(", 1);
  }

  /** Takes the `()` of a function's definition. */
  private atEmptyParentheses(): boolean {
    const scan = this.scanned;
    const start = scan.position;
    scan.position += 1;
    scan.skipBlanks();
    if (scan.peek() === ")") {
      scan.position += 1;
      return true;
    }
    scan.position = start;
    return false;
  }

  private open(kind: Frame["kind"], length: number): void {
    if (this.frames.length >= mostOpen)
      this.scanned.stopUnbalanced(this.scanned.position, `More than ${mostOpen} commands are open here.`);
    const { start = this.scanned.position, pipedFrom, joined } = this.command;
    const { defines } = this;
    const { scope: outerScope } = this.scanned;
    const firstMember = this.scanned.commands.length;
    this.frames.push({ kind, start, firstMember, pipedFrom, joined, inPattern: false, defines, outerScope });
    this.scanned.scope = defines ?? outerScope;
    this.defines = undefined;
    this.command = emptyCommand(undefined, false);
    this.scanned.position += length;
  }

  private closeFrame(kind: Frame["kind"], length: number): void {
    const frame = this.frames.pop();
    if (frame?.kind !== kind)
      this.scanned.stopUnbalanced(this.scanned.position, "This ends a compound command that was not begun.");
    this.scanned.position += length;
    this.command = emptyCommand(frame.pipedFrom, frame.joined);
    this.command.kind = "group";
    this.command.start = frame.start;
    this.command.members = { from: frame.firstMember, to: this.scanned.commands.length };
    this.command.defines = frame.defines;
    this.scanned.scope = frame.outerScope;
  }

  private endCommand(separator: string): void {
    const { kind, start } = this.command;
    // A newline after `|` or `&&` does not end anything.
    if (start === undefined) {
      if (separator !== "\n") this.command = emptyCommand(undefined, false);
      return;
    }
    const joins = separator === "&&" || separator === "||" || separator.startsWith("|");
    const topLevel = !this.inSubstitution && this.frames.length === 0;
    const end = this.scanned.position;
    const { scope } = this.scanned;
    const command: Command = { ...this.command, kind, start, end, topLevel, scope };
    this.scanned.commands.push(command);
    this.command = emptyCommand(separator === "|" || separator === "|&" ? command : undefined, joins);
  }

  private scanRedirect(): void {
    const scan = this.scanned;
    this.command.start ??= scan.position;
    if (scan.startsWith("<<") && !scan.startsWith("<<<")) {
      const document = scanHereDocumentOperator(scan);
      this.documents.push(document);
      scan.pendingBodies += 1;
      this.command.redirects.push(document.redirect);
      return;
    }
    const start = scan.position;
    const operator = redirectOperators.find((candidate) => scan.startsWith(candidate)) ?? "";
    scan.position += operator.length;
    scan.skipBlanks();
    const before = scan.position;
    const target = scanWord(scan, "argument");
    if (scan.position === before) scan.stopUnbalanced(start, "This redirection has no target.");
    this.command.redirects.push({ operator, target, body: [], bodyReads: [] });
  }

  private scanCommandWord(): void {
    const { kind, words, assignments, redirects } = this.command;
    const scan = this.scanned;
    const atCommand = kind !== "for" && words.length === 0;
    const atKeyword = atCommand && assignments.length === 0 && (redirects.length === 0 || kind === "group");
    const before = scan.position;
    const word = scanWord(scan, atCommand || takesAssignments(words) ? "assignment" : "argument");
    if (scan.position === before) scan.stopUnbalanced(before, `A ${scan.peek()} can't stand here.`);
    if (scan.peek() === "<" || scan.peek() === ">") {
      if (isDescriptor(word)) return;
      if (/^\{\w+\[/.test(word.text)) refuseDescriptor(scan, word);
    }
    if (atKeyword && !word.quoted && keywords.has(word.text)) {
      this.takeKeyword(word);
      return;
    }
    this.command.start ??= word.start;
    if (kind === "group") this.command.kind = "simple";
    if (atCommand && readAssignment(word) !== undefined) assignments.push(word);
    else {
      allowList(word);
      words.push(word);
    }
  }

  private takeKeyword(word: Word): void {
    if (this.command.start !== undefined) this.endCommand(";");
    const closed = closers.get(word.text);
    if (closed !== undefined) this.closeFrame(closed, 0);
    else if (word.text === "{" || word.text === "if") this.open(word.text, 0);
    else if (word.text === "while" || word.text === "until") this.open("loop", 0);
    else if (word.text === "for" || word.text === "select") this.scanFor();
    else if (word.text === "case") this.scanCase();
    else if (word.text === "[[") this.scanConditional(word);
    else if (word.text === "function") this.scanFunctionName();
    else if (word.text === "time") this.skipTimeOptions();
    else if (word.text === "coproc") {
      this.scanned.stopAmbiguous(word.start, "A coprocess can't be told from its name.", "Use a pipe or a named pipe.");
    }
  }

  private skipTimeOptions(): void {
    for (const option of ["-p", "--"]) {
      this.scanned.skipBlanks();
      if (this.scanned.startsWith(option) && " \t\n".includes(this.scanned.peek(2))) this.scanned.position += 2;
    }
  }

  private scanFor(): void {
    const scan = this.scanned;
    this.open("loop", 0);
    scan.skipBlanks();
    if (scan.startsWith("(\\\n")) stopAtContinuation(scan, scan.position, scan.position + 3);
    if (scan.startsWith("((")) {
      scan.demanding(insideArithmeticCommand, () => scanArithmetic(scan, 2));
      return;
    }
    let name: Word | undefined;
    scan.demanding(loopName, () => {
      name = scanWord(scan, "argument");
    });
    const start = scan.position;
    skipBlankLines(scan);
    if (name === undefined) return;
    const loop = { ...emptyCommand(undefined, false), kind: "for" as const, start: name.start, assignments: [name] };
    if (this.takeIn()) {
      this.command = loop;
      return;
    }
    scan.position = start;
    const words = [parametersWord(scan)];
    scan.commands.push({ ...loop, words, end: start, joined: true, topLevel: false, scope: scan.scope });
  }

  /** Takes the word `in`. */
  private takeIn(): boolean {
    const scan = this.scanned;
    if (!scan.startsWith("in") || !" \t\n;\\#".includes(scan.peek(2))) return false;
    scan.position += 2;
    return true;
  }

  private scanCase(): void {
    const scan = this.scanned;
    this.open("case", 0);
    scan.skipBlanks();
    scanWord(scan, "argument");
    skipBlankLines(scan);
    if (!this.takeIn()) scan.stopUnbalanced(scan.position, "A case needs the word in after its subject.");
    const frame = this.frames.at(-1);
    if (frame !== undefined) frame.inPattern = true;
  }

  private scanCasePattern(frame: Frame): void {
    const scan = this.scanned;
    skipBlankLines(scan);
    const start = scan.position;
    const bare = scan.peek() !== "(";
    if (!bare) scan.position += 1;
    for (let first = true; ; first = false) {
      scan.skipBlanks();
      const before = scan.position;
      const pattern = scanWord(scan, "argument");
      if (bare && first && pattern.text === "esac" && !pattern.quoted) {
        this.closeFrame("case", 0);
        return;
      }
      scan.skipBlanks();
      const next = scan.peek();
      if (scan.position === before || (next !== "|" && next !== ")"))
        scan.stopUnbalanced(start, "This is no pattern of a case.");
      scan.position += 1;
      if (next === ")") break;
    }
    frame.inPattern = false;
  }

  /** Behind `[[`. Operators become words of their own; the check looks at what stands beside them. */
  private scanConditional(opening: Word): void {
    const scan = this.scanned;
    this.open("(", 0);
    this.command.kind = "conditional";
    this.command.start = opening.start;
    let last = "";
    for (;;) {
      skipBlankLines(scan);
      const start = scan.position;
      const operator = conditionalOperators.find((candidate) => scan.startsWith(candidate));
      if (operator !== undefined && !(scan.peek(1) === "(" && "<>".includes(operator)) && last !== "=~") {
        scan.position += operator.length;
        last = operator;
      } else {
        const word = scanWord(scan, last === "=~" ? "regex" : "argument");
        if (scan.position === start) scan.stopUnbalanced(opening.start, "This [[ is never closed.");
        if (word.text === "]]" && !word.quoted) break;
        this.command.words.push(word);
        last = word.text;
      }
    }
    this.endCommand("");
    this.closeFrame("(", 0);
  }

  private scanFunctionName(): void {
    this.scanned.skipBlanks();
    this.defines = scanWord(this.scanned, "argument").text;
    this.scanned.skipBlanks();
    if (this.scanned.peek() === "(") this.atEmptyParentheses();
    this.command = emptyCommand(undefined, false);
  }
}

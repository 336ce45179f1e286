import type { LiteralVariables } from "./literal-variables.ts";
import { type Command, literalText, type ParsedWord, type Piece } from "./shell-syntax.ts";

interface WrittenText {
  readonly source: string;
  readonly word: ParsedWord;
}

const longestSource = 10_000;

/** The texts that a script writes out and gives to a command, or prints. */
export class WrittenTexts {
  private readonly commands: readonly Command[];
  private readonly literals: LiteralVariables;
  private readonly outputs = new Map<number, WrittenText | undefined>();
  private piped: ReadonlySet<number> | undefined;
  private members: ReadonlyMap<number, readonly Command[]> | undefined;

  constructor(commands: readonly Command[], literals: LiteralVariables) {
    this.commands = commands;
    this.literals = literals;
  }

  /** What is written out on the standard input: a here-document, a here-string, or what echo prints. */
  inputOf({ redirects, pipedFrom }: Command): WrittenText | undefined {
    for (const { body, operator, target, start, end } of redirects) {
      const pieces = body ?? (operator === "<<<" ? target.pieces : undefined);
      if (pieces !== undefined) return { source: this.source(pieces), word: { ...target, start, end } };
    }
    const source = pipedFrom === undefined ? undefined : this.commands[pipedFrom];
    return source === undefined ? undefined : this.outputOf(source);
  }

  /** What a command prints that is written out in it: cat and tee of a here-document, echo, a group of these. */
  outputOf(command: Command): WrittenText | undefined {
    if (!this.outputs.has(command.id)) {
      const output = command.kind === "group" ? this.outputOfGroup(command) : this.outputOfProgram(command);
      this.outputs.set(command.id, (output?.source.length ?? 0) > longestSource ? undefined : output);
    }
    return this.outputs.get(command.id);
  }

  private outputOfProgram(command: Command): WrittenText | undefined {
    const [program, ...parameters] = command.words;
    const name = literalText(program) ?? "";
    if (name === "cat" || name === "tee") return this.inputOf(command);
    const [first] = parameters;
    if (first === undefined || !/^(?:echo|printf)$/.test(name)) return undefined;
    if (name === "printf") return { source: this.format(parameters), word: first };
    const option = /^-[neE]+$/.exec(literalText(first) ?? "")?.[0] ?? "";
    const text = (option === "" ? parameters : parameters.slice(1)).map(({ pieces }) => this.source(pieces)).join(" ");
    return { source: option.includes("e") ? decoded(text) : text, word: first };
  }

  /** What printf prints; of directives only `%s` and its simple relatives are known. */
  format([first, ...parameters]: readonly ParsedWord[]): string {
    const format = decoded(first === undefined ? "" : this.source(first.pieces));
    const texts = parameters.map(({ pieces }) => this.source(pieces));
    let printed = "";
    do {
      const left = texts.length;
      printed += format.replaceAll(/%([sbqd%])/g, (_, directive) => printedAs(directive, () => texts.shift() ?? ""));
      if (texts.length === left) break;
    } while (texts.length > 0 && printed.length <= longestSource);
    return printed;
  }

  private outputOfGroup({ id }: Command): WrittenText | undefined {
    this.members ??= membersOf(this.commands);
    this.piped ??= new Set(this.commands.flatMap(({ pipedFrom }) => pipedFrom ?? []));
    const printing = (this.members.get(id) ?? []).filter((member) => !this.piped?.has(member.id));
    const texts = printing.flatMap((member) => this.outputOf(member) ?? []);
    const [first] = texts;
    return first === undefined ? undefined : { ...first, source: texts.map(({ source }) => source).join("\n") };
  }

  /** The text as it will be run, as far as it is known: what is computed stands there as a variable. */
  source(pieces: readonly Piece[]): string {
    return pieces
      .map((piece) => {
        if (piece.kind === "text") return piece.text;
        if (piece.kind !== "read" || !/^[A-Za-z_]\w*$/.test(piece.holder)) return "${_computed}";
        return this.literals.get(piece.holder) ?? `\${${piece.holder}}`;
      })
      .join("");
  }
}

/** What a number was made of is not in it. */
function printedAs(directive: string, take: () => string): string {
  if (directive === "%") return "%";
  const text = take();
  return directive === "d" ? "0" : text;
}

function decoded(text: string): string {
  return text.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
}

function membersOf(commands: readonly Command[]): Map<number, Command[]> {
  const members = new Map<number, Command[]>();
  for (const command of commands) {
    if (command.parent === undefined) continue;
    const others = members.get(command.parent);
    if (others === undefined) members.set(command.parent, [command]);
    else others.push(command);
  }
  return members;
}

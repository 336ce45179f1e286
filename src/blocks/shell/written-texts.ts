import { fileOf } from "./file-holders.ts";
import type { LiteralVariables } from "./literal-variables.ts";
import { type Command, literalText, type ParsedWord, type Piece } from "./shell-syntax.ts";

interface WrittenText {
  readonly source: string;
  readonly word: ParsedWord;
}

/** The texts that a script writes out and gives to a command, or to a file. */
export class WrittenTexts {
  private readonly commands: readonly Command[];
  private readonly literals: LiteralVariables;
  private files: ReadonlyMap<string, string> | undefined;

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

  /** What the script writes to the file, as far as it is written out. */
  contentsOf(file: string): string | undefined {
    this.files ??= this.readFiles();
    return this.files.get(file);
  }

  private readFiles(): Map<string, string> {
    const files = new Map<string, string>();
    for (const command of this.commands) {
      const targets = command.redirects
        .filter(({ operator }) => /^&?>[>|]?$/.test(operator))
        .map(({ target }) => target);
      if (literalText(command.words[0]) === "tee") targets.push(...command.words.slice(1));
      const written = targets.length === 0 ? undefined : this.outputOf(command);
      if (written === undefined) continue;
      for (const target of targets) {
        const file = fileOf(target, this.literals);
        if (file === undefined) continue;
        const before = files.get(file);
        files.set(file, before === undefined ? written.source : `${before}\n${written.source}`);
      }
    }
    return files;
  }

  /** What a command prints that is written out in it: cat and tee of a here-document, echo, a group of these. */
  private outputOf(command: Command): WrittenText | undefined {
    if (command.kind === "group") return this.outputOfGroup(command);
    const [program, ...parameters] = command.words;
    const name = literalText(program) ?? "";
    if (name === "cat" || name === "tee") return this.inputOf(command);
    const [first] = parameters;
    if (first === undefined || !/^(?:echo|printf)$/.test(name)) return undefined;
    const texts = parameters.map(({ pieces }) => this.source(pieces));
    const decoded = name === "printf" ? texts.map((text) => text.replaceAll("\\n", "\n")) : texts;
    return { source: decoded.join("\n"), word: first };
  }

  private outputOfGroup({ id }: Command): WrittenText | undefined {
    const texts = this.commands.flatMap((member) => (member.parent === id ? (this.outputOf(member) ?? []) : []));
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

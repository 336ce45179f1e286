import type { Argument, Command, Option } from "commander";

/** What the word under the cursor can be, found by reading the words before it as the program itself would. */
export type AskedWord =
  /** The name of a command, or an option of the program. */
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "option"; readonly command: Command; readonly used: ReadonlySet<Option> }
  | ValueWord
  | { readonly kind: "nothing" };

export interface ValueWord {
  readonly kind: "value";
  readonly command: Command;
  /** What it is a value of. */
  readonly of: Argument | Option;
  /** The beginning of the word that is not part of the value: `--workspace=`. */
  readonly before: string;
  readonly given: GivenWords;
  /** Whether it may be the name of an option instead. */
  readonly orOption: boolean;
}

/** The values in the words before, by the name of the argument or the long name of the option. */
export type GivenWords = ReadonlyMap<string, readonly string[]>;

/** `words` are those behind the name of the program; the last one is being typed. */
export function findAskedWord(program: Command, words: readonly string[]): AskedWord {
  const reader = new WordReader(program);
  for (const word of words.slice(0, -1)) reader.read(word);
  return reader.ask(words.at(-1) ?? "");
}

class WordReader {
  #command: Command;
  /** The option that takes the next word, or further ones. */
  #open: { readonly option: Option; readonly count: number } | undefined;
  #hasEnded = false;
  /** A command that there is not. */
  #isLost = false;
  #arguments = 0;
  readonly #used = new Set<Option>();
  readonly #given = new Map<string, string[]>();

  constructor(program: Command) {
    this.#command = program;
  }

  read(word: string): void {
    if (this.#open !== undefined && this.#takes(this.#open, word)) {
      const { option, count } = this.#open;
      this.#note(nameOf(option), word);
      this.#open = option.variadic ? { option, count: count + 1 } : undefined;
      return;
    }
    this.#open = undefined;
    if (this.#hasEnded || !word.startsWith("-") || word === "-") return this.#readArgument(word);
    if (word === "--") {
      this.#hasEnded = true;
      return;
    }
    const [flag = "", ...rest] = word.split("=");
    const option = this.#options().find((one) => one.long === flag || one.short === flag);
    if (option === undefined) return;
    this.#used.add(option);
    if (rest.length > 0) this.#note(nameOf(option), rest.join("="));
    else if (option.required || option.optional) this.#open = { option, count: 0 };
  }

  ask(word: string): AskedWord {
    const command = this.#command;
    if (this.#isLost) return { kind: "nothing" };
    if (this.#open !== undefined && this.#takes(this.#open, word)) {
      const orOption = this.#open.option.optional || this.#open.count > 0;
      return { kind: "value", command, of: this.#open.option, before: "", given: this.#given, orOption };
    }
    if (!this.#hasEnded && word.startsWith("-")) {
      const at = word.indexOf("=");
      const option = at < 0 ? undefined : this.#options().find(({ long }) => long === word.slice(0, at));
      if (option !== undefined && (option.required || option.optional)) {
        const before = word.slice(0, at + 1);
        return { kind: "value", command, of: option, before, given: this.#given, orOption: false };
      }
      return { kind: "option", command, used: this.#used };
    }
    if (this.#arguments === 0 && command.commands.length > 0) return { kind: "command", command };
    const argument = this.#argument();
    if (argument === undefined)
      return this.#hasEnded ? { kind: "nothing" } : { kind: "option", command, used: this.#used };
    return { kind: "value", command, of: argument, before: "", given: this.#given, orOption: false };
  }

  #readArgument(word: string): void {
    if (this.#arguments === 0 && this.#command.commands.length > 0) {
      // `frond help run` names commands as `frond run` does.
      if (word === "help") return;
      const inner = this.#command.commands.find((one) => one.name() === word);
      if (inner === undefined) this.#isLost = true;
      else this.#command = inner;
      return;
    }
    const argument = this.#argument();
    if (argument !== undefined) this.#note(argument.name(), word);
    this.#arguments++;
  }

  #argument(): Argument | undefined {
    const { registeredArguments: known } = this.#command;
    const last = known.at(-1);
    return known[this.#arguments] ?? (last?.variadic ? last : undefined);
  }

  /** An option whose value may be left out, or that takes several, ends at the next option. */
  #takes({ option, count }: { readonly option: Option; readonly count: number }, word: string): boolean {
    if (count === 0 && option.required) return true;
    return !word.startsWith("-");
  }

  #options(): readonly Option[] {
    return this.#command.createHelp().visibleOptions(this.#command);
  }

  #note(name: string, value: string): void {
    this.#given.set(name, [...(this.#given.get(name) ?? []), value]);
  }
}

/** `--workspace` is noted under this name: an option and an argument may share one. */
export function nameOf(option: Option): string {
  return option.long ?? option.short ?? "";
}

import { builtinAt, filledBy } from "./builtin-options.ts";
import { type Command, literalText, markedText, type ParsedWord } from "./shell-syntax.ts";

/** The variables that the script gives one text and nothing else, as far as its text tells. */
export class LiteralVariables {
  private readonly texts = new Map<string, string>();

  constructor(commands: readonly Command[]) {
    const others = new Set<string>();
    for (const { assignments, words, kind } of commands) {
      for (const { assigns, elements } of [...assignments, ...words]) {
        if (assigns === undefined) continue;
        const { name, append, value } = assigns;
        const text = literalText({ pieces: value });
        const isText = kind !== "loop" && text !== undefined && elements === undefined && !append;
        if (!isText || (this.texts.get(name) ?? text) !== text) others.add(name);
        else this.texts.set(name, text);
      }
      const texts = words.map((word) => markedText(word.pieces));
      const at = builtinAt(texts);
      const program = texts[at] ?? "";
      if (program === "unset" || program === "local") for (const name of texts.slice(at + 1)) others.add(name);
      for (const { pieces } of filledBy(program, words.slice(at + 1))) others.add(markedText(pieces));
    }
    for (const name of others) this.texts.delete(name);
  }

  /** The text of a word, or of the variable that it is, with marks for what is computed. */
  textOf({ pieces }: Pick<ParsedWord, "pieces">): string {
    const [only, ...others] = pieces;
    const known = only?.kind === "read" && others.length === 0 ? this.texts.get(only.holder) : undefined;
    return known ?? markedText(pieces);
  }

  get(name: string): string | undefined {
    return this.texts.get(name);
  }
}

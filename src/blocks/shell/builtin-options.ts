import { expansionMark, markedText, type ParsedWord } from "./shell-syntax.ts";

/** The options of builtins that take an argument, be it attached or the next word. */
const valued: ReadonlyMap<string, string> = new Map([
  ["printf", "v"],
  ["read", "adiNnptu"],
  ["mapfile", "dnOsuCc"],
  ["readarray", "dnOsuCc"],
  ["set", "o"],
  ["wait", "p"],
  ["exec", "a"],
]);

export interface BuiltinOption {
  readonly letter: string;
  readonly argument: ParsedWord | undefined;
}

/** The words behind a builtin's name, taken apart as bash does it. */
export interface BuiltinWords {
  readonly options: readonly BuiltinOption[];
  readonly operands: readonly ParsedWord[];
}

/** A word that is computed may be an option, so that there may be more options behind it; it counts as an operand. */
export function readBuiltin(name: string, parameters: readonly ParsedWord[]): BuiltinWords {
  const withArgument = valued.get(name) ?? "";
  const options: BuiltinOption[] = [];
  const computed: ParsedWord[] = [];
  for (let next = 0; next < parameters.length; next += 1) {
    const word = parameters[next] as ParsedWord;
    const text = markedText(word.pieces);
    if (text === "--" || (text === "-" && name === "set"))
      return { options, operands: [...computed, ...parameters.slice(next + 1)] };
    if (text.startsWith(expansionMark)) computed.push(word);
    else if (/^-./s.test(text) || (/^\+./s.test(text) && takesPlus.has(name))) {
      const at = [...text].findIndex((letter, index) => index > 0 && withArgument.includes(letter));
      for (const letter of at === -1 ? text.slice(1) : text.slice(1, at)) options.push({ letter, argument: undefined });
      if (at === -1) continue;
      const isAttached = at < text.length - 1 && name !== "set";
      if (!isAttached) next += 1;
      options.push({ letter: text.charAt(at), argument: isAttached ? behind(word, at + 1) : parameters[next] });
    } else return { options, operands: [...computed, ...parameters.slice(next)] };
  }
  return { options, operands: computed };
}

const takesPlus: ReadonlySet<string> = new Set(["set", "declare", "typeset", "local"]);

/** The word without its first characters, which are all text. */
function behind(word: ParsedWord, characters: number): ParsedWord {
  let left = characters;
  const pieces = word.pieces.flatMap((piece) => {
    if (piece.kind !== "text" || left === 0) return [piece];
    const text = piece.text.slice(left);
    left -= Math.min(left, piece.text.length);
    return text === "" ? [] : [{ ...piece, text }];
  });
  return { ...word, pieces };
}

/** The words that name the variables which a builtin fills. */
export function filledBy(name: string, parameters: readonly ParsedWord[]): readonly ParsedWord[] {
  const letter = fillingOptions.get(name);
  if (letter === undefined) return [];
  const { options, operands } = readBuiltin(name, parameters);
  const named = options.flatMap((option) =>
    option.letter === letter && option.argument !== undefined ? [option.argument] : [],
  );
  if (name === "getopts") return operands.slice(1);
  return name === "printf" || name === "wait" ? named : [...named, ...operands];
}

/** By builtin: the option that names a variable; the operands of the others do so too. */
const fillingOptions: ReadonlyMap<string, string> = new Map([
  ["printf", "v"],
  ["wait", "p"],
  ["read", "a"],
  ["mapfile", ""],
  ["readarray", ""],
  ["getopts", ""],
]);

/** Where the name of the builtin stands, behind `command` and `builtin`; -1 if there is none. */
export function builtinAt(texts: readonly string[]): number {
  let at = 0;
  while (/^(?:command|builtin)$/.test(texts[at] ?? "")) {
    at += 1;
    while (/^(?:-p|--)$/.test(texts[at] ?? "")) at += 1;
  }
  return at < texts.length ? at : -1;
}

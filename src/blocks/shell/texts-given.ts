import { isTextTool } from "./awk-programs.ts";
import { textWord } from "./command-variants.ts";
import { isRunSetting } from "./program-text-options.ts";
import type { Command, ParsedWord, Piece, Word } from "./shell-syntax.ts";

/** A text that a program which is no shell gives to one. */
export interface GivenText {
  readonly word: ParsedWord;
  readonly pieces: readonly Piece[];
  /** From `$0` on. */
  readonly parameters: readonly ParsedWord[];
}

/** Options of git with a command; those behind which it stands attached end in `=`. */
const gitCommands =
  /^(?:-x|--exec|foreach|--(?:env|tree|index|parent|msg|commit|tag-name)-filter|--setup|--extcmd)(=|$)/;
const awkCommand =
  /\bsystem\s*\(\s*"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|&?\s*getline|\|&?\s*"((?:[^"\\]|\\.)*)"/g;

/** What git, watch and awk run as shell commands of their arguments: `git -c alias.x='!...'`, `system("...")`. */
export function textsGiven(name: string, parameters: readonly Word[]): GivenText[] {
  if (name === "git") return textsOfGit(parameters);
  if (name === "watch") {
    const words = parameters.filter((word, index) => !isOptionOfWatch(word, parameters[index - 1]));
    const [first] = words;
    const pieces = words.flatMap(({ parsed }) => [...parsed.pieces, { kind: "text", text: " " } as const]);
    return first === undefined ? [] : [{ word: first.parsed, pieces, parameters: [] }];
  }
  if (!isTextTool(name)) return [];
  return parameters.flatMap(({ text, parsed }) =>
    [...text.matchAll(awkCommand)].map(([, called, read, fed]) => {
      const command = (called ?? read ?? fed ?? "").replaceAll(/\\(.)/gs, "$1");
      return { word: parsed, pieces: textWord(command, parsed).pieces, parameters: [] };
    }),
  );
}

function isOptionOfWatch({ text }: Word, before: Word | undefined): boolean {
  return text.startsWith("-") || /^(?:-[a-z]*n|--interval)$/.test(before?.text ?? "");
}

function textsOfGit(parameters: readonly Word[]): GivenText[] {
  return parameters.flatMap((word, index) => {
    const before = parameters[index - 1]?.text ?? "";
    if (before === "-c") return settingOfGit(word, parameters.slice(index + 1));
    if (gitCommands.exec(before)?.[1] === "")
      return [{ word: word.parsed, pieces: word.parsed.pieces, parameters: [] }];
    const option = gitCommands.exec(word.text);
    if (option?.[1] !== "=") return [];
    return [{ word: word.parsed, pieces: behind(word.parsed, option[0].length), parameters: [] }];
  });
}

/** `alias.name=!command`, with what follows the name; `core.sshCommand=command`. */
function settingOfGit({ text, parsed }: Word, following: readonly Word[]): GivenText[] {
  const [head = "", name = "", mark = ""] = /^([\w.-]+)=(!?)/.exec(text) ?? [];
  const alias = /^alias\.(.*)$/.exec(name)?.[1];
  if (alias === undefined ? !isRunSetting(name) : mark === "") return [];
  const at = following.findIndex((word) => word.text === alias);
  const parameters = at === -1 ? [] : following.slice(at).map((word) => word.parsed);
  const pieces = behind(parsed, alias === undefined ? head.length - mark.length : head.length);
  // git puts the arguments behind the text.
  const given: Piece = { kind: "text", text: ' "$@"' };
  return [{ word: parsed, pieces: alias === undefined ? pieces : [...pieces, given], parameters }];
}

/** What of a word stands behind its first characters. */
function behind({ pieces }: ParsedWord, length: number): readonly Piece[] {
  let left = length;
  return pieces.map((piece) => {
    if (piece.kind !== "text") return piece;
    const text = piece.text.slice(left);
    left = Math.max(0, left - piece.text.length);
    return { kind: "text", text };
  });
}

/** Variables whose contents a program gives to a shell. */
const commandVariables =
  /^(?:GIT_(?:SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF)|EDITOR|VISUAL|FCEDIT|PAGER|MANPAGER|PROMPT_COMMAND|RSYNC_RSH|LESSOPEN|FZF_DEFAULT_COMMAND)$/;

/** `GIT_SSH_COMMAND='eval "$N"'`: only a text that uses variables can come to a value. */
export function textsAssigned({ assignments, words }: Command): GivenText[] {
  return [...assignments, ...words].flatMap((word) => {
    const { assigns } = word;
    if (assigns === undefined || !commandVariables.test(assigns.name)) return [];
    const usesVariables = assigns.value.some((piece) => piece.kind === "text" && /[$`]/.test(piece.text));
    return usesVariables ? [{ word, pieces: assigns.value, parameters: [] }] : [];
  });
}

/** The recipes of a makefile, as the shell gets them. */
export function recipesIn(makefile: string): string[] {
  return makefile.split("\n").flatMap((line) => {
    const recipe = /^\t(.*)$/s.exec(line)?.[1] ?? /^[^#=\t]*:[^=;]*;(.*)$/s.exec(line)?.[1];
    return recipe === undefined ? [] : [recipe.replace(/^[@+-]+/, "").replaceAll("$$", "$")];
  });
}

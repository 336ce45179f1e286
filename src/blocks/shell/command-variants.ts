import { isShell } from "./interpreters.ts";
import { literalText, type ParsedWord } from "./shell-syntax.ts";
import type { Trace } from "./trace-values.ts";
import { aliasOf, resultOf } from "./value-flow.ts";

const mostVariants = 5;

/** Variables that hold the shell itself. */
const ownShell = /^(?:BASH|SHELL)$/;

/**
 * The command as it is written, and as it is when what computes its name is known: a variable, a list, an alias, the output of
 * commands, or a pattern such as `/bin/b?sh`.
 */
export function variantsOf(words: readonly ParsedWord[], trace: Trace | undefined): (readonly ParsedWord[])[] {
  const [first, ...parameters] = words;
  const [only, ...others] = first?.pieces ?? [];
  if (first === undefined || only === undefined) return [words];
  const named = (texts: readonly string[]): (readonly ParsedWord[])[] =>
    texts.slice(0, mostVariants).map((text) => [...wordsOf(text, first), ...parameters]);
  const name = literalText(first);
  if (name !== undefined) {
    const shell = first.glob && isShellPattern(name) ? ["bash"] : [];
    return [words, ...named([...shell, ...(trace?.flow.textsOf(aliasOf(name)) ?? [])])];
  }
  if (others.length > 0) return [words];
  if (only.kind === "output") return [words, ...named(trace?.flow.textsOf(resultOf(only.group)) ?? [])];
  if (only.kind !== "read") return [words];
  if (only.list) {
    const lists = trace?.lists.get(only.holder) ?? [];
    return [words, ...lists.slice(0, mostVariants).map((list) => [...list, ...parameters])];
  }
  const shell = ownShell.test(only.holder) ? ["bash"] : [];
  return [words, ...named([...shell, ...(trace?.flow.textsOf(only.holder) ?? [])])];
}

function isShellPattern(pattern: string): boolean {
  const like = pattern.slice(pattern.lastIndexOf("/") + 1).replaceAll(/\[[^\]]*\]|\?/g, ".");
  return ["bash", "sh", "dash"].some((shell) => like.length === shell.length && matches(like, shell)) || isShell(like);
}

function matches(like: string, text: string): boolean {
  return [...like].every((character, index) => character === "." || character === text.charAt(index));
}

/** The words that a text becomes where the shell splits it. */
function wordsOf(text: string, place: ParsedWord): ParsedWord[] {
  return text
    .trim()
    .split(/\s+/)
    .map((part) => textWord(part, place));
}

/** A word of nothing but the text, which stands for what is at the place. */
export function textWord(text: string, { start, end }: Pick<ParsedWord, "start" | "end">): ParsedWord {
  return {
    ...{ start, end, pieces: [{ kind: "text", text }], quoted: false, glob: false },
    ...{ assigns: undefined, elements: undefined, consumers: [] },
  };
}

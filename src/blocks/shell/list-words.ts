import { markedText, type ParsedWord } from "./shell-syntax.ts";

const mostListed = 200;

/** The words that lists were given, by the name of the array or of the positional parameters. */
export class Lists {
  private readonly definitions = new Map<string, (readonly ParsedWord[])[]>();
  private readonly known = new Set<string>();

  add(name: string, words: readonly ParsedWord[]): void {
    if (words.length > mostListed) return;
    const key = `${name} ${words.map(({ start, end, pieces }) => `${start} ${end} ${markedText(pieces)}`).join()}`;
    if (this.known.has(key)) return;
    this.known.add(key);
    const definitions = this.definitions.get(name);
    if (definitions === undefined) this.definitions.set(name, [words]);
    else definitions.push(words);
  }

  get(name: string): readonly (readonly ParsedWord[])[] {
    return this.definitions.get(name) ?? [];
  }

  /** How many definitions there are. */
  get count(): number {
    return this.known.size;
  }
}

/** How much of a list is tried once all of its definitions have been, with other words around it. */
const mostDefinitions = 5;
const mostWords = 20;
const mostExpansions = 40;
const mostFirstExpansions = 200;
const deepestList = 4;

/** The list that a word stands for: `"${words[@]}"`, `"$@"`. */
export function listOf({ pieces: [only, ...others] }: ParsedWord): string | undefined {
  return only?.kind === "read" && only.list && others.length === 0 ? only.holder : undefined;
}

/** The command with each of its lists replaced by the words that it was given. `seen` has the lists that were tried before. */
export function expandLists(words: readonly ParsedWord[], lists: Lists, seen: Set<string>): ParsedWord[][] {
  const found: ParsedWord[][] = [];
  let most = mostExpansions;
  const expand = (before: readonly ParsedWord[], rest: readonly ParsedWord[], depth: number): void => {
    if (found.length >= most) return;
    const at = depth > deepestList ? -1 : rest.findIndex((word) => lists.get(listOf(word) ?? "").length > 0);
    const name = rest[at] === undefined ? undefined : listOf(rest[at]);
    if (name === undefined) {
      found.push([...before, ...rest]);
      return;
    }
    const isFirst = !seen.has(name);
    if (isFirst) most = mostFirstExpansions;
    seen.add(name);
    const definitions = isFirst ? lists.get(name) : lists.get(name).slice(0, mostDefinitions);
    for (const definition of definitions) {
      const given = isFirst ? definition : definition.slice(0, mostWords);
      expand([...before, ...rest.slice(0, at)], [...given, ...rest.slice(at + 1)], depth + 1);
    }
  };
  if (words.some((word) => lists.get(listOf(word) ?? "").length > 0)) expand([], words, 0);
  return found;
}

import type { Key } from "./keyboard.ts";

/** A text that is being typed. */
export interface TypedText {
  readonly text: string;
  /** Where the next character goes: a position in the text, between two characters as people see them. */
  readonly cursor: number;
}

export const nothingTyped: TypedText = { text: "", cursor: 0 };

/** What a key makes of the text; nothing for a key that means nothing here. */
export function editLine(typed: TypedText, key: Key): TypedText | undefined {
  const { text, cursor } = typed;
  const move = (to: number): TypedText => ({ text, cursor: to });
  const remove = (from: number, to: number): TypedText => ({
    text: text.slice(0, from) + text.slice(to),
    cursor: from,
  });
  switch (nameOf(key)) {
    case "left":
    case "ctrl-b":
      return move(before(text, cursor));
    case "right":
    case "ctrl-f":
      return move(after(text, cursor));
    case "home":
    case "ctrl-a":
      return move(0);
    case "end":
    case "ctrl-e":
      return move(text.length);
    case "backspace":
    case "ctrl-h":
      return remove(before(text, cursor), cursor);
    case "delete":
    case "ctrl-d":
      return remove(cursor, after(text, cursor));
    case "ctrl-u":
      return remove(0, cursor);
    case "ctrl-k":
      return remove(cursor, text.length);
    case "ctrl-w":
    case "meta-backspace":
      return remove(startOfWord(text, cursor), cursor);
    case "meta-b":
    case "ctrl-left":
      return move(startOfWord(text, cursor));
    case "meta-f":
    case "ctrl-right":
      return move(cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0));
    default:
      return key.text === undefined ? undefined : insert(typed, key.text);
  }
}

function insert({ text, cursor }: TypedText, added: string): TypedText {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

function nameOf({ name, ctrl, meta }: Key): string {
  return `${ctrl ? "ctrl-" : ""}${meta ? "meta-" : ""}${name}`;
}

let segmenter: Intl.Segmenter | undefined;

/** Made when somebody types: it takes as long as a tenth of the start of a command. */
function charactersOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

function before(text: string, cursor: number): number {
  const last = [...charactersOf(text.slice(0, cursor))].at(-1);
  return cursor - (last?.segment.length ?? 0);
}

function after(text: string, cursor: number): number {
  const [next] = charactersOf(text.slice(cursor));
  return cursor + (next?.segment.length ?? 0);
}

function startOfWord(text: string, cursor: number): number {
  return cursor - (/\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0);
}

import type { Range } from "../../src/diagnostic/source.ts";

/** What a reader who does exactly what a fix says makes of the text; nothing where the fix leaves something to think about. */
export function applyFix(text: string, { start, end }: Range, message: string, fix: string): string | undefined {
  const marked = text.slice(start, end);
  const replace = (from: number, to: number, by: string): string => text.slice(0, from) + by + text.slice(to);
  for (const { pattern, write } of ways) {
    const found = pattern.exec(fix.replace(" To write a literal ${ use $${.", ""));
    if (found === null) continue;
    const [, written = "", instead] = found;
    if (/\.\.\.|\b(?:ID|NAME|KEY)\b/.test(written)) return undefined;
    const made = write({ text, start, end, marked, message, written, instead });
    return made === undefined ? undefined : replace(made.start, made.end, made.by);
  }
  return undefined;
}

interface Marked {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly marked: string;
  readonly message: string;
  readonly written: string;
  readonly instead: string | undefined;
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

interface Way {
  readonly pattern: RegExp;
  write(at: Marked): Change | undefined;
}

const ways: readonly Way[] = [
  // A name that is near: the message quotes the wrong one.
  {
    pattern: /^(?:Did you mean '([^']+)'\?|Use ([a-z_]+)\(.*)$/,
    write({ start, marked, message, written }) {
      const names = [...message.matchAll(/'([^']+)'|(\w+)\(\)/g)].map(([, quoted, called]) => quoted ?? called ?? "");
      const wrong = names.filter((name) => marked.includes(name)).sort((a, b) => b.length - a.length)[0];
      if (wrong === undefined) return undefined;
      const at = start + marked.lastIndexOf(wrong);
      return { start: at, end: at + wrong.length, by: written };
    },
  },
  // Another key for the same value.
  {
    pattern: /^Write `([a-z_]+):`\.$/,
    write: ({ text, start, end, written }) => (text[end] === ":" ? { start, end, by: written } : undefined),
  },
  // An entry as a whole.
  {
    pattern: /^Write `([a-z_]+: [^`]+)`[.,:]/,
    write({ text, start, end, written }) {
      const entry = entryAt(text, start, end);
      return entry && { ...entry, by: written };
    },
  },
  { pattern: /^Use (==|!=|>=|<=|and|or|not)(?: to compare| for .*)?\.$/, write: inPlace },
  // An expression for another, which is named, or is what is marked.
  {
    pattern: /^Write (\S+) for (\S+?)\.$/,
    write: ({ text, start, written, instead = "" }) =>
      text.startsWith(instead, start) ? { start, end: start + instead.length, by: written } : undefined,
  },
  // An expression, with a remark on what it gives.
  {
    pattern: /^(?:Write|Call it) (pluck\(.*?\)|\$\{.*?\}|'[a-z-]+') ?(?:for that of .*|for the element.*)?\.?$/,
    write: inPlace,
  },
  { pattern: /^(?:Write|It is inside '\w+': write) ([^\s`]+(?:\(.*\))?)(?:\.|, or .*|: .*)$/, write: inPlace },
];

function inPlace({ start, end, written }: Marked): Change {
  return { start, end, by: written };
}

/** From the key to the end of the value, of which one is marked. */
function entryAt(
  text: string,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } | undefined {
  const isKey = text.slice(end).startsWith(":");
  if (!isKey) {
    const key = /[\w-]+: *["']?$/.exec(text.slice(0, start));
    if (key === null) return undefined;
    const quote = /["']$/.test(key[0]) ? 1 : 0;
    return { start: start - key[0].length, end: end + quote };
  }
  let depth = 0;
  for (let at = end + 1; at < text.length; at++) {
    const character = text[at] ?? "";
    if ("{[".includes(character)) depth++;
    if (depth === 0 && ",}]\n".includes(character)) return { start, end: at };
    if ("}]".includes(character)) depth--;
  }
  return { start, end: text.length };
}

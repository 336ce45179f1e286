/** A line of bash up to the cursor: its words as the program would get them, and how the last one stands in the line. */
export interface BashLine {
  /** The last one is being typed; empty behind a blank. */
  readonly words: readonly string[];
  /** The quote that is open at the cursor. */
  readonly quote: "" | "'" | '"';
  /** How much of the last word bash leaves as it is: it replaces only what follows the last word break, or the open quote. */
  readonly kept: number;
}

/** `breaks` are the characters of COMP_WORDBREAKS, among which are `:`, `=` and `@`. */
export function readBashLine(line: string, breaks: string): BashLine {
  const words: string[] = [];
  let word = "";
  let isWord = false;
  let quote: BashLine["quote"] = "";
  /** Behind the last break outside quotes, and behind the last quote that was opened. */
  let [broken, quoted] = [0, 0];
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? "";
    if (quote === "" && /\s/.test(character)) {
      if (isWord) words.push(word);
      [word, isWord, broken] = ["", false, 0];
      continue;
    }
    isWord = true;
    if (character === quote) quote = "";
    else if (quote === "" && (character === "'" || character === '"')) {
      quote = character;
      quoted = word.length;
    } else if (character === "\\" && quote !== "'") {
      const next = line[++at] ?? "";
      // In double quotes a backslash means something only before these.
      word += quote === '"' && !'"$`\\'.includes(next) ? `\\${next}` : next;
    } else {
      word += character;
      if (quote === "" && breaks.includes(character)) broken = word.length;
    }
  }
  return { words: [...words, word], quote, kept: quote === "" ? broken : quoted };
}

/** A word as it is to stand in the line, where this quote is open. */
export function quoteForBash(word: string, quote: BashLine["quote"]): string {
  if (quote === "'") return word.replaceAll("'", "'\\''");
  if (quote === '"') return word.replaceAll(/["$`\\]/g, "\\$&");
  const home = /^~[^/]*\//.exec(word)?.[0] ?? "";
  return home + word.slice(home.length).replaceAll(/[^\p{L}\p{N}_@%+=:,./-]/gu, "\\$&");
}

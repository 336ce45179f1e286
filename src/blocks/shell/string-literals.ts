/** Languages in whose program texts a word may stand inside a string, and how their strings are written. */
const languages: readonly { readonly names: RegExp; readonly quotes: readonly string[]; readonly comment: RegExp }[] = [
  { names: /^(?:python|pypy)[0-9.]*$/, quotes: ["'''", '"""', "'", '"'], comment: /^#/ },
  // A slash may begin a regular expression, in which quotes mean nothing.
  { names: /^(?:node|nodejs)$/, quotes: ["'", '"'], comment: /^(?:\/|<!--|-->)/ },
];

/** A string whose braces hold code: `f"{x}"`. */
const holdsCode = /(?<![A-Za-z0-9_])(?:[ftFT][rRbB]?|[rRbB][ftFT])$/;

/** What a program names that runs texts, or starts other programs. */
const starting =
  /(?<![A-Za-z0-9])_*(?:system|popen\w*|subprocess|child_process|exec\w*|eval|spawn\w*|posix|pty|compile|Function|setTimeout|setInterval|vm|worker_threads|import_+|importlib|import_module|runpy|code|ctypes|dlopen)(?![A-Za-z0-9])/i;

/** Whether a program may run what stands in its strings, directly or by way of its variables. */
export function mayRunStrings(text: string): boolean {
  return starting.test(text);
}

/** `require('...')`: a string that begins with the value names what is loaded. */
const loading = /\b(?:require|import|from|resolve|register)\s*\(?\s*$/;

/**
 * Whether what follows the text stands inside a string that only holds text. Whatever is not understood, such as a comment, a
 * template or a regular expression before it, is taken for code.
 */
export function endsInString(program: string, text: string): boolean {
  const language = languages.find(({ names }) => names.test(program));
  if (language === undefined) return false;
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    if (language.comment.test(rest) || rest.startsWith("`")) return false;
    const quote = language.quotes.find((mark) => rest.startsWith(mark));
    if (quote === undefined) {
      at += 1;
      continue;
    }
    const end = endOfString(text, at + quote.length, quote);
    // What ends with a backslash would escape the value's first character.
    if (end === undefined) {
      const before = text.slice(0, at);
      const isLoaded = at + quote.length === text.length && loading.test(before);
      return !holdsCode.test(before) && !text.endsWith("\\") && !isLoaded;
    }
    at = end;
  }
  return false;
}

function endOfString(text: string, from: number, quote: string): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (text[at] === "\n" && quote.length === 1) return at;
  }
  return undefined;
}

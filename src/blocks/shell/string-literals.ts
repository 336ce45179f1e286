/** Languages in whose program texts a word may stand inside a string, and how their strings are written. */
const languages: readonly { readonly names: RegExp; readonly quotes: readonly string[]; readonly comment: RegExp }[] = [
  { names: /^(?:python|pypy)[0-9.]*$/, quotes: ["'''", '"""', "'", '"'], comment: /^#/ },
  // A slash may begin a regular expression, in which quotes mean nothing.
  { names: /^(?:node|nodejs)$/, quotes: ["'", '"'], comment: /^(?:\/|<!--|-->)/ },
];

/** A string whose braces hold code: `f"{x}"`. */
const holdsCode = /(?<![A-Za-z0-9_])(?:[ftFT][rRbB]?|[rRbB][ftFT])$/;

/** Calls that take their text for code. */
const evaluating =
  /(?<![\w$])(?:eval|exec|compile|Function|setTimeout|setInterval|runIn\w+|runInContext|Script)\s*\(\s*[rRbBuU]?$/;
/** Calls whose text begins with the name of what they run or load, in a list or alone. */
const running =
  /(?:\b(?:system|popen\w*|Popen|run|call|check_call|check_output|getoutput|getstatusoutput|exec\w*|spawn\w*|posix_spawn\w*|fork|startfile|__import__|import_module|run_module|run_path|require|import|register|dlopen|CDLL|LoadLibrary)\s*\(\s*[[(]?\s*[rRbBuU]?|\b(?:import|from)\s*)$/;

/** Whether a string is run, or chooses what is run: `system('...')`, `eval('...')`. */
function isRun(before: string, begun: string): boolean {
  if (evaluating.test(before)) return true;
  // The name of a program or a module that the author has begun is one of theirs; behind a blank there are its arguments.
  return running.test(before) && (begun === "" || /[;&|(`$]\s*$/.test(begun));
}

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
    if (end === undefined)
      return (
        !holdsCode.test(text.slice(0, at)) &&
        !text.endsWith("\\") &&
        !isRun(text.slice(0, at), text.slice(at + quote.length))
      );
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

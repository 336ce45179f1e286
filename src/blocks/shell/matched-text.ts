/** What a part of a text can be that a regex matches: anything, something bash can calculate with, or numbers only. */
export type MatchedText = "any" | "narrow" | "numbers";

const characters = /\[(?:\[:(?:digit|alpha|alnum|xdigit|upper|lower):\]|[A-Za-z0-9_.,:/@-])+\]/g;

export function matchedBy(regex: string): MatchedText {
  if (!isNarrow(regex)) return "any";
  // A version has a `v`, and its dots may stand for any character; neither makes a command of digits.
  const letters = regex.replaceAll("[:digit:]", "").replace(/^\^?\(?v\??/, "");
  return /[A-Za-z]/.test(letters) ? "narrow" : "numbers";
}

/**
 * Whether what a regex matches can hold no `$(` or backtick with a `[` before it. Its backslashes are gone, so a dot may stand for
 * any character, which alone does no harm.
 */
function isNarrow(regex: string): boolean {
  const rest = regex.replaceAll(characters, "0");
  if (!/^[\w\s()|+*?^{},:/@=.-]*\$?$/.test(rest)) return false;
  if (!rest.includes(".")) return true;
  return !/\||\.[()]*[.+*?{]|\([^()]*\.[^()]*\)[+*?{]/.test(rest);
}

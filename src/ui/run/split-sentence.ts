/** The first sentence of a text, and the rest. Addresses of blocks, between backquotes, are never parted. */
export function splitSentence(text: string): [first: string, rest: string] {
  const first = /^(?:`[^`]*`|[^`])*?[.?!](?=\s)/.exec(text)?.[0] ?? text;
  return [first, text.slice(first.length).trim()];
}

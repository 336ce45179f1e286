/**
 * Finds where a text occurs in another, in time linear in both. The built-in search is fast but can take time proportional to
 * the product of the lengths for long, repetitive needles, so those are searched with a failure table.
 */
export function textFinder(needle: string): (text: string, from: number) => number {
  if (needle.length <= longestForBuiltIn) return (text, from) => text.indexOf(needle, from);
  const table = failureTable(needle);
  return (text, from) => search(text, needle, table, from);
}

const longestForBuiltIn = 64;

/** For every prefix of the needle: the length of its longest proper prefix that is also its suffix. */
function failureTable(needle: string): Int32Array {
  const table = new Int32Array(needle.length);
  let matched = 0;
  for (let index = 1; index < needle.length; index++) {
    const code = needle.charCodeAt(index);
    while (matched > 0 && needle.charCodeAt(matched) !== code) matched = table[matched - 1] as number;
    if (needle.charCodeAt(matched) === code) matched++;
    table[index] = matched;
  }
  return table;
}

function search(text: string, needle: string, table: Int32Array, from: number): number {
  let matched = 0;
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index);
    while (matched > 0 && needle.charCodeAt(matched) !== code) matched = table[matched - 1] as number;
    if (needle.charCodeAt(matched) === code) matched++;
    if (matched === needle.length) return index - matched + 1;
  }
  return -1;
}

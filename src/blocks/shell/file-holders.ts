import type { ParsedWord, Piece } from "./shell-syntax.ts";

/** The names of files that the script makes, wherever they come back from. */
export const fileNames = "names of files";

/** The contents of the file a word names; the same text is the same file. */
export function fileOf(word: ParsedWord, from = 0): string | undefined {
  const name = word.pieces.map(nameOf).join("").slice(from);
  if (name === "" || /^\/dev\/(?:null|stdout|stderr|tty)$|^[-&]/.test(name)) return undefined;
  return `file "${name.replaceAll(/\/(?:\.?\/)+/g, "/").replace(/^(?:\.\/|<PWD>\/)+/, "")}"`;
}

function nameOf(piece: Piece): string {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "read":
      return `<${piece.holder}>`;
    case "value":
      return `<value ${piece.slot.value}>`;
    case "output":
      return `<output ${piece.group}>`;
    case "unknown":
      return "<>";
  }
}

/** `--file=name`, `of=name`: the name of a file behind an option. */
export function fileBehindOption(word: ParsedWord): string | undefined {
  const [first] = word.pieces;
  const option = first?.kind === "text" ? /^(?:--?)?[\w-]+=/.exec(first.text)?.[0] : undefined;
  return option === undefined ? undefined : fileOf(word, option.length);
}

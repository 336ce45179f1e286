import { posix } from "node:path";
import type { LiteralVariables } from "./literal-variables.ts";
import type { ParsedWord, Piece } from "./shell-syntax.ts";

/** The names of files that the script makes, wherever they come back from. */
export const fileNames = "names of files";

/** The contents of the file a word names; the same text is the same file. */
export function fileOf(
  { pieces }: Pick<ParsedWord, "pieces">,
  literals?: LiteralVariables,
  from = 0,
): string | undefined {
  const name = pieces
    .map((piece) => nameOf(piece, literals))
    .join("")
    .slice(from)
    .replace(/^file:\/\//, "");
  if (name === "" || /^\/dev\/(?:null|stdout|stderr|tty)$|^[-&]/.test(name)) return undefined;
  return `file "${posix.normalize(name).replace(/^(?:<PWD>\/)+/, "")}"`;
}

/** All files of that name, in whatever directory: where a script is run is not always known. */
export function baseOf(file: string): string {
  const name = posix.basename(file.slice(6, -1));
  return /^[^<>]+$/.test(name) ? `file named "${name}"` : file;
}

/** The last part of the name of the file whose contents the holder is; empty when it is computed. */
export function nameOfFile(holder: string): string | undefined {
  if (!holder.startsWith('file "')) return undefined;
  const name = posix.basename(holder.slice(6, -1));
  return /[<>]/.test(name) ? "" : name;
}

function nameOf(piece: Piece, literals: LiteralVariables | undefined): string {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "read":
      return literals?.get(piece.holder) ?? `<${piece.holder}>`;
    case "value":
      return `<value ${piece.slot.value}>`;
    case "output":
      return `<output ${piece.group}>`;
    case "unknown":
      return "<>";
  }
}

/** `--file=name`, `of=name`: the name of a file behind an option. */
export function fileBehindOption(word: ParsedWord, literals?: LiteralVariables): string | undefined {
  const [first] = word.pieces;
  const option = first?.kind === "text" ? /^(?:--?)?[\w-]+=/.exec(first.text)?.[0] : undefined;
  return option === undefined ? undefined : fileOf(word, literals, option.length);
}

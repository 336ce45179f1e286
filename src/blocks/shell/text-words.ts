import { expansionMark, type ParsedWord, type Piece } from "./shell-syntax.ts";

/** The pieces of a text with marks; what a mark stands for is the piece that the text comes from. */
export function piecesOf(text: string, computed: Piece): Piece[] {
  return text.split(new RegExp(`(${expansionMark})`)).flatMap((part): Piece[] => {
    if (part === "") return [];
    return [part === expansionMark ? computed : { kind: "text", text: part }];
  });
}

/** The words that a text becomes where the shell splits it, in the place of a word. */
export function wordsOf(text: string, word: ParsedWord, computed: Piece = { kind: "unknown" }): ParsedWord[] {
  return text
    .split(/\s+/)
    .filter((part) => part !== "")
    .map((part) => ({ ...word, quoted: false, pieces: piecesOf(part, computed) }));
}

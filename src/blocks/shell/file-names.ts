import type { Piece, ReadPiece, Removal } from "./shell-syntax.ts";
import { resultOf } from "./value-flow.ts";

const mostAlternatives = 20;

/** What `a{b,c}` becomes. */
export function expandBraces(text: string): string[] {
  const [whole, before = "", list = "", after = ""] = /^([^{}]*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(text) ?? [];
  if (whole === undefined) return [text];
  const rest = expandBraces(after);
  const all = list.split(",").flatMap((part) => rest.map((end) => `${before}${part}${end}`));
  return all.length > mostAlternatives ? [text] : all;
}

/** The one computed piece of a name, where the rest is written out. */
export function computedPart(pieces: readonly Piece[]): { readonly piece: Piece; readonly holder: string } | undefined {
  const [piece, ...others] = pieces.filter(({ kind }) => kind !== "text");
  if (piece === undefined || others.length > 0) return undefined;
  if (piece.kind === "output") return { piece, holder: resultOf(piece.group) };
  return piece.kind === "read" ? { piece, holder: piece.holder } : undefined;
}

/** The name, if the computed piece holds the text. */
export function nameWith(pieces: readonly Piece[], computed: Piece, text: string): string {
  return pieces
    .map((piece) => {
      if (piece === computed) return shortened(text, piece as ReadPiece);
      return piece.kind === "text" ? piece.text : "";
    })
    .join("");
}

/** What `${name%.txt}` and its relatives leave of a text. */
function shortened(text: string, { removes }: { readonly removes?: Removal }): string {
  if (removes === undefined) return text;
  const { operator, pattern } = removes;
  const isLong = operator.length === 2;
  const like = pattern
    .replaceAll(/[.+^$()|[\]\\{}]/g, "\\$&")
    .replaceAll("?", ".")
    .replaceAll("*", isLong ? ".*" : ".*?");
  if (operator.startsWith("#")) return text.replace(new RegExp(`^${like}`, "s"), "");
  const kept = new RegExp(`^(.*${isLong ? "?" : ""})${like}$`, "s").exec(text)?.[1];
  return kept ?? text;
}

import type { Span } from "../../expression/ast.ts";
import type { Refusal } from "./command-problem.ts";
import type { Demand } from "./placed-values.ts";
import type { Branch, Piece } from "./shell-syntax.ts";

/** Where a part of the syntax tree stands. */
export interface Frame {
  readonly scope: string;
  readonly branch: Branch;
  readonly group: number | undefined;
  /** Inside double quotes and here-documents the shell does not split what an expansion gives. */
  readonly quoting: "bare" | "double-quoted" | "here-document";
  readonly demand: Demand;
  readonly view: View;
}

/** How offsets in the tree lead to the author's text. */
export interface View {
  readonly source: string;
  /** For a tree of another text, such as that of `bash -c`: the word it comes from. No reference of ours is in there. */
  readonly fixed: Span | undefined;
}

export function rangeOf({ view }: Frame, node: { readonly pos: number; readonly end: number }): Span {
  return view.fixed ?? { start: node.pos, end: node.end };
}

/** A word while it is being lowered. */
export interface OpenWord {
  readonly pieces: Piece[];
  readonly consumers: number[];
  quoted: boolean;
  glob: boolean;
}

export function openWord(): OpenWord {
  return { pieces: [], consumers: [], quoted: false, glob: false };
}

export function demanding(frame: Frame, refusal: Refusal): Frame {
  return { ...frame, demand: stricter(frame.demand, refusal) };
}

/** A refusal around it stays. */
export function stricter(outer: Demand, inner: Demand): Demand {
  return typeof outer === "object" ? outer : inner;
}

/** What a variable or positional parameter gives; the others hold no text of ours. */
export function readOf(
  name: string,
  part: { readonly pos: number; readonly end: number; readonly text: string },
  frame: Frame,
  isAll: boolean,
): Piece {
  const isPositional = /^(?:[@*]|\d+)$/.test(name);
  if (!isPositional && !/^[A-Za-z_]/.test(name)) return { kind: "unknown" };
  const allParameters = name === "@" || name === "*";
  const holder = isPositional ? `${frame.scope}:${allParameters ? "@" : name}` : name;
  const shown = frame.view.fixed === undefined ? undefined : part.text;
  const list = isAll || allParameters;
  const read = { kind: "read", holder, shown, split: frame.quoting === "bare", list, ...rangeOf(frame, part) } as const;
  // `$*` puts the parameters together, so that none of them is left as it was.
  return name === "*" ? { ...read, altered: true } : read;
}

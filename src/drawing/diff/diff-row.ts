/** A line of a unified diff, as it is shown. */
export type DiffRow =
  | { readonly kind: "file"; readonly text: string }
  /** Where a stretch of lines begins; `text` is what git says is around it. */
  | { readonly kind: "hunk"; readonly range: string; readonly text: string }
  /** What stands in a diff without being a line of a file: no newline at the end, lines left out. */
  | { readonly kind: "note"; readonly text: string }
  | DiffLine;

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  /** Numbers of the line on both sides, as far as it is there. */
  readonly before?: number;
  readonly after?: number;
  readonly parts: readonly MarkedPart[];
}

/** A piece of a line; marked where the other side says something else. */
export interface MarkedPart {
  readonly text: string;
  readonly isMarked?: true;
}

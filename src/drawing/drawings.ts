import type { DiffRow } from "./diff/diff-row.ts";
import type { DrawnGraph, Shape } from "./graph/drawn-graph.ts";

/** What is worked out for the page before it is drawn: by a server, or by a page that has none. */
export interface Drawings {
  readonly graph: { readonly given: Shape; readonly drawn: DrawnGraph };
  readonly diff: { readonly given: { readonly text: string }; readonly drawn: { readonly rows: readonly DiffRow[] } };
}

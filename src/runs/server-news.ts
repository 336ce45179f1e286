/** What a server tells the person who has started it, beside its log. */
export type ServerNews =
  /** It listens, or one for the same project did already: `link` lets one browser in, once. */
  | { readonly kind: "opened" | "joined"; readonly url: string; readonly link: string }
  /** It has ended. `left` were going on and `asleep` would have been woken by it, by their ids. */
  | { readonly kind: "ended"; readonly left: readonly string[]; readonly asleep: readonly string[] };

import type { SkipReason } from "./events.ts";
import type { RunNode } from "./run-node.ts";

/** What the runner is to do next. */
export type Step =
  /** Dependencies allow it: judge its condition, then `approve` it or end it. That takes no slot, so skipping never waits. */
  | { readonly kind: "consider"; readonly node: RunNode }
  /** It may run, and has a slot if it needs one. */
  | { readonly kind: "start"; readonly node: RunNode }
  /** It has lost its turn: whatever it holds outside is to be given back until it is handed out again. */
  | { readonly kind: "wait"; readonly node: RunNode }
  /** Its question has been answered, or it is to run again after an interruption. */
  | { readonly kind: "resume"; readonly node: RunNode }
  /** It was running when its engine died: decide what becomes of it. */
  | { readonly kind: "interrupted"; readonly node: RunNode }
  | { readonly kind: "skip"; readonly node: RunNode; readonly reason: SkipReason }
  /** It waits for an answer that nobody will use any more. */
  | { readonly kind: "withdraw"; readonly node: RunNode; readonly reason: SkipReason }
  /** Everything inside it has ended. */
  | { readonly kind: "conclude"; readonly node: RunNode };

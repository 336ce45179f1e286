import type { Expression, Origin, PathNode, Root, Span, Template } from "./ast.ts";
import { childrenOf, expressionsOf } from "./walk.ts";

/** A path, as far as the text alone tells where it leads. */
export interface Reference extends Span {
  readonly root: Root;
  /** The steps up to the first that is computed. */
  readonly keys: readonly (string | number)[];
  /** False if a computed step cut the keys short. */
  readonly complete: boolean;
  /** All steps, null for one that is computed. */
  readonly steps: readonly (string | number | null)[];
  /** Where it is written, if it is a part of a var. */
  readonly origin?: Origin;
  /** It stands where an expression may do without it: in a branch, behind `and` or `or`, in `default()`. */
  readonly mayGoUnread?: true;
}

/** Every path that an expression or template reads, those in strings, indexes and calls too, in the order of the text. */
export function references(source: Expression | Template): Reference[] {
  const found: Reference[] = [];
  const visit = (node: Expression, mayGoUnread: boolean): void => {
    if (node.kind === "path") found.push({ ...staticPath(node), ...(mayGoUnread ? { mayGoUnread } : {}) });
    for (const child of childrenOf(node)) visit(child, mayGoUnread || canDoWithout(node, child));
  };
  for (const expression of "parts" in source ? expressionsOf(source) : [source]) visit(expression, false);
  return found;
}

function canDoWithout(node: Expression, child: Expression): boolean {
  if (node.kind === "conditional") return child !== node.condition;
  if (node.kind === "logical") return child === node.right;
  return node.kind === "call" && node.name === "default";
}

export function staticPath(node: PathNode): Reference {
  const steps = node.steps.map(({ key }) => (typeof key === "object" ? null : key));
  const firstComputed = steps.indexOf(null);
  const known = firstComputed === -1 ? steps : steps.slice(0, firstComputed);
  const keys = known.filter((step) => step !== null);
  const { root, start, end, origin } = node;
  return { root, keys, complete: firstComputed === -1, steps, start, end, ...(origin === undefined ? {} : { origin }) };
}

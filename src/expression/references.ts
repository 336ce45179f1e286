import type { Expression, PathNode, Root, Span, Template } from "./ast.ts";
import { childrenOf, expressionsOf } from "./walk.ts";

/** A path, as far as the text alone tells where it leads. */
export interface StaticPath extends Span {
  readonly root: Root;
  /** The steps up to the first that is computed. */
  readonly keys: readonly (string | number)[];
  /** False if a computed step cut the keys short. */
  readonly complete: boolean;
}

export interface Reference extends StaticPath {
  /** True inside the first argument of default(), where a missing value is no problem. */
  readonly guarded: boolean;
}

/** Every path that an expression or template reads, those in strings, indexes and calls too, in the order of the text. */
export function references(source: Expression | Template): Reference[] {
  const found: Reference[] = [];
  const visit = (node: Expression, guarded: boolean): void => {
    if (node.kind === "path") found.push({ ...staticPath(node), guarded });
    for (const [index, child] of childrenOf(node).entries()) {
      visit(child, guarded || (node.kind === "call" && node.name === "default" && index === 0));
    }
  };
  for (const expression of "parts" in source ? expressionsOf(source) : [source]) visit(expression, false);
  return found;
}

export function staticPath(node: PathNode): StaticPath {
  const keys: (string | number)[] = [];
  for (const { key } of node.steps) {
    if (typeof key === "object") break;
    keys.push(key);
  }
  return { root: node.root, keys, complete: keys.length === node.steps.length, start: node.start, end: node.end };
}

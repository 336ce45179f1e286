import type { PageEdge } from "../../../views/page/page-records.ts";

/** One step in both directions, or all that it follows from, or all that follows from it. */
export type Reach = "step" | "before" | "after";

/** The blocks that a block hangs together with, itself among them, nearest first, and at most so many. */
export function neighbourhood(
  edges: readonly PageEdge[],
  address: string,
  reach: Reach,
  most: number,
): ReadonlySet<string> {
  const found = new Set([address]);
  const next = (ids: readonly string[], isBack: boolean): readonly string[] => {
    const near = new Set(ids);
    return edges.flatMap(({ from, to }) => (near.has(isBack ? to : from) ? [isBack ? from : to] : []));
  };
  const follow = (isBack: boolean, steps: number): void => {
    let last: readonly string[] = [address];
    for (let step = 0; step < steps && last.length > 0 && found.size < most; step++) {
      last = [...new Set(next(last, isBack))].filter((id) => !found.has(id)).slice(0, most - found.size);
      for (const id of last) found.add(id);
    }
  };
  if (reach !== "after") follow(true, reach === "step" ? 1 : Number.POSITIVE_INFINITY);
  if (reach !== "before") follow(false, reach === "step" ? 1 : Number.POSITIVE_INFINITY);
  return found;
}

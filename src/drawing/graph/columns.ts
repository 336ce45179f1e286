import type { ShapeEdge } from "./drawn-graph.ts";

/** The column of every box: one further than the last of those it waits for, so that no edge goes back. */
export function columnsOf(ids: readonly string[], edges: readonly ShapeEdge[]): ReadonlyMap<string, number> {
  const columns = new Map(ids.map((id) => [id, 0]));
  const waitsFor = new Map<string, number>(ids.map((id) => [id, 0]));
  const after = new Map<string, string[]>();
  for (const { from, to } of edges) {
    after.set(from, [...(after.get(from) ?? []), to]);
    waitsFor.set(to, (waitsFor.get(to) ?? 0) + 1);
  }
  const ready = ids.filter((id) => waitsFor.get(id) === 0);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    for (const next of after.get(id) ?? []) {
      columns.set(next, Math.max(columns.get(next) ?? 0, (columns.get(id) ?? 0) + 1));
      const left = (waitsFor.get(next) ?? 1) - 1;
      waitsFor.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  return columns;
}

/** Each pair once, between boxes that are there, and none in a circle: those are drawn by nobody, rather than wrongly. */
export function soundEdges(ids: readonly string[], edges: readonly ShapeEdge[]): readonly ShapeEdge[] {
  const known = new Set(ids);
  const seen = new Set<string>();
  const sound = edges.filter(({ from, to }) => {
    const key = keyOfEdge(from, to);
    if (from === to || !known.has(from) || !known.has(to) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  const columns = columnsOf(ids, sound);
  return sound.filter(({ from, to }) => (columns.get(from) ?? 0) < (columns.get(to) ?? 0));
}

export function keyOfEdge(from: string, to: string): string {
  return `${from}\t${to}`;
}

import type { DryRunResponse, FileForecast } from "../../src/views/dry-run.ts";

/** A tree as `readTree` gives it, with the changes that a dry run foretells. */
export function applyForecast(
  before: Readonly<Record<string, string>>,
  { files = [] }: DryRunResponse,
): Readonly<Record<string, string>> {
  const tree = new Map(Object.entries(before));
  const moves = files.filter(({ change }) => change === "moved");
  const taken = moves.map(({ path, from = "" }) => ({ path, entries: take(tree, from) }));
  const isMoved = ({ path }: FileForecast): boolean => moves.some((move) => path.startsWith(`${move.path}/`));
  const others = files.filter(({ change }) => change !== "moved");
  for (const file of others.filter((other) => !isMoved(other))) if (file.change === "deleted") take(tree, file.path);
  for (const { path, entries } of taken) {
    take(tree, path);
    for (const [below, content] of entries) tree.set(`${path}${below}`, content);
  }
  for (const file of others) apply(tree, file);
  return Object.fromEntries([...tree].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What lies at a path and below it, by the rest of the path. */
function take(tree: Map<string, string>, path: string): [string, string][] {
  const found = [...tree].filter(([name]) => name === path || name.startsWith(`${path}/`));
  for (const [name] of found) tree.delete(name);
  return found.map(([name, content]) => [name.slice(path.length), content]);
}

function apply(tree: Map<string, string>, { path, change, kind, was, diff }: FileForecast): void {
  if (change === "deleted") return void take(tree, path);
  if (kind === "directory") {
    if (change === "changed") take(tree, path);
    return void tree.set(`${path}/`, "directory");
  }
  const old = was === undefined ? (tree.get(path) ?? "") : "";
  if (was !== undefined) take(tree, path);
  tree.set(path, diff === undefined ? old : patch(old, diff));
}

/** The text that a unified diff makes of another one, in Latin-1 as trees have it. */
function patch(old: string, diff: string): string {
  const before = Buffer.from(old, "latin1").toString();
  const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let after = "";
  let at = 0;
  const parts = diff.split("\n").slice(2, -1);
  for (const [index, line] of parts.entries()) {
    const start = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (start !== null) {
      const first = start[2] === "0" ? Number(start[1]) : Number(start[1]) - 1;
      while (at < first) after += lines[at++];
      continue;
    }
    const end = parts[index + 1]?.startsWith("\\") ? "" : "\n";
    if (line.startsWith("+") || line.startsWith(" ")) after += line.slice(1) + end;
    if (line.startsWith("-") || line.startsWith(" ")) at++;
  }
  return Buffer.from(after + lines.slice(at).join("")).toString("latin1");
}

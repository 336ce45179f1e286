import type { PathChange, RunChanges } from "./changes.ts";

/** What a run changed, as a text: a line for each path, then how they differ. A part at a time, for it may be long. */
export function* writeChanges({ changes, refs = [], not_captured: lost = [], block }: RunChanges): Generator<string> {
  if (changes.length + refs.length + lost.length === 0) {
    yield `No file that Frond knows of was changed${block === undefined ? "" : " there"}. What commands change is known only where it is observed.\n`;
  }
  for (const change of changes) yield `${describeChange(change)}\n`;
  for (const { name, repository, before, after, by } of refs) {
    yield `git ${name} in ${repository} (${before ?? "missing"} -> ${after ?? "deleted"}) by ${by.join(", ")}\n`;
  }
  for (const { path, why, by } of lost) yield `not kept ${path} by ${by.join(", ")}: ${why}\n`;
  for (const { diff } of changes) if (diff !== undefined && diff !== "") yield `\n${diff}`;
}

function describeChange(change: PathChange): string {
  const { path, from, by, lines_added: added, lines_removed: removed } = change;
  const end = change.kind === "directory" ? "/" : "";
  const details = [
    ...(change.kind === "link" && change.target_after !== undefined ? [`link to ${change.target_after}`] : []),
    ...(change.was === undefined ? [] : [`was a ${change.was}`]),
    ...(change.mode_before === undefined ? [] : [`mode ${change.mode_before} -> ${change.mode_after}`]),
    ...(added === undefined ? [] : [`+${added} -${removed}`]),
    ...(change.no_diff === undefined ? [] : [`no diff: ${change.no_diff}`]),
    ...(change.now === undefined ? [] : [change.now === "as before" ? "as before the run again" : change.now]),
  ];
  const about = details.length === 0 ? "" : ` (${details.join("; ")})`;
  const moved = from === undefined ? "" : `${from}${end} -> `;
  return `${change.change} ${moved}${path}${end}${about} by ${by.join(", ")}`;
}

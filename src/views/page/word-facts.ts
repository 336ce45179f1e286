import { countOf } from "./say-words.ts";
import type { FactRow, UndoPart, WorkflowTouches } from "./workflow-records.ts";

const mostNamed = 6;

/** What a workflow can reach, in a row for each kind. */
export function wordTouches(touches: WorkflowTouches, budget: string | undefined): readonly FactRow[] {
  const { writes, hosts, commands, secrets, models, asks } = touches;
  const rows: FactRow[] = [];
  const add = (name: string, has: boolean, text: string, isProblem = false): void => {
    if (has) rows.push({ name, text, ...(isProblem ? { is_problem: true } : {}) });
  };
  const others = commands > 0 ? "whatever its commands write" : "files that are only known in a run";
  const sandbox = { all: "in a sandbox", some: "some in a sandbox", none: "no sandbox" }[touches.sandbox];
  const set = secrets.filter(({ is_set }) => is_set).map(({ name }) => name);
  const missing = secrets.filter(({ is_set }) => !is_set).map(({ name }) => name);
  add("Writes", writes.length > 0 || touches.writes_others, list(writes, touches.writes_others ? others : ""));
  add("Runs", commands > 0, `commands in ${countOf(commands, "block")}, ${sandbox}`);
  const elsewhere = touches.calls_others ? "addresses that are only known in a run" : "";
  add("Calls", hosts.length > 0 || touches.calls_others, list(hosts, elsewhere));
  add("Secrets", set.length > 0, `${list(set)} ${set.length === 1 ? "is" : "are"} set`);
  add("Secrets", missing.length > 0, `${list(missing)} ${missing.length === 1 ? "is" : "are"} missing`, true);
  add("Model", models > 0, `asked in ${countOf(models, "block")}`);
  add("People", asks.length > 0, `asked by ${list(asks)}`);
  add("Inputs", touches.takes_commands, "decide which program runs");
  add("Unknown", touches.unknown, "it calls workflows that are only known in a run");
  add("Spends", budget !== undefined, `at most ${budget}`);
  return rows;
}

/** Words as they are written, and what else there is. */
function list(words: readonly string[], others = ""): string {
  const more = words.length > mostNamed ? ` and ${words.length - mostNamed} more` : "";
  const named = `${words
    .slice(0, mostNamed)
    .map((word) => `\`${word.replaceAll("`", "'")}\``)
    .join(", ")}${more}`;
  return words.length === 0 || others === "" ? named + others : `${named}, and ${others}`;
}

const undoWords: Readonly<Record<UndoPart["kind"], string>> = {
  undone: "undone",
  partly: "in part: the files of the workspace",
  nothing: "nothing to undo",
  not_undone: "not undone",
};

/** What becomes of the blocks of a part when a run is taken back. */
export function wordUndo({ kind, count, blocks }: Omit<UndoPart, "says">): string {
  if (kind === "nothing") return undoWords[kind];
  const more = count > blocks.length ? ` and ${count - blocks.length} more` : "";
  return `${undoWords[kind]}: ${blocks.join(", ")}${more}`;
}

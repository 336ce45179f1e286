import type { RootedPath } from "../block/ports.ts";
import { absolutePath, shownPath } from "../block/rooted-path.ts";
import { writeState } from "../changes/state-text.ts";
import { type Deed, typeCompensation } from "../engine/list-deeds.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { pathBelow } from "../util/path-below.ts";
import type { PlanStep } from "./undo-plan.ts";

export interface PlanContents {
  readonly runId: string;
  readonly workflow: string;
  readonly workspace: string;
  /** In the order in which they are to run. */
  readonly steps: readonly PlanStep[];
  readonly onConflict: string;
  /** By the path as it is shown. */
  readonly onConflictOf: Readonly<Record<string, string>>;
}

/**
 * The text of a workflow that takes back what a run did. Values are written as JSON, which YAML reads as it is, so nothing in them is
 * taken for an expression or for YAML.
 */
export function writeUndoPlan(contents: PlanContents): string {
  const { runId, workflow, workspace, steps } = contents;
  const head = [
    `name: ${nameOf(workflow)}`,
    `description: ${quote(`Takes back what ${runId} (${workflow}) did`)}`,
    ...(steps.length > 1
      ? ["# One after the other: each when the one before has ended, whatever became of that."]
      : []),
    steps.length === 0 ? "blocks: []" : "blocks:",
  ];
  const blocks = steps.flatMap((step, index) => {
    const before = index === 0 ? undefined : idOf(steps[index - 1] as PlanStep, index - 1);
    const lines = step.kind === "restore" ? writeRestore(step, contents) : writeCompensation(step.deed, workspace);
    return writeBlock(idOf(step, index), before, lines, step.kind === "compensation" && hasCondition(step.deed));
  });
  return `${[...head, ...blocks].join("\n")}\n`;
}

function idOf({ kind }: PlanStep, index: number): string {
  return `${kind === "restore" ? "files" : "undo"}_${index + 1}`;
}

/** One that has a condition of its own is put into a group, which waits. */
function writeBlock(
  id: string,
  before: string | undefined,
  lines: readonly string[],
  hasOwnCondition: boolean,
): readonly string[] {
  const wait = before === undefined ? [] : [`condition: \${blocks.${before}.status} != 'running'`];
  const isGroup = wait.length > 0 && hasOwnCondition;
  const inner = isGroup ? ["blocks:", "  - id: block", ...lines.map((line) => indent(line, 4))] : lines;
  return [`  - id: ${id}`, ...[...wait, ...inner].map((line) => indent(line, 4))];
}

function indent(line: string, spaces: number): string {
  return line === "" ? "" : `${" ".repeat(spaces)}${line}`;
}

function hasCondition({ definition }: Deed): boolean {
  return definition.undo?.definition.condition !== undefined;
}

/** Taking an undo back is a redo. */
function nameOf(workflow: string): string {
  const [, kind, name] = /^(undo|redo)-(.+)$/.exec(workflow) ?? [];
  return kind === undefined ? `undo-${workflow}` : `${kind === "undo" ? "redo" : "undo"}-${name}`;
}

function writeRestore(
  { files, moves, refs }: Extract<PlanStep, { kind: "restore" }>,
  { runId, workspace, onConflict, onConflictOf }: PlanContents,
): readonly string[] {
  let isOutside = false;
  const path = (at: RootedPath): string => {
    const absolute = absolutePath(at);
    const below = pathBelow(workspace, absolute);
    if (below === undefined) isOutside = true;
    return quote(below ?? absolute);
  };
  const lines = [
    ...list("files", files, ({ at, now, before }) => {
      const shown = shownPath(at);
      const own = Object.hasOwn(onConflictOf, shown) ? `, on_conflict: ${onConflictOf[shown]}` : "";
      return `path: ${path(at)}, expect: ${quote(writeState(now))}, restore: ${quote(writeState(before))}${own}`;
    }),
    ...list("moves", moves, ({ from, to, moved }) => {
      return `from: ${path(to)}, to: ${path(from)}, expect: ${quote(writeState(moved))}`;
    }),
    ...list("refs", refs, ({ repository, name, first, last }) => {
      const states = `expect: ${quote(last ?? "missing")}, restore: ${quote(first ?? "missing")}`;
      return `repository: ${path(repository)}, name: ${quote(name)}, ${states}`;
    }),
  ];
  return [
    "type: RestoreFiles",
    "inputs:",
    `  run: ${runId}`,
    ...(onConflict === "keep" ? [] : [`  on_conflict: ${onConflict}`]),
    ...(isOutside ? ["  unsafe: true"] : []),
    ...lines,
  ];
}

function list<T>(name: string, items: readonly T[], write: (item: T) => string): readonly string[] {
  return items.length === 0 ? [] : [`  ${name}:`, ...items.map((item) => `    - { ${write(item)} }`)];
}

function writeCompensation(deed: Deed, workspace: string): readonly string[] {
  const { address, attempt, ending, inputs, outputs, definition } = deed;
  const text = compensationText(deed);
  const below = pathBelow(workspace, deed.workspace);
  const undone = {
    block: address,
    attempt,
    outcome: ending?.outcome ?? "n/a",
    status: ending?.status ?? "running",
    ...(below === undefined || below === "" ? {} : { workspace: below }),
    inputs: readOf(inputs, "inputs", text),
    outputs: readOf(outputs ?? {}, "outputs", text),
  };
  // It has to be fit for that anyway.
  const again = definition.undo?.definition.onInterrupted === undefined ? ["on_interrupted: rerun"] : [];
  return [`undoes: ${JSON.stringify(undone)}`, ...again, ...text.trimEnd().split("\n")];
}

/** Of what a block was given or made, that which the text can read: the rest may be large. */
function readOf(values: ValueMap, name: "inputs" | "outputs", text: string): ValueMap {
  const named = new RegExp(`block\\.${name}(?:\\.([\\w-]+))?`, "g");
  const read = new Set([...text.matchAll(named)].map(([, key]) => key));
  return read.has(undefined) ? values : Object.fromEntries(Object.entries(values).filter(([key]) => read.has(key)));
}

/** The block that takes back what another one did: as its author wrote it, or as its type says. */
export function compensationText(deed: Deed): string {
  const { undo } = deed.definition;
  if (undo !== undefined) return undo.text;
  const found = typeCompensation(deed);
  if (found === undefined) throw new Error(`${deed.address} does not say how it is taken back.`);
  const inputs = Object.entries(found.inputs).map(([name, value]) => `  ${name}: ${escapeExpressions(value)}`);
  return [`type: ${found.type}`, "inputs:", ...inputs, ""].join("\n");
}

/** As JSON, in which every text says what it says. */
function escapeExpressions(value: Value): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "string" ? inner.replaceAll("${", () => "$${") : inner,
  );
}

/** `$${` is how a text says `${`. */
function quote(text: string): string {
  return JSON.stringify(text.replaceAll("${", () => "$${"));
}

import { childNodes, hasActed, type RunNode } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";

/** Of a run that repeats another: what it took over from that, and why the rest ran. */
export interface ReuseData {
  readonly rerun_of?: string;
  /**
   * Addresses; of what was taken over whole, only its own. Elements of a loop are counted: `lint (47 of 50 elements)`. So is the same
   * block in many of them, with a star in the place of the element.
   */
  readonly reused?: readonly string[];
  /** By address, in the same way. */
  readonly not_reused?: Readonly<Record<string, string>>;
  /** Where files have changed since, and commands are reused all the same. */
  readonly reuse_remark?: string;
}

/** Beyond these the first ones tell what the rest would. */
const mostReused = 20;
const mostReasons = 30;
const mostCommands = 5;
/** Elements up to so many are named one by one. */
const fewElements = 3;

export function describeReuse({ started, root, nodes }: RunState): ReuseData {
  const { rerunOf, reuse } = started;
  if (rerunOf === undefined) return {};
  if (reuse === undefined) return { rerun_of: rerunOf };
  const reused = new Names();
  const reasons = new Names();
  const visit = (node: RunNode): void => {
    const { metadata } = node.record;
    if (metadata.reused === true && node.parent !== undefined) return reused.add(node, "");
    if (typeof metadata.not_reused === "string") reasons.add(node, metadata.not_reused);
    if (node.inside.kind !== "loop") return childNodes(node).forEach(visit);
    const { passes } = node.inside;
    const taken = passes.filter(({ record }) => record.metadata.reused === true).length;
    if (taken > 0) reused.addText(`${node.path} (${taken} of ${passes.length} elements)`);
    for (const pass of passes) if (pass.record.metadata.reused !== true) visit(pass);
  };
  visit(root);
  const commands = new Names();
  for (const node of nodes.values()) if (node.origin !== undefined && runsCommands(node)) commands.add(node, "");
  const taken = reused.list();
  const told = reasons.list();
  const more = andMore(told.length - mostReasons);
  return {
    rerun_of: rerunOf,
    reused: [...taken.slice(0, mostReused).map(([name]) => name), ...andMore(taken.length - mostReused)],
    not_reused: Object.fromEntries([...told.slice(0, mostReasons), ...more.map((text) => ["...", text])]),
    ...remarkOn(
      commands.list().map(([name]) => name),
      reuse.changedFiles ?? 0,
    ),
  };
}

/** Of a command nobody knows which files it reads. */
function remarkOn(commands: readonly string[], changed: number): Pick<ReuseData, "reuse_remark"> {
  if (commands.length === 0 || changed === 0) return {};
  const named = [...commands.slice(0, mostCommands), ...andMore(commands.length - mostCommands)].join(", ");
  const files = changed === 1 ? "1 file has" : `${changed} files have`;
  return {
    reuse_remark: `${files} changed since in the workspace; these commands were reused anyway: ${named}.`,
  };
}

function runsCommands({ block }: RunNode): boolean {
  return block?.definition.type.capabilities.includes("commands") === true;
}

function andMore(count: number): string[] {
  return count > 0 ? [`and ${count} more`] : [];
}

/** Addresses, each with what is said of it. Those that differ by their elements alone, and of which the same is said, become one. */
class Names {
  readonly #groups = new Map<string, { readonly pattern: string; readonly said: string; readonly paths: string[] }>();

  add(node: RunNode, said: string): void {
    const pattern = patternOf(node);
    const key = JSON.stringify([pattern, said]);
    const group = this.#groups.get(key) ?? { pattern, said, paths: [] };
    group.paths.push(node.path);
    this.#groups.set(key, group);
  }

  addText(text: string): void {
    this.#groups.set(text, { pattern: text, said: "", paths: [text] });
  }

  list(): (readonly [name: string, said: string])[] {
    return [...this.#groups.values()].flatMap(({ pattern, said, paths }) =>
      paths.length <= fewElements
        ? paths.map((path) => [path, said] as const)
        : [[`${pattern} (${paths.length} elements)`, said] as const],
    );
  }
}

/** Its address with a star for each element. */
function patternOf({ parent, element, key }: RunNode): string {
  if (parent === undefined) return "";
  const around = patternOf(parent);
  const own = element === undefined ? key : "*";
  return around === "" ? own : `${around}/${own}`;
}

/** Whether a run that repeats another has ended, and nothing in it had to run. */
export function isNothingRun({ started, finished, root }: RunState): boolean {
  return started.reuse !== undefined && finished !== undefined && !hasActed(root);
}

import { shownPath } from "../block/rooted-path.ts";
import type { ForeseenChange } from "../changes/foreseen-changes.ts";
import type { DryRun } from "../engine/dry-run.ts";
import type { Foreseen, Verdict } from "../engine/foreseen-blocks.ts";
import { childNodes, isUnderFinally, type RunNode } from "../engine/run-node.ts";
import { demandKnown, UnknownRead, whenKnown } from "../expression/unknown-value.ts";
import type { Value, ValueMap } from "../expression/value.ts";

/** What a run would do, for every door. Nothing of it has happened. */
export interface DryRunResponse {
  readonly status: "dry_run";
  readonly workflow: string;
  /** How many blocks have which verdict. */
  readonly counts: Readonly<Partial<Record<VerdictWord, number>>>;
  /** How the run would fail, if that is certain. */
  readonly would_fail?: string;
  /** In the order of the file, what is inside a block after it. */
  readonly blocks: readonly BlockForecast[];
  /** Those that are known. */
  readonly outputs?: ValueMap;
  /** The others: what each of them depends on. */
  readonly unknown_outputs?: Readonly<Record<string, string>>;
  readonly files?: readonly FileForecast[];
  readonly remarks?: readonly string[];
}

export type VerdictWord = "would run" | "may run" | "would skip" | "would fail" | "would be reused";

export interface BlockForecast {
  /** Its address. */
  readonly block: string;
  /** Absent where blocks are written inside it. */
  readonly type?: string;
  readonly verdict: VerdictWord;
  readonly why?: string;
  readonly remarks?: readonly string[];
  /** What is not known stands there as it is written. */
  readonly inputs?: ValueMap;
  /** In a run that reuses results of another one: why it has none to reuse. */
  readonly not_reused?: string;
  /** It reaches further than to files, so its own code was not called. */
  readonly not_run?: true;
  /** Of a pass of a loop. */
  readonly element?: Value;
  readonly is_finally?: true;
}

export interface FileForecast {
  readonly path: string;
  readonly change: ForeseenChange["change"];
  /** Unless it is a file. */
  readonly kind?: "directory" | "link";
  /** Of what takes the place of something of another kind. */
  readonly was?: ForeseenChange["what"];
  /** Of what is moved: from where. */
  readonly from?: string;
  /** Octal; where it would be another, or of what is created. */
  readonly mode?: string;
  readonly diff?: string;
  /** In bytes, of what can't be shown as text. */
  readonly size_before?: number;
  readonly size_after?: number;
  /** The block that may run: only then it is so. */
  readonly only_if?: string;
}

const words: Readonly<Record<Verdict, VerdictWord>> = {
  run: "would run",
  "may-run": "may run",
  skip: "would skip",
  fail: "would fail",
  reuse: "would be reused",
};

export function describeDryRun({ state, foreseen, files }: DryRun): DryRunResponse {
  const { root, started } = state;
  const { metadata, outputs } = root.record;
  const nodes = [...nodesBelow(root)];
  const all = nodes.flatMap((node) => describeNode(node, foreseen.get(node)));
  const changes = [
    ...files.map((change) => describeChange(change)),
    ...nodes.flatMap((node) => (foreseen.get(node)?.files ?? []).map((change) => describeChange(change, node.path))),
  ];
  const remarks = all.some(({ not_run }) => not_run) ? [notRunRemark] : [];
  return {
    status: "dry_run",
    workflow: started.workflow,
    counts: countVerdicts(all),
    ...(metadata.failed ? { would_fail: metadata.message ?? "it would fail" } : {}),
    blocks: all,
    ...splitOutputs(outputs),
    ...(changes.length > 0 ? { files: changes } : {}),
    ...(remarks.length > 0 ? { remarks } : {}),
  };
}

function countVerdicts(blocks: readonly BlockForecast[]): DryRunResponse["counts"] {
  const counts: Partial<Record<VerdictWord, number>> = {};
  for (const word of Object.values(words)) {
    const count = blocks.filter(({ verdict }) => verdict === word).length;
    if (count > 0) counts[word] = count;
  }
  return counts;
}

const notRunRemark =
  "Commands, calls and the like are not run: they are taken to succeed, and files that they would write are not there.";

function* nodesBelow(node: RunNode): Generator<RunNode> {
  for (const child of childNodes(node)) {
    yield child;
    yield* nodesBelow(child);
  }
}

function describeNode(node: RunNode, found: Foreseen | undefined): BlockForecast[] {
  const definition = node.block?.definition;
  if (found === undefined || definition === undefined) return [];
  const { verdict, why, remarks, inputs, notReused, notRun } = found;
  return [
    {
      block: node.path,
      ...(definition.group === undefined ? { type: definition.type.type } : {}),
      verdict: words[verdict],
      ...(why === undefined ? {} : { why }),
      ...(remarks.length > 0 ? { remarks } : {}),
      ...(Object.keys(inputs).length > 0 ? { inputs } : {}),
      ...(notReused === undefined ? {} : { not_reused: notReused }),
      ...(notRun ? { not_run: true } : {}),
      ...elementOf(node),
      ...(isUnderFinally(node) ? { is_finally: true } : {}),
    },
  ];
}

function elementOf({ element, block }: RunNode): Pick<BlockForecast, "element"> {
  if (element === undefined || block?.definition.forEach === undefined) return {};
  return isKnown(element.value) ? { element: element.value } : {};
}

function isKnown(value: Value): boolean {
  return !(whenKnown(() => demandKnown(value)) instanceof UnknownRead);
}

function splitOutputs(outputs: ValueMap): Pick<DryRunResponse, "outputs" | "unknown_outputs"> {
  const known: Record<string, Value> = {};
  const unknown: Record<string, string> = {};
  for (const [name, value] of Object.entries(outputs)) {
    const found = whenKnown(() => demandKnown(value));
    if (found instanceof UnknownRead) unknown[name] = found.about;
    else known[name] = value;
  }
  return {
    ...(Object.keys(known).length > 0 ? { outputs: known } : {}),
    ...(Object.keys(unknown).length > 0 ? { unknown_outputs: unknown } : {}),
  };
}

function describeChange(found: ForeseenChange, onlyIf?: string): FileForecast {
  const { at, change, what, was, from, mode, diff, sizeBefore, sizeAfter } = found;
  return {
    path: shownPath(at),
    change,
    ...(what === "file" ? {} : { kind: what }),
    ...(was === undefined ? {} : { was }),
    ...(from === undefined ? {} : { from: shownPath(from) }),
    ...(mode === undefined ? {} : { mode: mode.toString(8).padStart(4, "0") }),
    ...(diff === undefined ? {} : { diff }),
    ...(sizeBefore === undefined ? {} : { size_before: sizeBefore }),
    ...(sizeAfter === undefined ? {} : { size_after: sizeAfter }),
    ...(onlyIf === undefined ? {} : { only_if: onlyIf }),
  };
}

import type { HandledFailure } from "../engine/events.ts";
import { childNodes, isLoop, type RunNode, type WorkflowInside } from "../engine/run-node.ts";
import { weighFailures } from "../engine/weigh-failures.ts";
import { isMap, type Value, type ValueMap } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { elementsAround } from "./pass-names.ts";

export interface FailedBlock {
  readonly block: string;
  /** In a loop over a list: the element that it failed for, in a few words; of loops around each other, all of them. */
  readonly element?: string;
  readonly message: string;
  /** The end of what it wrote to stderr. */
  readonly stderr_tail?: string;
  /** The end of what it wrote to stdout, as far as stderr leaves room. */
  readonly stdout_tail?: string;
}

const tailCharacters = 2_000;

/** Of a workflow that still runs: those that are answered already. */
export function handledIn({ inside, ended }: RunNode): readonly HandledFailure[] {
  if (inside.kind !== "workflow") return [];
  return inside.remarks?.handledFailures ?? (ended ? [] : weighFailures(inside, "main").handled);
}

/** Blocks that failed themselves, wherever they are; what only failed because of something inside it is left out. */
export function failedBlocks(node: RunNode): FailedBlock[] {
  const { metadata, outputs } = node.record;
  const inside = childrenThatCount(node);
  const deeper = inside.flatMap(failedBlocks);
  const answered = new Set(handledIn(node).map(({ block }) => block));
  const isBecauseOfThem = inside.some(({ record, path }) => record.metadata.failed && !answered.has(path));
  if (node.parent === undefined || !metadata.failed || isBecauseOfThem) return deeper;
  const { last = null } = outputs;
  const message = metadata.message ?? "failed";
  const element = elementsAround(node);
  return [
    { block: node.path, ...defined({ element }), message, ...describeTail(isMap(last) ? last : outputs, message) },
    ...deeper,
  ];
}

/** Of a block that is tried again, or repeated until a condition holds, what is inside does not decide how it ends. */
function childrenThatCount(node: RunNode): readonly RunNode[] {
  const isBetween = node.stage.kind === "sleeping" || node.stage.kind === "woken";
  const isJudged = isLoop(node) && node.block?.definition.repeat?.until !== undefined;
  return isBetween || isJudged ? [] : childNodes(node);
}

/**
 * Many tools tell what is wrong on stdout, also where what has started them says on stderr that they failed: stdout is shown as far as
 * there is room beside stderr. Neither is where the message quotes all of it.
 */
function describeTail(
  { stderr = "", stdout = "" }: ValueMap,
  message: string,
): Pick<FailedBlock, "stderr_tail" | "stdout_tail"> {
  const errors = tailOf(stderr, tailCharacters);
  const output = tailOf(stdout, tailCharacters - errors.length);
  return {
    ...(errors === "" || message.endsWith(errors) ? {} : { stderr_tail: errors }),
    ...(output === "" || message.endsWith(output) ? {} : { stdout_tail: output }),
  };
}

/** The end of all that it wrote, for people. */
export function endOfOutput({ stderr_tail: errors, stdout_tail: output }: FailedBlock): string {
  return [output, errors].filter((text) => text !== undefined).join("\n");
}

/** With less room than this it says nothing. */
const leastCharacters = 200;

function tailOf(text: Value, room: number): string {
  if (typeof text !== "string") return "";
  const trimmed = text.trimEnd();
  if (trimmed.length <= room) return trimmed;
  return room < leastCharacters ? "" : `...${trimmed.slice(-room)}`;
}

/** Blocks that were skipped because something failed that they depend on, in the order of the file; of a skipped block nothing inside. */
export function skippedForFailures(node: RunNode): string[] {
  const { inside } = node;
  if (inside.kind === "leaf" || node.record.metadata.skipped) return [];
  const missed =
    inside.kind === "workflow" ? missedBlocks(inside) : inside.stopped ? inside.passes.filter(isSkipped) : [];
  const set = new Set(missed);
  return childNodes(node).flatMap((child) => (set.has(child) ? [child.path] : skippedForFailures(child)));
}

function isSkipped({ record }: RunNode): boolean {
  return record.metadata.skipped;
}

function missedBlocks({ children }: WorkflowInside): readonly RunNode[] {
  const judged = new Map<RunNode, boolean>();
  const isMissed = (node: RunNode): boolean => {
    const known = judged.get(node);
    if (known !== undefined) return known;
    const dependencies = (node.block?.edges ?? []).map(({ on }) => children[on] as RunNode);
    const missed = isSkipped(node) && dependencies.some((one) => one.record.metadata.failed || isMissed(one));
    judged.set(node, missed);
    return missed;
  };
  return children.filter(isMissed);
}

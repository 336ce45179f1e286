import { formatUsd, type Spend } from "../../block/spend.ts";
import { mostAttempts, parseCount } from "../../definition/retry-values.ts";
import type { LoopElement } from "../../engine/inside.ts";
import { nameElement } from "../../engine/name-element.ts";
import { childNodes, isUnderFinally, questionOf, type RunNode } from "../../engine/run-node.ts";
import type { RunState } from "../../engine/state.ts";
import { childKey, writtenChild } from "../../plan/block-shape.ts";
import type { PlannedBlock } from "../../plan/plan.ts";
import { defined } from "../../util/defined.ts";
import { describeReason, runningSince } from "../run-tree.ts";
import { isReused } from "../tree-rows.ts";
import { wordCost } from "../word-spend.ts";
import { sizeOf } from "./box-size.ts";
import type { BlockCard, Holds, Inside, PageSpend } from "./page-records.ts";
import { plainMessage } from "./plain-message.ts";
import type { RunPicture } from "./run-picture.ts";
import { sayCard } from "./say-card.ts";
import { countStandings, shortStrip } from "./standings.ts";

/** A message of many lines is read where its block is looked at. */
const longestMessage = 300;

/** A block, or a pass, that has begun or is known to come. */
export function describeCard(picture: RunPicture, node: RunNode, address: string): BlockCard {
  return picture.card(node, address, () => makeCard(picture, node, address));
}

function makeCard(picture: RunPicture, node: RunNode, address: string): BlockCard {
  const { stage, element, block, record } = node;
  const { metadata } = record;
  const standing = picture.standing(node);
  const isRunning = standing === "running";
  const card: BlockCard = {
    address,
    name: node.key,
    ...describeKind(picture.state, block, element !== undefined),
    standing,
    ...defined({ message: cutMessage(describeReason(node, false)) }),
    started_at: metadata.skipped ? null : metadata.started_at,
    duration_ms: Math.round(isReused(node) ? metadata.execution_time_ms : node.attemptMs),
    ...defined({ running_since: isRunning ? runningSince(node) : undefined }),
    attempt: metadata.attempts,
    ...defined({
      wake_at: stage.kind === "sleeping" ? stage.until : undefined,
      question: questionOf(node)?.question.text,
      inside: describeInside(picture, node),
      element: element === undefined ? undefined : nameOf(element),
      spend: describeSpend(node),
    }),
    ...(isUnderFinally(node) && element === undefined ? { is_finally: true } : {}),
    ...(isReused(node) ? { is_reused: true } : {}),
    ...(node.rollback === undefined ? {} : { is_rolling_back: true }),
    wave: element === undefined ? metadata.wave : 0,
    spans: picture.spans.of(node.path),
  };
  const size = element === undefined ? sizeOf(card, false) : undefined;
  return { ...card, ...defined({ says: sayCard(card), size }) };
}

/** A block of a workflow that has not begun. */
export function describePlanned(state: RunState, block: PlannedBlock, address: string): BlockCard {
  const kind = { name: block.definition.id, ...describeKind(state, block, false) };
  return {
    address,
    ...kind,
    size: sizeOf(kind, false),
    standing: "to_come",
    started_at: null,
    duration_ms: 0,
    attempt: 0,
    ...(block.definition.isFinally ? { is_finally: true } : {}),
    wave: block.wave,
    spans: [],
  };
}

type Kind = Pick<BlockCard, "type" | "holds" | "workflow" | "condition" | "most_attempts" | "allows_failure">;

/** What is known before it begins. */
function describeKind(state: RunState, block: PlannedBlock | undefined, isPass: boolean): Kind {
  if (block === undefined) return { type: "workflow", holds: "workflow" };
  const { definition } = block;
  return {
    type: definition.type.type,
    holds: holdsOf(state, block, isPass),
    ...defined({
      workflow: writtenChild(definition),
      condition: isPass ? undefined : definition.condition?.text.text.trim(),
      most_attempts: mostTries(block),
    }),
    ...(definition.allowFailure ? { allows_failure: true } : {}),
  };
}

export function holdsOf(state: RunState, block: PlannedBlock, isPass: boolean): Holds {
  const { definition, group } = block;
  if (!isPass && (definition.forEach !== undefined || definition.repeat !== undefined)) return "loop";
  if (group !== undefined) return "group";
  if (definition.type.behaviour.kind !== "nested") return "none";
  // Which workflow it calls may only be known once it begins.
  const key = childKey(definition);
  return key === undefined || state.definitions.has(key) ? "workflow" : "none";
}

/** As far as it is written out. */
function mostTries({ definition }: PlannedBlock): number | undefined {
  const written = definition.retry?.attempts;
  if (written?.kind !== "literal") return undefined;
  const most = parseCount(written.value, mostAttempts);
  return most.ok ? most.value : undefined;
}

function describeInside(picture: RunPicture, node: RunNode): Inside | undefined {
  const children = childNodes(node);
  if (children.length === 0) return undefined;
  const standings = children.map((child) => picture.standing(child));
  const ended = children.reduce((sum, child) => sum + Number(child.ended), 0);
  return { ended, total: children.length, counts: countStandings(standings), strip: shortStrip(standings) };
}

export function describeSpend({ record, budget }: RunNode): PageSpend | undefined {
  const spend = record.metadata.spend as Spend | undefined;
  const most = budget?.limits.get("usd")?.most;
  const text = wordCost(spend) ?? (most === undefined ? undefined : formatUsd(0));
  if (text === undefined) return undefined;
  return {
    text,
    ...defined({ usd: spend?.usd, most: most === undefined ? undefined : formatUsd(most), mostUsd: most }),
  };
}

function nameOf(element: LoopElement): string | undefined {
  const name = nameElement(element);
  return name === undefined ? undefined : plainMessage(name);
}

export function cutMessage(written: string | null): string | undefined {
  const message = written === null ? undefined : plainMessage(written);
  if (message === undefined || message.length <= longestMessage) return message;
  return `${message.slice(0, longestMessage).replace(/[\ud800-\udbff]$/, "")}…`;
}

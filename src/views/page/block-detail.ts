import { positionAt } from "../../diagnostic/source.ts";
import { childPath } from "../../engine/address.ts";
import type { Ending } from "../../engine/execution.ts";
import { isLeaf, type RunNode } from "../../engine/run-node.ts";
import type { Value, ValueMap } from "../../expression/value.ts";
import type { PlannedBlock } from "../../plan/plan.ts";
import { defined } from "../../util/defined.ts";
import { isReused } from "../tree-rows.ts";
import { cutText, longestValue, textOfValue } from "./cut-values.ts";
import type { AttemptLine, BlockDetail, ValueLine } from "./detail-records.ts";
import { decide } from "./edges.ts";
import type { Place } from "./find-place.ts";
import { describeOf } from "./level.ts";
import type { PageStanding } from "./page-records.ts";
import { factRows, footRows } from "./panel-rows.ts";
import { plainMessage } from "./plain-message.ts";
import { describeQuestion, listHeldUp } from "./run-head.ts";
import type { RunPicture } from "./run-picture.ts";
import type { Seen } from "./run-pictures.ts";
import { sayBlock } from "./say-block.ts";

/**
 * One block in full. `seen` is the block as the attempt left it that is looked at, `latest` as it is now: of that all attempts are
 * told.
 */
export function describeDetail({ picture, place }: Seen, latest: Seen, address: string): BlockDetail {
  const card = describeOf(picture, place, address);
  const { node, block } = place;
  const attempts = listAttempts(latest.picture, latest.place.node);
  const links = {
    ran_because: listReasons(place, address),
    holds_up: node === undefined || node.ended ? [] : (listHeldUp(node) ?? []),
  };
  return {
    card,
    sentence: sayBlock(picture, place, card, attempts),
    ...links,
    facts: factRows(card, links),
    foot: footRows(card),
    attempts,
    inputs: node === undefined ? [] : listValues(writtenInputs(node)),
    outputs: node?.ended === true || isBetween(node) ? listValues(node?.record.outputs ?? {}) : [],
    ...defined({ question: node === undefined ? undefined : describeQuestion(picture, node), source: sourceOf(block) }),
    changed_files: picture.changed.count(place.path),
    has_log: node !== undefined && isLeaf(node) && mayWrite(node),
    sequence: latest.now.state.sequence,
  };
}

/** What an attempt has left is there until the next one begins. */
function isBetween(node: RunNode | undefined): boolean {
  return node?.stage.kind === "sleeping" && node.stage.about === "retry";
}

/** The whole of a value: `inputs.command`, `outputs.stdout`. */
export function findValue({ node }: Place, field: string): string | undefined {
  const [part, name] = [field.split(".", 1)[0], field.slice(field.indexOf(".") + 1)];
  const values = part === "inputs" ? node?.record.inputs : part === "outputs" ? node?.record.outputs : undefined;
  return values !== undefined && Object.hasOwn(values, name) ? shownText(values[name]).text : undefined;
}

/** What the file says; what was left to its default only makes lists long. */
function writtenInputs({ block, record }: RunNode): ValueMap {
  return Object.fromEntries(Object.entries(record.inputs).filter(([name]) => block?.definition.inputs.has(name)));
}

function listValues(values: ValueMap): ValueLine[] {
  return Object.entries(values).map(([name, value]) => {
    const { text, isSecret } = shownText(value);
    return {
      name,
      text: cutText(text),
      ...(text.length > longestValue ? { length: text.length } : {}),
      ...(isSecret ? { is_secret: true } : {}),
    };
  });
}

/** A secret is its reference everywhere; what is around it may be read. */
function shownText(value: Value | undefined): { readonly text: string; readonly isSecret: boolean } {
  const text = textOfValue(value);
  const shown = typeof value === "string" ? text.replaceAll(/\$\{\s*secrets\.\w+\s*\}/g, "[secret]") : text;
  return { text: shown, isSecret: shown !== text };
}

function listReasons({ node }: Place, address: string): BlockDetail["ran_because"] {
  const siblings = node?.parent?.inside.kind === "workflow" ? node.parent.inside.children : undefined;
  if (node === undefined || siblings === undefined) return [];
  const around = address.slice(0, Math.max(0, address.lastIndexOf("/")));
  return (node.block?.edges ?? []).map((edge) => ({
    address: childPath(around, siblings[edge.on]?.key ?? ""),
    decided: decide(edge, node, siblings),
  }));
}

function listAttempts(picture: RunPicture, node: RunNode | undefined): AttemptLine[] {
  if (node === undefined) return [];
  const { metadata } = node.record;
  const lines = node.earlier.map(({ ending, startedAt, endedAt }, index) => ({
    attempt: index + 1,
    standing: standingOfEnding(ending),
    started_at: startedAt,
    duration_ms: Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
    ...defined({ message: plainOf(ending.message) }),
  }));
  // Between two attempts there is no other.
  if (metadata.attempts <= lines.length || node.attemptAt === undefined) return lines;
  return [
    ...lines,
    {
      attempt: metadata.attempts,
      standing: picture.standing(node),
      started_at: node.attemptAt,
      duration_ms: node.ended ? Math.round(isReused(node) ? metadata.execution_time_ms : node.attemptMs) : null,
      ...defined({ message: plainOf(metadata.message) }),
    },
  ];
}

function plainOf(message: string | null): string | undefined {
  return message === null ? undefined : plainMessage(message);
}

function standingOfEnding(ending: Ending): PageStanding {
  if (ending.status === "completed") return ending.outcome === "success" ? "done" : "failed";
  if (ending.cause === "interrupted") return "interrupted";
  if (ending.cause === "timeout") return "failed";
  return ending.cause === undefined ? "crashed" : "cancelled";
}

function sourceOf(block: PlannedBlock | undefined): BlockDetail["source"] {
  if (block === undefined) return undefined;
  const { source, start } = block.definition.range;
  return { file: source.name, line: positionAt(source, start).line };
}

/** Only what runs commands writes anything. */
function mayWrite(node: RunNode): boolean {
  const { attempts } = node.record.metadata;
  return attempts > 0 && !isReused(node) && node.block?.definition.type.capabilities.includes("commands") === true;
}

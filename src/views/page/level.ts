import { childPath, parseAddress } from "../../engine/address.ts";
import { childNodes, type RunNode } from "../../engine/run-node.ts";
import { describeCard, describePlanned } from "./block-card.ts";
import { describeEdges } from "./edges.ts";
import { type Place, planInside } from "./find-place.ts";
import type { BlockCard, Crumb, Level, PageEdge, PageStanding, Passes } from "./page-records.ts";
import { plainMessage } from "./plain-message.ts";
import { describeHead } from "./run-head.ts";
import type { RunPicture } from "./run-picture.ts";
import { countStandings, isFailure, needOf, wholeStrip } from "./standings.ts";

/** Of a loop, so many passes have cards at once; the others are asked for. */
const mostPasses = 200;
const mostReasons = 20;

/** What is inside an address. The head is that of the run as it is now, also where an attempt that is over is looked at. */
export function describeLevel(picture: RunPicture, place: Place, address: string, now: RunPicture = picture): Level {
  const { node, block, holds } = place;
  return {
    head: describeHead(now),
    crumbs: describeCrumbs(now, address),
    ...(block === undefined ? {} : { of: describeOf(picture, place, address) }),
    holds,
    ...(holds === "loop" ? describeLoop(picture, node, address) : describeBlocks(picture, place, address)),
  };
}

export function describeOf(picture: RunPicture, { node, block }: Place, address: string): BlockCard {
  if (node !== undefined) return describeCard(picture, node, address);
  if (block === undefined) throw new Error("The run itself has no card.");
  return describePlanned(picture.state, block, address);
}

type Content = Pick<Level, "blocks" | "edges" | "passes">;

function describeBlocks(picture: RunPicture, place: Place, address: string): Content {
  const { node } = place;
  const plan = planInside(picture.state, place);
  if (plan === undefined) return { blocks: [], edges: [] };
  const addressOf = (id: string): string => childPath(address, id);
  const children = node?.inside.kind === "workflow" ? node.inside.children : undefined;
  return {
    blocks:
      children?.map((child) => describeCard(picture, child, addressOf(child.key))) ??
      plan.blocks.map((block) => describePlanned(picture.state, block, addressOf(block.definition.id))),
    edges: describeEdges(plan, children, addressOf),
  };
}

function describeLoop(picture: RunPicture, node: RunNode | undefined, address: string): Content {
  const passes = node === undefined ? [] : childNodes(node);
  const standings = passes.map((pass) => picture.standing(pass));
  return {
    blocks: chooseNeediest(passes, standings).map((pass) => describeCard(picture, pass, childPath(address, pass.key))),
    edges: noEdges,
    passes: describePasses(passes, standings),
  };
}

const noEdges: readonly PageEdge[] = [];

/** Those first that need somebody to look, and of the same kind in their order. */
function chooseNeediest(passes: readonly RunNode[], standings: readonly PageStanding[]): RunNode[] {
  const byNeed: RunNode[][] = [];
  for (const [index, pass] of passes.entries()) {
    const need = needOf(standings[index] as PageStanding);
    const group = byNeed[need] ?? [];
    if (group.length < mostPasses) group.push(pass);
    byNeed[need] = group;
  }
  return byNeed.flat().slice(0, mostPasses);
}

function describePasses(passes: readonly RunNode[], standings: readonly PageStanding[]): Passes {
  const reasons = new Map<string, number>();
  for (const [index, pass] of passes.entries()) {
    if (!isFailure(standings[index] as PageStanding)) continue;
    const [message = ""] = plainMessage(pass.record.metadata.message ?? "failed").split("\n", 1);
    reasons.set(message, (reasons.get(message) ?? 0) + 1);
  }
  return {
    total: passes.length,
    counts: countStandings(standings),
    strip: wholeStrip(standings),
    reasons: [...reasons]
      .map(([message, count]) => ({ message, count }))
      .sort((one, other) => other.count - one.count)
      .slice(0, mostReasons),
  };
}

/** Passes of a loop in their order, those that stand so. */
export function listPasses(
  picture: RunPicture,
  node: RunNode | undefined,
  address: string,
  { standings, offset, limit }: { standings: readonly PageStanding[] | undefined; offset: number; limit: number },
): { readonly blocks: readonly BlockCard[]; readonly total: number } {
  const passes = node?.inside.kind === "loop" ? node.inside.passes : [];
  const wanted = standings === undefined ? passes : passes.filter((pass) => standings.includes(picture.standing(pass)));
  const page = wanted.slice(offset, offset + limit);
  return {
    blocks: page.map((pass) => describeCard(picture, pass, childPath(address, pass.key))),
    total: wanted.length,
  };
}

function describeCrumbs({ state }: RunPicture, address: string): Crumb[] {
  const crumbs: Crumb[] = [{ address: "", name: state.started.workflow }];
  let around = "";
  for (const { key, attempt } of parseAddress(address)) {
    const step = attempt === undefined ? key : `${key}@${attempt}`;
    around = around === "" ? step : `${around}/${step}`;
    crumbs.push({ address: around, name: attempt === undefined ? decode(key) : `${decode(key)} @${attempt}` });
  }
  return crumbs;
}

/** An address writes some signs of keys in another way. */
function decode(key: string): string {
  return key.replaceAll(/%(?:25|2F|40)/g, decodeURIComponent);
}

import type { BlockCard, PageEdge, PageStanding, StandingCounts, Strip } from "../../../views/page/page-records.ts";
import { groupBy } from "../../look/group-by.ts";
import { letterOf, standingWords } from "../../look/standing.ts";
import { countStandings } from "../../look/standing-counts.ts";

/** Up to so many blocks are boxes; of more, groups. */
export const mostBoxes = 120;
const mostGroups = 40;

export type GroupBy = "name" | "wave" | "state" | "workflow";

export interface Group {
  readonly name: string;
  readonly blocks: readonly BlockCard[];
  readonly strip: Strip;
  readonly counts: StandingCounts;
}

export interface GroupEdge {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly decided: PageEdge["decided"];
}

export function groupBlocks(blocks: readonly BlockCard[], by: GroupBy): readonly Group[] {
  const names = by === "name" ? namesByPrefix(blocks) : (card: BlockCard): string => nameBy(card, by);
  const members = groupBy(blocks, (card) => (card.is_finally === true && by !== "state" ? "finally" : names(card)));
  return [...members]
    .map(([name, cards]) => describeGroup(name, cards))
    .sort((one, other) => meanWave(one.blocks) - meanWave(other.blocks));
}

function describeGroup(name: string, blocks: readonly BlockCard[]): Group {
  const standings = blocks.map(({ standing }) => standing);
  const strip = standings.map(letterOf).join("");
  // A group of one is the block itself.
  return {
    name: blocks.length === 1 ? (blocks[0]?.name ?? name) : name,
    blocks,
    strip,
    counts: countStandings(standings),
  };
}

function nameBy({ wave, standing, workflow, type }: BlockCard, by: GroupBy): string {
  if (by === "wave") return `wave ${wave + 1}`;
  return by === "state" ? standingWords[standing] : (workflow ?? type);
}

/** What names begin with: the longest such beginnings of which there are not too many. */
function namesByPrefix(blocks: readonly BlockCard[]): (card: BlockCard) => string {
  const cuts: readonly ((name: string) => string)[] = [
    withoutNumber,
    (name) => name.replace(/[^_\-.]*$/u, "*"),
    (name) => name.replace(/[_\-.].*$/u, "_*"),
    (name) => `${name.slice(0, 1)}*`,
  ];
  const isFew = (cut: (name: string) => string): boolean => {
    const names = new Set<string>();
    return blocks.every(({ name }) => names.add(cut(name)).size <= mostGroups);
  };
  const cut = cuts.find(isFew) ?? (() => "all");
  return ({ name }) => cut(name);
}

/** Every block's, after every change: a regular expression takes ten times as long. */
function withoutNumber(name: string): string {
  let end = name.length;
  while (end > 0 && isDigit(name.charCodeAt(end - 1))) end--;
  return end === name.length ? name : `${name.slice(0, end)}*`;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function meanWave(blocks: readonly BlockCard[]): number {
  return blocks.reduce((sum, { wave }) => sum + wave, 0) / Math.max(1, blocks.length);
}

/** How many edges lead from a group to a later one; those within a group, and those back, are not drawn. */
export function groupEdges(groups: readonly Group[], edges: readonly PageEdge[]): readonly GroupEdge[] {
  const groupOf = new Map<string, number>();
  for (const [index, { blocks }] of groups.entries()) for (const { address } of blocks) groupOf.set(address, index);
  const found = new Map<number, { from: string; to: string; count: number; isOpen: boolean }>();
  for (const { from, to, decided } of edges) {
    const [one, other] = [groupOf.get(from) ?? -1, groupOf.get(to) ?? -1];
    if (one < 0 || one >= other) continue;
    const key = one * groups.length + other;
    const before = found.get(key);
    if (before === undefined) {
      found.set(key, {
        from: groups[one]?.name ?? "",
        to: groups[other]?.name ?? "",
        count: 1,
        isOpen: decided === "open",
      });
    } else {
      before.count += 1;
      before.isOpen = before.isOpen && decided === "open";
    }
  }
  return [...found.values()].map(({ from, to, count, isOpen }) => ({
    from,
    to,
    count,
    decided: isOpen ? "open" : "went",
  }));
}

/** In a few words what is not done of a group. */
export function groupLine({ counts, blocks }: Group): string {
  const told: readonly PageStanding[] = ["failed", "crashed", "asks", "running", "handled", "skipped", "to_come"];
  const parts = told.flatMap((standing) => {
    const count = counts[standing] ?? 0;
    return count === 0 ? [] : [`${count} ${standingWords[standing].replace("failed, ", "")}`];
  });
  if (parts.length === 0) return (counts.done ?? 0) === blocks.length ? "all done" : `${blocks.length} ended`;
  return parts.slice(0, 2).join(" · ");
}

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { BlockCard, Level } from "../../../views/page/page-records.ts";
import { plural } from "../../look/format.ts";
import { groupBlocks } from "../graph/groups.ts";
import { VirtualRows } from "../virtual-rows.tsx";
import { countAtOnce } from "./at-once.ts";
import type { Axis } from "./axis.ts";

const parts = 160;

/** Rows of groups: how many blocks ran at once, as an area, and where some failed. */
export function GroupRows({
  level,
  axis,
  now,
}: {
  readonly level: Level;
  readonly axis: Axis;
  readonly now: number;
}): JSX.Element {
  const groups = useMemo(() => groupBlocks(level.blocks, "name"), [level.blocks]);
  const areas = groups.map(({ blocks }) => countAtOnce(blocks, axis, now, parts));
  const most = Math.max(1, ...areas.flatMap(({ counts }) => counts));
  return (
    <VirtualRows
      count={groups.length}
      rowHeight={19}
      mostHeight={19 * 24}
      label="Groups"
      row={(index) => {
        const group = groups[index];
        const area = areas[index];
        return (
          group &&
          area && (
            <div class="timeline-row">
              <span class="timeline-name">
                <span>{group.name}</span>
              </span>
              <span class="timeline-track">
                <svg
                  class="timeline-area"
                  viewBox={`0 0 ${parts} 15`}
                  preserveAspectRatio="none"
                  role="img"
                  aria-label={describe(group.blocks, area.counts)}
                >
                  <path d={areaPath(area.counts, most)} />
                  <path
                    class="timeline-failures"
                    d={area.failures.map((at) => `M${(at * parts).toFixed(1)} 0v15`).join("")}
                  />
                </svg>
              </span>
            </div>
          )
        );
      }}
    />
  );
}

function describe(blocks: readonly BlockCard[], counts: readonly number[]): string {
  const failed = blocks.filter(({ standing }) => standing === "failed" || standing === "crashed").length;
  return `${plural(blocks.length, "block")}, at most ${Math.max(0, ...counts)} at once, ${failed} failed`;
}

function areaPath(counts: readonly number[], most: number): string {
  return counts
    .map((count, index) => {
      const height = count === 0 ? 0 : Math.max(1.5, (count / most) * 14);
      return count === 0 ? "" : `M${index} ${15 - height}h1.02v${height}h-1.02z`;
    })
    .join("");
}

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { plural } from "../../look/format.ts";
import { standingOrder } from "../../look/standing.ts";
import { describeStrip } from "../../look/strip.tsx";
import { BlockRow } from "../block-row.tsx";
import { VirtualRows } from "../virtual-rows.tsx";
import type { Group } from "./groups.ts";

interface GroupListProps {
  readonly group: Group;
  readonly selected: string | undefined;
  select(address: string): void;
  close(): void;
}

/** The blocks of a group, those first that need somebody to look; those that failed alike stand together. */
export function GroupList({ group, selected, select, close }: GroupListProps): JSX.Element {
  const rows = useMemo(
    () =>
      [...group.blocks].sort(
        (one, other) =>
          standingOrder.indexOf(one.standing) - standingOrder.indexOf(other.standing) ||
          (one.message ?? "").localeCompare(other.message ?? ""),
      ),
    [group],
  );
  return (
    <section class="graph-near" aria-label={group.name}>
      <header class="graph-ways">
        <h2>{group.name}</h2>
        <span class="faint">
          {plural(group.blocks.length, "block")}: {describeStrip(group.strip)}
        </span>
        <button type="button" class="plain graph-close" onClick={close}>
          Close
        </button>
      </header>
      <VirtualRows
        count={rows.length}
        rowHeight={24}
        mostHeight={240}
        label={`Blocks of ${group.name}`}
        row={(index) => {
          const card = rows[index];
          return card && <BlockRow card={card} isSelected={card.address === selected} open={select} />;
        }}
      />
    </section>
  );
}

import type { JSX } from "preact";
import type { BlockCard, Level } from "../../views/page/page-records.ts";
import { useNow } from "../app-context.ts";
import { formatDuration, plural } from "../look/format.ts";
import { Glyph } from "../look/glyph.tsx";
import { groupBy } from "../look/group-by.ts";
import { Link } from "../look/link.tsx";
import { capitalise, standingOrder, standingWords } from "../look/standing.ts";
import { useMore } from "../look/use-more.tsx";
import { placeOfBlock } from "../place.ts";
import { durationOf } from "./graph/block-words.ts";
import "./block-list.css";

interface BlockListProps {
  readonly level: Level;
  readonly selected: string | undefined;
  readonly order: "state" | "file";
}

/** The blocks of a level, one below the other: those that need somebody first, or in the order of the file. */
export function BlockList({ level, selected, order }: BlockListProps): JSX.Element {
  const groups = order === "file" ? [{ name: undefined, cards: level.blocks }] : groupByStanding(level.blocks);
  return (
    <div class="block-list">
      {groups.map(({ name, cards }) => (
        <section key={name} aria-label={name ?? "Blocks in order"}>
          {name !== undefined && (
            <h3>
              {name} <span class="faint">{plural(cards.length, "block")}</span>
            </h3>
          )}
          <Rows cards={cards} runId={level.head.run_id} selected={selected} />
        </section>
      ))}
    </div>
  );
}

/** Of more, the rest is shown when it is asked for. */
const mostRows = 100;

interface RowsProps {
  readonly cards: readonly BlockCard[];
  readonly runId: string;
  readonly selected: string | undefined;
}

function Rows({ cards, runId, selected }: RowsProps): JSX.Element {
  const [shown, more] = useMore(cards, mostRows, "block");
  return (
    <>
      <ul>
        {shown.map((card) => (
          <Row key={card.address} card={card} runId={runId} isSelected={card.address === selected} />
        ))}
      </ul>
      {more}
    </>
  );
}

function groupByStanding(
  blocks: readonly BlockCard[],
): readonly { readonly name: string; readonly cards: readonly BlockCard[] }[] {
  const byStanding = groupBy(blocks, ({ standing }) => standing);
  return standingOrder.flatMap((standing) => {
    const cards = byStanding.get(standing);
    return cards === undefined ? [] : [{ name: capitalise(standingWords[standing]), cards }];
  });
}

interface RowProps {
  readonly card: BlockCard;
  readonly runId: string;
  readonly isSelected: boolean;
}

function Row({ card, runId, isSelected }: RowProps): JSX.Element {
  const { inside, standing, spans } = card;
  // Of what waits, since when: what it did before took no time worth telling.
  const waits = standing === "asks" || standing === "sleeping" ? spans.at(-1)?.from : undefined;
  const now = useNow((waits ?? card.running_since) !== undefined);
  const ms = waits === undefined ? durationOf(card, now) : Math.max(0, now - Date.parse(waits));
  const says =
    card.message ?? card.question ?? (inside === undefined ? card.type : `${inside.ended} of ${inside.total}`);
  return (
    <li>
      <Link
        to={placeOfBlock(runId, card.address)}
        class="block-list-row"
        {...(isSelected ? { "aria-current": "true" as const } : {})}
      >
        <Glyph standing={card.standing} attempt={card.attempt} isSilent />
        <span>
          <b>{card.name}</b> <span class="unseen">{standingWords[card.standing]}</span>
          <small>{says}</small>
        </span>
        <span class="times">{card.started_at === null ? "" : formatDuration(ms)}</span>
      </Link>
    </li>
  );
}

import type { JSX } from "preact";
import type { BlockCard } from "../../views/page/page-records.ts";
import { useNow } from "../app-context.ts";
import { formatDuration } from "../look/format.ts";
import { Glyph } from "../look/glyph.tsx";
import { standingWords } from "../look/standing.ts";
import { durationOf } from "./graph/block-words.ts";
import "./block-row.css";

interface BlockRowProps {
  readonly card: BlockCard;
  readonly isSelected: boolean;
  open(address: string): void;
}

/** A block, or a pass, as a line of a list. */
export function BlockRow({ card, isSelected, open }: BlockRowProps): JSX.Element {
  const now = useNow(card.running_since !== undefined);
  const duration = durationOf(card, now);
  return (
    <button
      type="button"
      class="block-row"
      aria-current={isSelected ? "true" : undefined}
      title={card.message}
      onClick={() => open(card.address)}
    >
      <Glyph standing={card.standing} size={12} attempt={card.attempt} isSilent={true} />
      <span class="mono">{card.name}</span>
      <span class="unseen">, {standingWords[card.standing]}, </span>
      {card.element !== undefined && <span class="block-row-element">{card.element}</span>}
      <span class="block-row-message">{card.message}</span>
      <span class="times">{duration > 0 ? formatDuration(duration) : ""}</span>
    </button>
  );
}

import type { JSX } from "preact";
import {
  boxHeight,
  boxHeightWithCells,
  lineSize,
  nameSize,
  stackHeight,
  textLeft,
  textRight,
} from "../../../drawing/graph/box-sizes.ts";
import type { Placed } from "../../../drawing/graph/drawn-graph.ts";
import { fitText, textWidth } from "../../../drawing/graph/text-width.ts";
import type { BlockCard } from "../../../views/page/page-records.ts";
import { useNow } from "../../app-context.ts";
import { GlyphShapes } from "../../look/glyph.tsx";
import { marks } from "../../look/marks.ts";
import { Steady } from "../../look/steady.ts";
import { foldStrip } from "../../look/strip.tsx";
import { completeName, lineChoices } from "./block-words.ts";
import { stripPaths } from "./cells.ts";

interface BlockBoxProps {
  readonly card: BlockCard;
  readonly box: Placed;
  readonly href: string;
  readonly isSelected: boolean;
  readonly isPlan: boolean;
}

/** A block of the graph. Only a block that has changed is drawn anew. */
export class BlockBox extends Steady<BlockBoxProps> {
  override render({ card, box, href, isSelected, isPlan }: BlockBoxProps): JSX.Element {
    const { width } = box;
    // By its place: what turns out to hold blocks only when it runs has no room for a stack.
    const hasStack = box.height === boxHeight + stackHeight || box.height === boxHeightWithCells + stackHeight;
    const height = hasStack ? box.height - stackHeight : box.height;
    const corner = cornerOf(card);
    const room = width - textLeft - textRight;
    const standing = isPlan ? "plan" : card.standing;
    const now = Date.now();
    const name = fitText(card.name, room - (corner === "" ? 0 : 30), nameSize);
    const seen = `${name} ${lineIn(card, room, now, isPlan)} ${corner}`.trim();
    return (
      <a
        class={`graph-block ${standing}${isSelected ? " is-selected" : ""}`}
        href={href}
        data-address={card.address}
        aria-current={isSelected ? "true" : undefined}
      >
        <title>{completeName(seen, card, now, isPlan)}</title>
        <g transform={`translate(${box.x} ${box.y})`}>
          {isSelected && <rect class="graph-ring" x="-4" y="-4" width={width + 8} height={height + 8} rx="11" />}
          {hasStack && (
            <path
              class="graph-stack"
              d={`M3 ${height}v2.5q0 3 3 3h${width - 12}q3 0 3-3v-2.5M1 ${height - 4}v2q0 5 5 5h${width - 12}q5 0 5-5v-2`}
            />
          )}
          <rect class="graph-face" x="0.5" y="0.5" width={width - 1} height={height - 1} rx="8" />
          {!isPlan && (
            <g class={`glyph ${card.standing}`} transform="translate(10 13)">
              <GlyphShapes standing={card.standing} attempt={card.attempt} />
            </g>
          )}
          {isPlan && <TypeMark card={card} />}
          <text class="graph-name" x={textLeft} y="17">
            {name}
          </text>
          <text class="graph-line times" x={textLeft} y="32">
            <SecondLine card={card} room={room} isPlan={isPlan} />
          </text>
          {corner !== "" && (
            <g class="graph-corner" data-step="in">
              <rect class="graph-corner-area" x={width - 42} y="2" width="40" height="22" rx="6" />
              <text x={width - 10} y="17">
                {corner}
              </text>
            </g>
          )}
          {height === boxHeightWithCells && !isPlan && <Cells card={card} width={width} />}
        </g>
      </a>
    );
  }
}

/** Seconds count in what runs, and nowhere else. */
function SecondLine(props: { readonly card: BlockCard; readonly room: number; readonly isPlan: boolean }): JSX.Element {
  const { card, room, isPlan } = props;
  const now = useNow(card.running_since !== undefined);
  return <>{lineIn(card, room, now, isPlan)}</>;
}

function lineIn(card: BlockCard, room: number, now: number, isPlan: boolean): string {
  const choices = isPlan ? [card.says ?? ""] : lineChoices(card, now);
  const fitting = choices.find((line) => textWidth(line, lineSize) <= room);
  return fitting ?? fitText(choices.at(-1) ?? "", room, lineSize);
}

function Cells({ card, width }: { readonly card: BlockCard; readonly width: number }): JSX.Element {
  const letters = foldStrip(card.inside?.strip ?? "", Math.floor((width - 20) / 3));
  return (
    <g class="cells">
      {letters === "" && <path class="to_come" d={`M10 51.5h${width - 20}v1.5h${20 - width}z`} />}
      {stripPaths(letters, 10, 53, width - 20).map(([standing, path]) => (
        <path key={standing} class={standing} d={path} />
      ))}
    </g>
  );
}

function cornerOf({ holds, inside }: BlockCard): string {
  if (holds === "none") return "";
  if (holds === "loop") return inside === undefined ? "loop" : `×${inside.total}`;
  return inside === undefined ? "›" : `${inside.total} ›`;
}

/** What a block of a plan does, as a sign: commands, web, model, person, time, or another. */
function TypeMark({ card }: { readonly card: BlockCard }): JSX.Element {
  return <path class="graph-type" transform="translate(10 13)" d={marks[card.mark ?? "other"]} />;
}

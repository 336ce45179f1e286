import type { ComponentChildren, JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { BlockCard, Level, Passes } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { plural } from "../look/format.ts";
import { Glyph } from "../look/glyph.tsx";
import { OneOf } from "../look/one-of.tsx";
import { standingOf, standingWords } from "../look/standing.ts";
import { wordCounts } from "../look/standing-counts.ts";
import { describeStrip } from "../look/strip.tsx";
import { pathTo, placeOfBlock } from "../place.ts";
import { BlockRow } from "./block-row.tsx";
import { CellGrid } from "./cell-grid.tsx";
import { describeBlock } from "./graph/block-words.ts";
import { type Grid, rowsOf } from "./graph/cells.ts";
import { useWidth } from "./graph/zoom-area.tsx";
import { type PassChoice, usePassAt, usePasses } from "./use-passes.ts";
import { VirtualRows } from "./virtual-rows.tsx";
import "./graph.css";
import "./loop-view.css";

interface LoopViewProps {
  readonly runId: string;
  readonly level: Level;
  readonly selected: string | undefined;
  select(address: string): void;
  stepIn(address: string): void;
}

const noPasses: Passes = { total: 0, counts: {}, strip: "", reasons: [] };

/** All passes of a loop: a cell for each, why some failed, and a list, those first that need somebody to look. */
export function LoopView({ runId, level, selected, select, stepIn }: LoopViewProps): JSX.Element {
  const passes = level.passes ?? noPasses;
  const loop = level.of?.address ?? "";
  const [choice, setChoice] = useState<PassChoice>("first");
  const cards = useMemo(() => new Map(level.blocks.map((card) => [card.address, card])), [level.blocks]);
  const list = usePasses(runId, level, choice);
  const at = usePassAt(runId, level);
  const open = (address: string): void => (address === selected ? stepIn(address) : select(address));
  return (
    <section class="loop-view" aria-label="Passes">
      <PassGrid
        strip={passes.strip}
        selected={selected}
        addressOf={(index) => `${loop}/${index}`}
        at={at}
        runId={runId}
        card={(address) => cards.get(address)}
        select={select}
        stepIn={stepIn}
      />
      {passes.reasons.length > 0 && (
        <ul class="loop-view-reasons" aria-label="Why passes failed">
          {passes.reasons.map(({ message, count }) => (
            <li key={message}>
              <b class="times">{count}</b> {message}
            </li>
          ))}
        </ul>
      )}
      <div class="graph-ways">
        <OneOf options={choicesOf(passes)} chosen={choice} choose={setChoice} />
      </div>
      {list.problem !== undefined && <p class="problem">{list.problem}</p>}
      <VirtualRows
        key={choice}
        count={list.total}
        rowHeight={24}
        mostHeight={24 * 14}
        label="Passes"
        seen={list.seen}
        row={(index) => {
          const card = list.card(index);
          return card === undefined ? (
            <span class="loop-view-absent">…</span>
          ) : (
            <BlockRow card={card} isSelected={card.address === selected} open={open} />
          );
        }}
      />
    </section>
  );
}

function choicesOf({ total, counts }: Passes): readonly (readonly [PassChoice, ComponentChildren])[] {
  return [
    ["first", "Those to look at first"],
    ["all", `All ${total.toLocaleString("en-GB")}`],
    ...wordCounts(counts).map(([standing, count, word]): [PassChoice, ComponentChildren] => [
      standing,
      <>
        <Glyph standing={standing} size={12} isSilent={true} />
        {count} {word}
      </>,
    ]),
  ];
}

interface PassGridProps {
  readonly strip: string;
  readonly runId: string;
  readonly selected: string | undefined;
  addressOf(index: number): string;
  /** Hands over the address of a pass. */
  at(index: number, use: (address: string) => void): void;
  card(address: string): BlockCard | undefined;
  select(address: string): void;
  stepIn(address: string): void;
}

/** Small cells where there are many, so that ten thousand can be seen at once. */
function PassGrid({ strip, runId, selected, addressOf, at, card, select, stepIn }: PassGridProps): JSX.Element {
  const { place } = useApp();
  const area = useRef<HTMLDivElement>(null);
  const width = Math.max(200, useWidth(area) - 32);
  const pitch = strip.length <= 200 ? 14 : strip.length <= 2000 ? 8 : 5;
  const grid: Grid = { count: strip.length, columns: Math.max(1, Math.floor(width / pitch)), pitch };
  const last = selected?.split("/").at(-1) ?? "";
  const index = selected === addressOf(Number(last)) ? Number(last) : undefined;
  return (
    <div class="loop-view-grid" ref={area}>
      <p class="times">
        {plural(strip.length, "pass", "passes")}: {describeStrip(strip) || "none has begun"}
      </p>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the words above say what it shows, and its cells have names. */}
      <svg width={width} height={rowsOf(grid) * pitch + 2}>
        <CellGrid
          letters={strip}
          grid={grid}
          x={1}
          y={1}
          selected={index}
          select={(pass) => at(pass, select)}
          stepIn={(pass) => at(pass, stepIn)}
          hrefOf={(pass) => (place.view === "run" ? pathTo(placeOfBlock(runId, addressOf(pass))) : pathTo(place))}
          describe={(pass) => {
            const known = card(addressOf(pass));
            if (known !== undefined) return describeBlock(known, Date.now());
            return `${pass}, ${standingWords[standingOf(strip.charAt(pass))]}`;
          }}
        />
      </svg>
    </div>
  );
}

import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Strip } from "../../views/page/page-records.ts";
import { cellAt, cellBeside, type Grid, gridPaths, rowsOf } from "./graph/cells.ts";
import "./cell-grid.css";

interface CellGridProps {
  /** One for each cell. */
  readonly letters: Strip;
  readonly grid: Grid;
  readonly x: number;
  readonly y: number;
  readonly selected: number | undefined;
  select(index: number): void;
  stepIn?(index: number): void;
  hrefOf(index: number): string;
  describe(index: number): string;
}

/**
 * Many cells, each of which can be pointed at and reached by arrow keys, without an element for each: one link stands over the cell that
 * the keys have reached.
 */
export function CellGrid(props: CellGridProps): JSX.Element {
  const { letters, grid, x, y, selected, select, stepIn, hrefOf, describe } = props;
  const paths = useMemo(() => gridPaths(letters, grid, x, y), [letters, grid.columns, grid.pitch, x, y]);
  const [reached, setReached] = useState(0);
  const hasMoved = useRef(false);
  const link = useRef<HTMLAnchorElement>(null);
  const hint = useRef<HTMLTitleElement>(null);
  const current = Math.min(reached, Math.max(0, grid.count - 1));
  useLayoutEffect(() => {
    if (hasMoved.current) link.current?.focus();
    hasMoved.current = false;
  }, [current]);

  const cellUnder = (event: MouseEvent): number | undefined => {
    if (!(event.currentTarget instanceof Element)) return undefined;
    const box = event.currentTarget.getBoundingClientRect();
    const scale = box.width / (grid.columns * grid.pitch);
    return cellAt(grid, (event.clientX - box.left) / scale, (event.clientY - box.top) / scale);
  };
  const point = (event: MouseEvent): void => {
    const index = cellUnder(event);
    if (hint.current !== null) hint.current.textContent = index === undefined ? "" : describe(index);
  };
  const choose = (event: MouseEvent): void => {
    const index = cellUnder(event);
    if (index === undefined) return;
    event.stopPropagation();
    setReached(index);
    if (event.detail > 1 && stepIn !== undefined) stepIn(index);
    else select(index);
  };
  const press = (event: KeyboardEvent): void => {
    const next = cellBeside(grid, current, event.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    hasMoved.current = true;
    setReached(next);
  };
  const open = (event: MouseEvent): void => {
    event.stopPropagation();
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (current === selected && stepIn !== undefined) stepIn(current);
    else select(current);
  };
  const place = (index: number): { x: number; y: number; width: number; height: number } => ({
    x: x + (index % grid.columns) * grid.pitch - 1,
    y: y + Math.floor(index / grid.columns) * grid.pitch - 1,
    width: grid.pitch + 1,
    height: grid.pitch + 1,
  });
  if (grid.count === 0) return <g />;
  return (
    <g class="cell-grid">
      <g class="cells">
        {paths.map(([standing, path]) => (
          <path key={standing} class={standing} d={path} />
        ))}
      </g>
      {selected !== undefined && <rect class="cell-grid-selected" {...place(selected)} />}
      <a
        key={current}
        ref={link}
        href={hrefOf(current)}
        aria-label={describe(current)}
        aria-current={current === selected ? "true" : undefined}
        onKeyDown={press}
        onClick={open}
      >
        <rect class="cell-grid-reached" {...place(current)} />
      </a>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: for pointers only; keys have the link above. */}
      <rect
        class="cell-grid-area"
        x={x}
        y={y}
        width={grid.columns * grid.pitch}
        height={rowsOf(grid) * grid.pitch}
        onPointerMove={point}
        onClick={choose}
      >
        <title ref={hint} />
      </rect>
    </g>
  );
}

import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import "./virtual-rows.css";

interface VirtualRowsProps {
  readonly count: number;
  /** Of each, in pixels. */
  readonly rowHeight: number;
  /** Higher than this, it scrolls. */
  readonly mostHeight: number;
  readonly label: string;
  row(index: number): ComponentChildren;
  /** Lies over the rows, and scrolls with them. */
  readonly over?: ComponentChildren;
  /** Told which rows are in sight. */
  seen?(from: number, to: number): void;
}

const spare = 8;

/** Rows of one height, of which only those in sight are there. */
export function VirtualRows(props: VirtualRowsProps): JSX.Element {
  const { count, rowHeight, mostHeight, label, row, over, seen } = props;
  const area = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const height = Math.min(mostHeight, count * rowHeight);
  const from = Math.max(0, Math.floor(top / rowHeight) - spare);
  const to = Math.min(count, Math.ceil((top + height) / rowHeight) + spare);
  useLayoutEffect(() => seen?.(from, to), [seen, from, to]);
  return (
    <div
      class="virtual-rows"
      ref={area}
      style={{ height: `${height}px` }}
      onScroll={() => setTop(area.current?.scrollTop ?? 0)}
    >
      <ul aria-label={label} style={{ height: `${count * rowHeight}px` }}>
        {Array.from({ length: to - from }, (_, offset) => (
          <li key={from + offset} style={{ top: `${(from + offset) * rowHeight}px`, height: `${rowHeight}px` }}>
            {row(from + offset)}
          </li>
        ))}
        {over}
      </ul>
    </div>
  );
}

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Item } from "./arrange-lines.ts";
import { windowOf } from "./window-items.ts";

/**
 * Which items are in sight, as the reader scrolls. Where items come in above them, the page is scrolled by as much, so that what is read
 * stays where it is.
 */
export function useWindow(
  area: RefObject<HTMLElement | null>,
  items: readonly Item[],
  offsets: readonly number[],
): readonly [number, number] {
  const [range, setRange] = useState<readonly [number, number]>([0, 40]);
  const before = useRef<{ readonly items: readonly Item[]; readonly offsets: readonly number[] }>(undefined);
  useLayoutEffect(() => {
    const top = -(area.current?.getBoundingClientRect().top ?? 0);
    const known = before.current;
    before.current = { items, offsets };
    if (known === undefined || known.items === items || top <= 0) return;
    const [first] = windowOf(known.offsets, top, top);
    const at = known.items.findIndex(
      ({ kind }, index) => kind === "run" && index >= first && (known.offsets[index] ?? 0) >= top,
    );
    const moved = items.findIndex(({ key }) => key === known.items[at]?.key);
    if (at === -1 || moved === -1) return;
    const by = (offsets[moved] ?? 0) - (known.offsets[at] ?? 0);
    if (by !== 0) scrollBy(0, by);
  }, [items, offsets, area]);
  useEffect(() => {
    const look = (): void => {
      const top = -(area.current?.getBoundingClientRect().top ?? 0);
      const next = windowOf(offsets, top, top + innerHeight);
      setRange((known) => (known[0] === next[0] && known[1] === next[1] ? known : next));
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [offsets, area]);
  return range;
}

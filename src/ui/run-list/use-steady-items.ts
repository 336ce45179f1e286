import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { holdOrder, type Item } from "./arrange-lines.ts";

/** A pointer that has not moved for so long is not pointing at anything. */
const restMs = 30_000;

interface SteadyItems {
  readonly items: readonly Item[];
  /** How many runs would be elsewhere. */
  readonly waiting: number;
  /** Puts everything where it belongs. */
  release(): void;
  readonly area: RefObject<HTMLTableSectionElement | null>;
}

/** Items that keep their places while the pointer is over them: nobody opens another run than the one they aimed at. */
export function useSteadyItems(arranged: readonly Item[]): SteadyItems {
  const area = useRef<HTMLTableSectionElement>(null);
  const shown = useRef(arranged);
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const rows = area.current;
    if (rows === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hold = (event: PointerEvent): void => {
      if (event.pointerType !== "mouse") return;
      setHeld(true);
      clearTimeout(timer);
      timer = setTimeout(() => setHeld(false), restMs);
    };
    const leave = (): void => {
      clearTimeout(timer);
      setHeld(false);
    };
    rows.addEventListener("pointermove", hold);
    rows.addEventListener("pointerleave", leave);
    return () => {
      clearTimeout(timer);
      rows.removeEventListener("pointermove", hold);
      rows.removeEventListener("pointerleave", leave);
    };
  }, []);
  const { items, waiting } = isHeld ? holdOrder(shown.current, arranged) : { items: arranged, waiting: 0 };
  useEffect(() => {
    shown.current = items;
  }, [items]);
  return { items, waiting, release: () => setHeld(false), area };
}

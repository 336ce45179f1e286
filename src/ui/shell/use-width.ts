import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

const narrow = "(max-width: 699px)";

/** Whether the screen is as narrow as that of a phone. */
export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches);
  useEffect(() => {
    const query = matchMedia(narrow);
    const follow = (): void => setNarrow(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isNarrow;
}

/** Tells of the size of an element, now and after every change. */
export function useResized(element: RefObject<HTMLElement | null>, tell: (element: HTMLElement) => void): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    tell(current);
    const observer = new ResizeObserver(() => tell(current));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
}

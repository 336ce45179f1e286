import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { plural } from "./format.ts";

/** As many of some items as are drawn at a time, and the button that shows more of them. */
export function useMore<Item>(
  items: readonly Item[],
  atATime: number,
  what: string,
  /** Told when the last ones are shown, and the button is gone. */
  ended?: () => void,
): [readonly Item[], JSX.Element | false] {
  const [most, setMost] = useState(atATime);
  const left = items.length - most;
  const show = (): void => {
    setMost(most + atATime);
    if (left <= atATime) ended?.();
  };
  return [
    items.slice(0, most),
    left > 0 && (
      <button type="button" class="plain small" onClick={show}>
        {plural(left, `more ${what}`)}
      </button>
    ),
  ];
}

import { useLayoutEffect, useRef } from "preact/hooks";
import { createKeyTable, type Keys } from "./key-table.ts";

/** Every key of the page, in the order in which the help lists them. No single key cancels, undoes or approves. */
export const keyTable: readonly (readonly [keys: string, does: string])[] = [
  ["/", "Find"],
  ["↑ ↓ ← →", "Move along the list, or along the edges of the graph"],
  ["Enter", "Open, or step into what is selected"],
  ["Backspace", "Step out"],
  ["f", "Next failure, or next run that failed"],
  ["a", "Answer what is asked, or next run that asks"],
  ["l", "Log of the selected block"],
  ["d", "Changed files of the selected block"],
  ["1 – 9", "Attempt of the selected block"],
  [".", "Follow what runs"],
  ["z", "Show the whole graph"],
  ["g r", "All runs"],
  ["g w", "All workflows"],
  ["Esc", "Close"],
  ["?", "These keys"],
];

/** What is typed in a field, or chosen in a dialog, is no command. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, select, textarea, dialog") !== null;
}

const table = createKeyTable(isTyping);
let users = 0;

/** Listens for keys while the component is mounted. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Before it can be seen: whoever sees it presses its keys.
  useLayoutEffect(() => {
    const remove = table.add(() => latest.current);
    if (users++ === 0) addEventListener("keydown", listener);
    return () => {
      remove();
      if (--users === 0) removeEventListener("keydown", listener);
    };
  }, []);
}

function listener(event: KeyboardEvent): void {
  table.dispatch(event);
}

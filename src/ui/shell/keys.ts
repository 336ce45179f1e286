import { useEffect, useRef } from "preact/hooks";

/** Every key of the page, in the order in which the help lists them. No single key cancels, undoes or approves. */
export const keyTable: readonly (readonly [keys: string, does: string])[] = [
  ["/", "Find"],
  ["↑ ↓ ← →", "Move along the list, or along the edges of the graph"],
  ["Enter", "Open, or step into what is selected"],
  ["Backspace", "Step out"],
  ["f", "Next failure"],
  ["a", "Answer what is asked"],
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

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** After the first key of two, the second is waited for this long. */
const pairMs = 1000;

interface Registered {
  readonly keys: { readonly current: Keys };
}

const registered: Registered[] = [];
let first: { readonly key: string; readonly at: number } | undefined;

/** Whose component is mounted last hears first; a key that it does not know goes on to those before it. */
export function dispatchKey(event: KeyboardEvent, now: number = Date.now()): void {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
  if (isTyping(event.target) && event.key !== "Escape") return;
  const pair = first !== undefined && now - first.at < pairMs ? `${first.key} ${event.key}` : undefined;
  first = undefined;
  if (pair !== undefined && call(pair, event)) return;
  if (call(event.key, event)) return;
  if (event.key.length === 1) first = { key: event.key, at: now };
}

function call(key: string, event: KeyboardEvent): boolean {
  const found = registered.findLast(({ keys }) => Object.hasOwn(keys.current, key));
  if (found === undefined) return false;
  found.keys.current[key]?.(event);
  return true;
}

/** What is typed in a field, or chosen in a dialog, is no command. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, select, textarea, dialog") !== null;
}

/** Listens for keys while the component is mounted. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const own: Registered = { keys: latest };
    if (registered.length === 0) addEventListener("keydown", listener);
    registered.push(own);
    return () => {
      registered.splice(registered.indexOf(own), 1);
      if (registered.length === 0) removeEventListener("keydown", listener);
    };
  }, []);
}

function listener(event: KeyboardEvent): void {
  dispatchKey(event);
}

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** After the first key of two, the second is waited for this long. */
const pairMs = 1000;

export interface KeyTable {
  /** They may be others at every key. Gives how to take them away again. */
  add(keys: () => Keys): () => void;
  dispatch(event: KeyboardEvent, now?: number): void;
}

/** Who came last hears first; a key that they do not know goes on to those before them. */
export function createKeyTable(isTyping: (event: KeyboardEvent) => boolean): KeyTable {
  const added: (() => Keys)[] = [];
  let first: { readonly key: string; readonly at: number } | undefined;
  const call = (key: string, event: KeyboardEvent): boolean => {
    const found = added.findLast((keys) => Object.hasOwn(keys(), key));
    found?.()[key]?.(event);
    return found !== undefined;
  };
  return {
    add(keys) {
      added.push(keys);
      return () => void added.splice(added.indexOf(keys), 1);
    },
    dispatch(event, now = Date.now()) {
      const { key, defaultPrevented, metaKey, ctrlKey, altKey } = event;
      if (defaultPrevented || metaKey || ctrlKey || altKey) return;
      if (isTyping(event) && key !== "Escape") return;
      const pair = first !== undefined && now - first.at < pairMs ? `${first.key} ${key}` : undefined;
      first = undefined;
      if (pair !== undefined && call(pair, event)) return;
      if (!call(key, event) && key.length === 1) first = { key, at: now };
    },
  };
}

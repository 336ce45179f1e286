import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Source } from "./data/source.ts";
import type { Place } from "./place.ts";

/** What every part of the page can reach. */
export interface App {
  readonly source: Source;
  readonly place: Place;
  /** Shows another place; `replace` where going back should not lead here. */
  go(place: Place, how?: "replace"): void;
  /** Whether there is such a view here; all of them where it is not said. */
  shows?(place: Place): boolean;
  /** Says something politely to those who can't see the page. */
  announce(text: string): void;
  /** Whether the streams are open: seconds stop counting and rings stop turning when they are not. */
  readonly isConnected: boolean;
  /** Told by whoever holds a stream. */
  setConnected(isConnected: boolean): void;
}

export const AppContext: ReturnType<typeof createContext<App | undefined>> = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error("Nothing of the page stands outside of it.");
  return app;
}

/** The time now, in milliseconds since 1970, once a second; it stands still while nothing is heard of the server. */
export function useNow(isCounting: boolean): number {
  const { isConnected, source } = useApp();
  const { takenAt } = source;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isCounting || !isConnected || takenAt !== undefined) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isCounting, isConnected, takenAt]);
  return takenAt ?? now;
}

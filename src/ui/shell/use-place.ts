import { useCallback, useEffect, useState } from "preact/hooks";
import type { App } from "../app-context.ts";
import { currentAddress, type Place, parsePlace, pathTo } from "../place.ts";

/** What the browser keeps beside an address: how far down the reader was. */
interface Kept {
  readonly scroll?: number;
}

/** The place that the address bar says, and how to go to another. */
export function usePlace(): { readonly place: Place; readonly go: App["go"] } {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    history.scrollRestoration = "manual";
    const follow = (event: PopStateEvent): void => {
      setPlace(readPlace());
      const { scroll = 0 } = (event.state as Kept | null) ?? {};
      // What was left is drawn again first.
      requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, scroll)));
    };
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  const go = useCallback((to: Place, how?: "replace") => {
    const path = pathTo(to);
    const isHere = new URL(path, location.href).href === location.href;
    if (how === "replace" || isHere) history.replaceState(history.state, "", path);
    else {
      const kept: Kept = { scroll: scrollY };
      history.replaceState(kept, "");
      history.pushState({}, "", path);
    }
    setPlace((from) => {
      if (how !== "replace" && !isSameView(from, to)) requestAnimationFrame(() => scrollTo(0, 0));
      return to;
    });
  }, []);
  return { place, go };
}

function readPlace(): Place {
  return parsePlace(currentAddress());
}

/** Whether the reader stays where they are: what is selected or filtered moves nothing. */
function isSameView(one: Place, other: Place): boolean {
  if (one.view !== other.view) return false;
  if (one.view === "run" && other.view === "run") return one.runId === other.runId && one.level === other.level;
  return one.view === "runs" || pathTo(one) === pathTo(other);
}

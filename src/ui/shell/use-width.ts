import { useEffect, useState } from "preact/hooks";

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

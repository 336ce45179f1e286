import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A view that is loaded when it is shown first; it is there at once from then on. */
export function createPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => JSX.Element {
  let loaded: ComponentType<Props> | undefined;
  return function Part(props) {
    const [, setState] = useState<ComponentType<Props> | undefined>(() => loaded);
    const [error, setError] = useState<unknown>();
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then((component) => {
        loaded = component;
        setState(() => component);
      }, setError);
    }, []);
    // A part that can't be loaded is mostly one of a page that has been replaced by a newer one.
    if (error !== undefined)
      throw new Error("A part of the page could not be loaded. Load the page again.", { cause: error });
    const Loaded = loaded;
    return Loaded === undefined ? <main id="main" class="placeholder" aria-busy="true" /> : <Loaded {...props} />;
  };
}

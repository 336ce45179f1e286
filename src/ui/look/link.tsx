import type { ComponentChildren, JSX } from "preact";
import { useApp } from "../app-context.ts";
import { type Place, pathTo } from "../place.ts";

interface LinkProps {
  readonly to: Place;
  readonly class?: string;
  readonly title?: string;
  readonly "aria-label"?: string;
  readonly "aria-current"?: "page" | "true";
  readonly children: ComponentChildren;
}

/** A link to a place of the page: it opens elsewhere where the reader asks for that. */
export function Link({ to, children, ...others }: LinkProps): JSX.Element {
  const { go, shows } = useApp();
  if (shows?.(to) === false) return <span {...others}>{children}</span>;
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a {...others} href={pathTo(to)} onClick={follow}>
      {children}
    </a>
  );
}

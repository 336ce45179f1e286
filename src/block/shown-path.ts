import type { FilePlace } from "./ports.ts";

/** As messages show a place: relative to the workspace where it lies in there, and else in full. */
export function shownPath({ root, path }: FilePlace): string {
  if (path === "") return root;
  return root === "/" ? `/${path}` : path;
}

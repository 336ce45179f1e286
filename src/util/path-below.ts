import { isAbsolute, relative, sep } from "node:path";

/** An absolute path relative to a directory it lies in, or is; nothing when it lies elsewhere. */
export function pathBelow(directory: string, absolute: string): string | undefined {
  const below = relative(directory, absolute);
  const isOutside = below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
  return isOutside ? undefined : below;
}

import { resolve } from "node:path";
import type { RootedPath } from "./ports.ts";

/** As messages show a path: relative to the workspace where it lies in there, and else in full. */
export function shownPath({ root, path }: RootedPath): string {
  if (path === "") return root;
  return root === "/" ? `/${path}` : path;
}

/** Two paths are the same if this is. */
export function absolutePath({ root, path }: RootedPath): string {
  return resolve(root, path);
}

export function childOf({ root, path }: RootedPath, name: string): RootedPath {
  return { root, path: path === "" ? name : `${path}/${name}` };
}

export function isWithin(at: RootedPath, directory: RootedPath): boolean {
  return `${absolutePath(at)}/`.startsWith(`${absolutePath(directory).replace(/\/$/, "")}/`);
}

export function parentOf({ root, path }: RootedPath): RootedPath {
  return { root, path: path.slice(0, Math.max(0, path.lastIndexOf("/"))) };
}

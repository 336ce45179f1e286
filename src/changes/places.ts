import { resolve } from "node:path";
import type { FilePlace } from "../block/ports.ts";

/** Two places are the same if this is. */
export function absolutePath({ root, path }: FilePlace): string {
  return resolve(root, path);
}

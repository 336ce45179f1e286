import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leftBehind, ownPrefix } from "../files/left-behind.ts";
import { removeTree } from "../files/remove-tree.ts";

const kind = "browser";

/** A new directory that only we can look into, for what a browser keeps while it runs. */
export async function makeProfile(): Promise<string> {
  // What can't be removed is a nuisance, and nothing that keeps a browser from starting.
  for (const path of leftBehind(tmpdir(), kind)) await removeTree(path).catch(() => {});
  return mkdtemp(join(tmpdir(), ownPrefix(kind)));
}

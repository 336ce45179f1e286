import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Frond, shell, workflow } from "./frond.ts";

/** A block that writes down that it ran, and then does something. */
export function counting(id: string, then = "true", more: object = {}): object {
  return shell(id, `echo ${id} >> ran.txt; ${then}`, more);
}

/** The blocks that ran since the last look, in their order. */
export function takeRan(frond: Frond): string[] {
  const ran = existsSync(join(frond.directory, "ran.txt")) ? frond.read("ran.txt").split("\n") : [];
  frond.write("ran.txt", "");
  return ran.filter((line) => line !== "");
}

const releaseBlocks = [
  "fetch",
  "compile",
  "unit",
  "lint",
  "bundle",
  "sign",
  "image",
  "stage",
  "migrate",
  "smoke",
  "notes",
  "close",
] as const;

export const failingCommand = "echo no such table >&2; exit 3";

/** Twelve blocks, one after the other. The ninth, `migrate`, does what is asked for. */
export function release(migrate: string, more: object = {}): string {
  const blocks = releaseBlocks.map((id, index) =>
    counting(id, id === "migrate" ? migrate : "true", index === 0 ? {} : { depends_on: [releaseBlocks[index - 1]] }),
  );
  return workflow("release", blocks, more);
}

export const beforeMigrate: readonly string[] = releaseBlocks.slice(0, 8);
export const fromMigrate: readonly string[] = releaseBlocks.slice(8);

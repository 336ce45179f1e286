import type { FileSystem } from "../block/ports.ts";
import { absolutePath, childOf } from "../block/rooted-path.ts";
import type { PlannedFile } from "./undo-plan.ts";

/** The same, where directories that are to go are conflicts if they hold anything that stays: somebody else has put it there. */
export async function findOccupied(
  planned: readonly PlannedFile[],
  files: FileSystem,
): Promise<readonly PlannedFile[]> {
  const going = new Set(planned.filter(isToGo).map(({ at }) => absolutePath(at)));
  const directories = planned.filter((file) => isToGo(file) && file.now.kind === "directory");
  // Whether one stays is known only when all that is in it is.
  const deepestFirst = directories.toSorted((one, other) => depthOf(other) - depthOf(one));
  for (const { at } of deepestFirst) {
    const names = await files.list(at);
    const stays =
      "message" in names ? names.kind !== "missing" : names.some((name) => !going.has(absolutePath(childOf(at, name))));
    if (stays) going.delete(absolutePath(at));
  }
  return planned.map((file) =>
    isToGo(file) && !going.has(absolutePath(file.at)) ? { ...file, found: "conflict" } : file,
  );
}

function isToGo({ before, found }: PlannedFile): boolean {
  return before.kind === "missing" && found === "restorable";
}

function depthOf({ at }: PlannedFile): number {
  return absolutePath(at).split("/").length;
}

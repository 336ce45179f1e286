import * as z from "zod";
import type { BlockFiles } from "../../block/block-files.ts";
import type { FileState, RootedPath } from "../../block/ports.ts";
import { isWithin, shownPath } from "../../block/rooted-path.ts";
import { lookAt } from "./entries.ts";
import { OperationFailed } from "./file-operation.ts";

/** What MoveFile and CopyFile have in common: something goes from one place to another. */

export function overwriteInput(): z.ZodDefault<z.ZodBoolean> {
  return z.boolean().default(false).describe("Replace a file that is there; a directory is never replaced");
}

export const namesElsewhere: Readonly<Record<string, string>> = {
  source: "from",
  src: "from",
  path: "from",
  destination: "to",
  dest: "to",
  dst: "to",
  target: "to",
};

export function refuseOwnPlace(from: RootedPath, to: RootedPath): void {
  if (!isWithin(to, from)) return;
  const where = isWithin(from, to) ? "the same place" : "inside it";
  throw new OperationFailed(`'${shownPath(from)}' can't go to '${shownPath(to)}', which is ${where}`);
}

/** Only a file gives way, and never to a directory. */
export async function refuseOccupied(
  files: BlockFiles,
  to: RootedPath,
  what: FileState["kind"],
  overwrite: boolean,
): Promise<void> {
  const { kind } = await lookAt(files, to);
  const exists = `'${shownPath(to)}' exists already`;
  if (kind === "missing") return;
  if (kind === "directory") throw new OperationFailed(`${exists} and is a directory, which is never replaced`);
  if (what === "directory") throw new OperationFailed(`${exists} and is a file, which a directory does not replace`);
  if (!overwrite) throw new OperationFailed(`${exists}, and overwrite is false`);
}

import { existsSync, lstatSync } from "node:fs";
import { err, ok, type Result } from "../../util/result.ts";
import { explainUnfit, explainUnmakable, isWritable } from "../../util/unmakable-directory.ts";
import { freeBytes } from "./free-bytes.ts";

/** Whether the state directory can be used, and how much is free on its disk, where that is counted. Makes and changes nothing. */
export function examineStateDirectory(directory: string): {
  readonly access: Result<"absent" | "writable" | "read-only", string>;
  readonly freeBytes: number | undefined;
} {
  const found = existsSync(directory) ? lstatSync(directory) : undefined;
  const problem = found === undefined ? explainUnmakable(directory)?.problem : explainUnfit(directory, found);
  return { access: problem === undefined ? ok(accessTo()) : refused(problem), freeBytes: freeBytes(directory) };

  function accessTo(): "absent" | "writable" | "read-only" {
    if (found === undefined) return "absent";
    return isWritable(directory) ? "writable" : "read-only";
  }

  function refused(reason: string): Result<never, string> {
    return err(`The state directory ${directory} ${reason} Choose another one with FROND_STATE_DIR.`);
  }
}

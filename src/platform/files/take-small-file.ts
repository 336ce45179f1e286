import { constants, lstatSync } from "node:fs";
import { open, unlink } from "node:fs/promises";
import { err, ok, type Result } from "../../util/result.ts";

const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants;

/** The text of a file that some program may have written, which is gone then; undefined if there is none. */
export async function takeSmallFile(path: string, maxBytes: number): Promise<Result<string, string> | undefined> {
  try {
    // Mostly there is none, and an exception is expensive.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return err("it is no regular file");
      if (stats.size > maxBytes) return err(`it has more than ${maxBytes} bytes`);
      return ok(await file.readFile("utf8"));
    } finally {
      await file.close();
      // What can't be removed goes with its directory.
      await unlink(path).catch(() => {});
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    return err(code === "ELOOP" ? "it is a link" : message);
  }
}

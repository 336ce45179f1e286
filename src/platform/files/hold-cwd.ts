import { constants, openSync } from "node:fs";
import { realPath } from "./file-paths.ts";
import { HeldEntries, O_PATH } from "./held-entries.ts";

/** Says why a process may not be started where it was to be. */
export class CwdRefused extends Error {}

export interface HeldCwd {
  /** To start a process in. */
  readonly path: string;
  /** To be closed when it has been started. */
  readonly fd: number;
}

/** A working directory that lies in another wherever links lead, and stays the one that was looked at. */
export function holdCwd(cwd: string, within: string): HeldCwd {
  const real = realPath(cwd);
  if (real === undefined) throw new CwdRefused(`the working directory '${cwd}' does not exist`);
  const around = within.endsWith("/") ? within : `${within}/`;
  if (real !== within && !real.startsWith(around)) {
    throw new CwdRefused(
      `the working directory '${cwd}' is outside the workspace '${within}'. Use a directory inside it, or set \`unsafe: true\` on the block.`,
    );
  }
  if (process.platform !== "linux") return { path: real, fd: openSync(real, constants.O_RDONLY) };
  const held = new HeldEntries();
  try {
    const found = held.find(real);
    if (found?.kind !== "directory") {
      const what = found?.kind === "file" ? "is not a directory" : "was replaced just now";
      throw new CwdRefused(`the working directory '${cwd}' ${what}`);
    }
    // Of all that was opened on the way only this stays open.
    const fd = openSync(`/proc/self/fd/${found.fd}`, O_PATH | constants.O_DIRECTORY);
    return { path: `/proc/self/fd/${fd}`, fd };
  } finally {
    held.close();
  }
}

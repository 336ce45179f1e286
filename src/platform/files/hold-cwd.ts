import { constants, lstatSync, openSync, readlinkSync } from "node:fs";
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

/**
 * A working directory that lies in another wherever links lead, and stays the one that was looked at. `seenAs` is the root of another
 * process that is to see it, if it sees other files than we do. To ask the system where an open directory lies is no way: a link may
 * lead through the root of a process to which the same path means something else, and it is that path which the system tells.
 */
export function holdCwd(cwd: string, within: string, seenAs = ""): HeldCwd {
  const real = seenAs === "" ? realPath(cwd) : realPathSeen(cwd, seenAs);
  if (real === undefined) throw new CwdRefused(`the working directory '${cwd}' does not exist`);
  const around = within.endsWith("/") ? within : `${within}/`;
  if (real !== within && !real.startsWith(around)) {
    throw new CwdRefused(
      `the working directory '${cwd}' is outside the workspace '${within}'. Use a directory inside it, or set \`unsafe: true\` on the block.`,
    );
  }
  if (process.platform !== "linux") return { path: real, fd: openSync(real, constants.O_RDONLY) };
  const held = new HeldEntries(`${seenAs}/`);
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

const mostLinks = 40;

/** A link that begins at the root begins at that of the other process. */
function realPathSeen(path: string, seenAs: string): string | undefined {
  let real = "";
  const names = path.split("/").filter(Boolean);
  for (let links = 0; names.length > 0; ) {
    const name = names.shift() as string;
    if (name === "." || name === "..") {
      if (name === "..") real = real.slice(0, Math.max(0, real.lastIndexOf("/")));
      continue;
    }
    const next = `${real}/${name}`;
    const found = lstatSync(`${seenAs}${next}`, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (!found.isSymbolicLink()) {
      real = next;
      continue;
    }
    links += 1;
    if (links > mostLinks) return undefined;
    const target = readlinkSync(`${seenAs}${next}`);
    if (target.startsWith("/")) real = "";
    names.unshift(...target.split("/").filter(Boolean));
  }
  return real === "" ? "/" : real;
}

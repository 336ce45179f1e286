import { err, ok, type Result } from "../util/result.ts";
import { realPath } from "./file-paths.ts";
import { HeldEntries } from "./held-entries.ts";

export interface HeldCwd {
  /** To start a process in. */
  readonly path: string;
  release(): void;
}

/** A working directory that lies in another wherever links lead, and stays the one that was looked at. */
export function holdCwd(cwd: string, within: string): Result<HeldCwd, string> {
  const real = realPath(cwd);
  if (real === undefined) return err(`the working directory '${cwd}' does not exist`);
  const around = within.endsWith("/") ? within : `${within}/`;
  if (real !== within && !real.startsWith(around)) {
    return err(
      `the working directory '${cwd}' lies outside the workspace '${within}'. Use a directory inside it, or set \`unsafe: true\` on the block.`,
    );
  }
  if (process.platform !== "linux") return ok({ path: real, release: () => {} });
  const held = new HeldEntries();
  const found = held.find(real);
  if (found?.kind === "directory") return ok({ path: `/proc/self/fd/${found.fd}`, release: () => held.close() });
  held.close();
  return err(
    `the working directory '${cwd}' ${found?.kind === "file" ? "is not a directory" : "was replaced just now"}`,
  );
}

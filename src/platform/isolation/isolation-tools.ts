import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../block/ports.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { removeTree } from "../files/remove-tree.ts";
import { startHolder } from "./holder.ts";

/** How a namespace is made and entered. */
export interface Tools {
  /** A program and its options, before what is to run in a new namespace. */
  readonly unshare: readonly string[];
  /** The same for the namespace of a process, in the directory in which it is started. */
  enter(pid: number): readonly string[];
}

/**
 * Root needs no user namespace, and is better off without one, in which it could not change to another user. Everybody else is root
 * in theirs as long as it takes to mount, and a second one inside it makes the command who it was.
 */
export function findTools({ findProgram }: Environment): Result<readonly Tools[], string> {
  const [unshare, nsenter] = [findProgram("unshare"), findProgram("nsenter")];
  if (unshare === undefined || nsenter === undefined) {
    return err("the programs unshare and nsenter are needed, of the package util-linux");
  }
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const back = user === 0 ? [] : [unshare, "--user", `--map-user=${user}`, `--map-group=${group}`, "--"];
  const enter = (pid: number, ...options: readonly string[]): readonly string[] => {
    return [nsenter, "--target", String(pid), ...options, "--mount", "--wd=.", "--"];
  };
  const plain: Tools = { unshare: [unshare, "--mount"], enter: (pid) => enter(pid) };
  const inUserNamespace: Tools = {
    unshare: [unshare, "--user", "--map-root-user", "--mount"],
    enter: (pid) => [...enter(pid, "--user", "--preserve-credentials"), ...back],
  };
  return ok(user === 0 ? [plain, inUserNamespace] : [inUserNamespace]);
}

const advice =
  "It needs overlay mounts in user namespaces: see the settings kernel.unprivileged_userns_clone, " +
  "kernel.apparmor_restrict_unprivileged_userns and user.max_user_namespaces, or how your container is started";

/** The first of them that does all that a real one has to do, tried in a directory of the same kind. */
export async function tryTools(tools: readonly Tools[], directory: string): Promise<Result<Tools, string>> {
  const workspace = join(directory, "try");
  mkdirSync(join(workspace, "old"), { recursive: true });
  writeFileSync(join(workspace, "old/file"), "");
  let problem = "";
  for (const one of tools) {
    const holder = await startHolder({ unshare: one.unshare, directory, workspace, mounts: [] });
    if (holder.ok) {
      const failed = await attempt(one.enter(holder.value.pid), `/proc/${holder.value.pid}/root${workspace}`);
      await holder.value.close();
      if (failed === undefined) return ok(one);
      problem ||= failed;
    } else problem ||= holder.error;
    for (const name of ["upper", "work"]) {
      await removeTree(join(directory, name));
      mkdirSync(join(directory, name));
    }
  }
  return err(`an isolated workspace can't be made here: ${problem.replace(/\.$/, "")}. ${advice}`);
}

/** Without the mark of a directory that was made anew, what was in it before would be seen again. */
const trial = "rm -r old && mkdir old && : >old/new && ! test -e old/file";

function attempt([file = "", ...args]: readonly string[], cwd: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(file, [...args, "/bin/sh", "-c", trial], { cwd, timeout: 10_000 }, (error, _stdout, stderr) => {
      resolve(error === null ? undefined : stderr.trim().split("\n")[0] || error.message);
    });
  });
}

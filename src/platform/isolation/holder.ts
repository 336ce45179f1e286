import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { err, ok, type Result } from "../../util/result.ts";

/**
 * Makes an overlay mount over the workspace in a mount namespace of its own, and stays there: as long as it lives, commands can enter the
 * namespace. It ends when we close its standard input, and when we die.
 *
 * No path is part of the mount's options, in which a comma or a colon would mean something. Names are listed so that what somebody
 * removes from the workspace meanwhile can be told from what was never there. Each further mount is a kind, what is mounted, and
 * where; what is to be mounted is found at its own path until that mount hides it.
 */
const script = `
set -e
cd "$1"
workspace=$2
shift 2
mount --bind "$workspace" lower
mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work,userxattr,index=off frond-isolated merged
find lower -name .git -prune -o -print0 >names
while [ "$#" -gt 0 ]; do
  mount --bind "$2" "$3"
  [ "$1" = writable ] || mount -o remount,bind,ro "$3"
  shift 3
done
mount --rbind merged "$workspace"
cd /
echo ready
read -r _ || :
`;

export interface HeldMount {
  readonly kind: "writable" | "read-only";
  readonly what: string;
  /** Relative to the holder's directory, or absolute. */
  readonly where: string;
}

export interface HolderRequest {
  /** Of `unshare`. */
  readonly unshare: readonly string[];
  /** Where `lower`, `upper`, `work` and `merged` are. */
  readonly directory: string;
  readonly workspace: string;
  readonly mounts: readonly HeldMount[];
}

export interface Holder {
  readonly pid: number;
  /** Resolves when it has gone. */
  close(): Promise<void>;
}

const patienceMs = 20_000;

/** The error is what the system says. */
export async function startHolder({
  unshare,
  directory,
  workspace,
  mounts,
}: HolderRequest): Promise<Result<Holder, string>> {
  const [file = "", ...options] = unshare;
  const more = mounts.flatMap(({ kind, what, where }) => [kind, what, where]);
  const args = [...options, "--", "/bin/sh", "-c", script, "frond-isolated", directory, workspace, ...more];
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C" };
  let child: ChildProcess;
  try {
    child = spawn(file, args, { cwd: "/", env, stdio: ["pipe", "pipe", "pipe"], detached: true });
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
  const problem = await readiness(child);
  const { pid } = child;
  if (problem !== undefined || pid === undefined) return err(problem ?? "it can't be started");
  return ok({ pid, close: () => end(child) });
}

/** Nothing when it is ready. */
function readiness(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = "";
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      resolve("it took too long");
    }, patienceMs);
    const settle = (problem: string | undefined): void => {
      clearTimeout(timer);
      resolve(problem);
    };
    child.stdin?.on("error", () => {});
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.stdout?.once("data", () => settle(undefined));
    child.once("error", (error) => settle(error.message));
    child.once("close", () => settle(said.trim().split("\n")[0] || "it ended by itself"));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.stdin?.end();
  await gone;
}

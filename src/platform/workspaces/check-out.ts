import type { Environment, Processes } from "../../block/ports.ts";
import type { WorkspaceSource } from "../../block/workspaces.ts";
import { refuseGitAddress, refuseGitRef } from "../../util/git-address.ts";
import { err, ok, type Result } from "../../util/result.ts";

/**
 * A fresh checkout of a repository of which nothing is trusted. git has the settings of the user, who has to be able to fetch; what a
 * repository could have run, such as hooks, is not run, and addresses lead to https, ssh and directories alone.
 */

export interface GitTools {
  readonly processes: Pick<Processes, "run">;
  readonly environment: Environment;
}

interface Asker {
  readonly runId: string;
  readonly signal: AbortSignal;
}

const longestMs = 30 * 60_000;
const mostOutput = 20_000;

const settings: readonly (readonly [string, string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["init.defaultBranch", "main"],
  ["advice.detachedHead", "false"],
  // It would go on after git has ended.
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
];

/** What tells git of another repository, or of other programs of its own. */
const notInherited =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|CEILING_DIRECTORIES|TEMPLATE_DIR|ALLOW_PROTOCOL|PROTOCOL_FROM_USER|EXEC_PATH|DISCOVERY_ACROSS_FILESYSTEM|QUARANTINE_PATH|PREFIX)$/;

const wholeCommit = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
const maybeCommit = /^[0-9a-f]{4,64}$/i;

/** Into an empty directory; the commit, or why it can't be done, as a sentence. */
export async function checkOut(
  directory: string,
  { git: address, ref = "HEAD" }: WorkspaceSource,
  { processes, environment }: GitTools,
  { runId, signal }: Asker,
): Promise<Result<string, string>> {
  const wrong = refuseGitAddress(address) ?? refuseGitRef(ref);
  if (wrong !== undefined) return err(`'${address}' at '${ref}' can't be checked out. ${wrong}`);
  const file = environment.findProgram("git");
  if (file === undefined) return err("There is no program 'git' on PATH.");
  const inherited = Object.entries(environment.variables).filter(([name]) => !notInherited.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    GIT_TERMINAL_PROMPT: "0",
    GCM_INTERACTIVE: "never",
    SSH_ASKPASS_REQUIRE: "never",
    GIT_ALLOW_PROTOCOL: "https:ssh:file",
    LC_ALL: "C",
  };
  const limit = AbortSignal.timeout(longestMs);
  const run = async (...args: readonly string[]): Promise<Result<string, string>> => {
    const ended = await processes.run({
      file,
      args: [...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]), ...args],
      cwd: directory,
      env,
      stdin: "",
      maxOutput: mostOutput,
      capture: true,
      keepBackground: false,
      owner: runId,
      signal: AbortSignal.any([signal, limit]),
    });
    signal.throwIfAborted();
    if (limit.aborted) return err(`it took longer than ${longestMs / 60_000} minutes`);
    if (!ended.started) return err(ended.message);
    return ended.exitCode === 0 ? ok(ended.stdout.text.trim()) : err(lastWords(ended.stderr.text));
  };
  const fetch = (...args: readonly string[]): Promise<Result<string, string>> =>
    run("fetch", "--quiet", "--no-recurse-submodules", ...args);

  async function find(): Promise<Result<string, string>> {
    const fetched = await fetch("--no-tags", "--depth=1", "origin", ref);
    if (fetched.ok) return run("rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}");
    if (!maybeCommit.test(ref)) return fetched;
    // A server need not give away single commits, and knows none by a part of its name.
    const all = await fetch("--tags", "origin", "+refs/heads/*:refs/remotes/origin/*");
    if (!all.ok) return all;
    const found = await run("rev-parse", "--verify", "--quiet", `${ref}^{commit}`);
    const what = wholeCommit.test(ref) ? "no branch leads to it" : "there is no such branch, tag or commit";
    return found.ok ? found : err(what);
  }

  const steps: readonly (() => Promise<Result<string, string>>)[] = [
    () => run("init", "--quiet", "--template="),
    () => run("remote", "add", "origin", address),
    find,
  ];
  let last: Result<string, string> = ok("");
  for (const step of steps) {
    last = await step();
    if (!last.ok) break;
  }
  if (last.ok) {
    const commit = last.value;
    last = await run("checkout", "--quiet", "--detach", commit);
    if (last.ok) return ok(commit);
  }
  return err(`'${ref}' of ${address} can't be checked out: ${last.error}.`);
}

/** What git says at the end, as a part of a sentence. */
function lastWords(stderr: string): string {
  const lines = stderr
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, (found) => (/[\n\r]/.test(found) ? "\n" : " "))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(hint|warning):/.test(line));
  const telling = lines.find((line) => /^(fatal|error|remote|ssh):/.test(line)) ?? lines.at(-1) ?? "git failed";
  return telling
    .replace(/^(?:(?:fatal|error|remote): *)+/i, "")
    .slice(0, 500)
    .replace(/[.\s]+$/, "");
}

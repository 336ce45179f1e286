import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";

/**
 * Git, asked about a repository of which nothing is trusted. Only commands that look are run, none that compares files with the index or
 * checks out, so no filter, hook or textconv has a part in it; what is left that a repository can have run is switched off here. The
 * index is never written, not even to refresh it.
 */
export interface GitProgram {
  /** Absolute path. */
  readonly file: string;
  /** What it inherits. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const settings: readonly (readonly [string, string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.untrackedCache", "false"],
  ["safe.bareRepository", "explicit"],
  ["protocol.allow", "never"],
  ["submodule.recurse", "false"],
];

/** Whatever a repository makes of it: a FIFO in the place of one of its files would be read for ever. */
const longestMs = 60_000;

export interface GitPlace {
  readonly cwd: string;
  /** The repository, where none is to be looked for. */
  readonly gitDirectory?: string;
}

export function startGit(
  { file, variables, signal }: GitProgram,
  { cwd, gitDirectory }: GitPlace,
  args: readonly string[],
): ChildProcessWithoutNullStreams {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) if (!name.startsWith("GIT_")) env[name] = value;
  for (const [index, [name, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = name;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  Object.assign(env, {
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    LC_ALL: "C",
    ...(gitDirectory === undefined ? {} : { GIT_DIR: gitDirectory }),
  });
  const child = spawn(file, ["--no-optional-locks", ...args], {
    cwd,
    env,
    stdio: "pipe",
    signal,
    timeout: longestMs,
    killSignal: "SIGKILL",
  });
  child.stderr.resume();
  // One that has ended reads no more, and whoever waits for its answer hears of that by the end of its output.
  child.stdin.on("error", () => {});
  return child;
}

/** What git prints; nothing when it fails or can't be run. */
export function askGit(
  program: GitProgram,
  place: GitPlace,
  args: readonly string[],
  stdin: Uint8Array = new Uint8Array(),
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const child = startGit(program, place, args);
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.on("error", () => resolve(undefined));
    child.on("close", (code) => resolve(code === 0 ? Buffer.concat(pieces) : undefined));
    child.stdin.end(stdin);
  });
}

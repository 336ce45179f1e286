import { realpathSync } from "node:fs";
import { userInfo } from "node:os";
import type { Environment, ProcessRequest, ProcessResult, SandboxRequest } from "../../block/ports.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { realPath } from "../files/file-paths.ts";
import { HeldEntries } from "../files/held-entries.ts";
import { inspectProcess } from "../processes/inspect-process.ts";
import type { OutputPipes } from "../processes/output-pipes.ts";
import { firstOfMore, type StartRequest } from "../processes/start-process.ts";
import { bubblewrapOptions, type Mount } from "./bubblewrap-options.ts";
import { SandboxGate } from "./sandbox-gate.ts";
import { isInside, listedDirectories, mountAround, surveyMounts } from "./sandbox-mounts.ts";
import { noSocketsFilter } from "./seccomp-filter.ts";

/** Keeps commands from the rest of the machine, with bubblewrap. There is nothing in between: enclosed, or not started. */
export interface Sandbox {
  /** Absolute path of bubblewrap, which has been seen to work here; else what is missing and how to get it. */
  find(): Promise<Result<string, string>>;
  /** What to run instead of the command, so that it runs enclosed; else why it can't. */
  enclose(request: StartRequest, wanted: SandboxRequest, pipes: OutputPipes): Promise<Result<Enclosed, string>>;
}

export interface Enclosed {
  readonly start: StartRequest;
  /** Whether the command was let in. */
  readonly hasBegun: boolean;
  /** Why not, unless bubblewrap itself has failed. */
  readonly refusal: string | undefined;
  /** When it has ended. */
  release(): void;
}

export function createSandbox(environment: Environment, stateDirectory: string): Sandbox {
  const { HOME: home, PATH: path, FROND_SANDBOX_READ: more } = environment.variables;
  // The user's, not what a block makes of them: a workflow must not choose what it can read.
  const readable = [...listedDirectories(path, undefined), ...listedDirectories(more, home)];
  let found: Promise<Result<string, string>> | undefined;

  async function find(): Promise<Result<string, string>> {
    found ??= tryOut(environment.findProgram("bwrap"));
    const result = await found;
    // Somebody may mend it while we run.
    if (!result.ok) found = undefined;
    return result;
  }

  return {
    find,
    async enclose(request, wanted, pipes) {
      const candidate = environment.findProgram("bwrap");
      // Not even tried out, for that would run it.
      if (candidate !== undefined && isInside(wanted.workspace, realpathSync(candidate))) {
        return err(`the bubblewrap on PATH, '${candidate}', is in the workspace, where any workflow could replace it`);
      }
      const bubblewrap = await find();
      if (!bubblewrap.ok) return bubblewrap;
      const filter = wanted.network === "none" ? noSocketsFilter() : undefined;
      if (wanted.network === "none" && filter === undefined) {
        return err(`a sandbox without network can't be made on processors of the kind ${process.arch}`);
      }
      // What the command is to see, which may be other files than we do.
      const held = new HeldEntries(`${request.entrance?.root ?? ""}/`);
      const survey = orExplain(() => surveyMounts(wanted, { homes: homes(home), stateDirectory, readable }, held));
      if (!survey.ok) {
        held.close();
        return survey;
      }
      const release = (): void => {
        held.close();
        survey.value.release();
      };
      const means = { network: wanted.network, filter, bubblewrap: bubblewrap.value };
      const enclosed = orExplain(() => prepare(request, means, { mounts: survey.value.mounts, held }, pipes));
      if (!enclosed.ok) {
        release();
        return enclosed;
      }
      const { start, gate } = enclosed.value;
      return ok({
        start,
        get hasBegun() {
          return gate.hasOpened;
        },
        get refusal() {
          return gate.refusal;
        },
        release() {
          gate.close();
          release();
        },
      });
    },
  };
}

/** No descriptor may be left, or a directory not to be entered. */
function orExplain<T>(make: () => Result<T, string>): Result<T, string> {
  try {
    return make();
  } catch (error) {
    return err(`the sandbox can't be made: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface Means {
  readonly network: SandboxRequest["network"];
  readonly bubblewrap: string;
  readonly filter: Uint8Array | undefined;
}

function prepare(
  request: StartRequest,
  { network, bubblewrap, filter }: Means,
  { mounts, held }: { readonly mounts: readonly Mount[]; readonly held: HeldEntries },
  pipes: OutputPipes,
): Result<{ readonly start: StartRequest; readonly gate: SandboxGate }, string> {
  // Where it does not exist, whoever starts the process tells.
  const directory = realPath(request.cwd) ?? request.cwd;
  if (!isVisible(directory, mounts)) return err(`the working directory '${request.cwd}' is not in the sandbox`);
  const first = firstOfMore(request);
  const places = { info: first + 1, ready: first + 2 };
  const options = bubblewrapOptions({
    network,
    endsWithCommand: !request.keepBackground,
    directory,
    env: withTemporaryDirectory(request.env, mounts),
    mounts,
    gate: { ...places, block: first + 3, ...(filter === undefined ? {} : { filter: first + 4 }) },
  });
  // It separates the options, so in one of them it would make others.
  if (options.some((option) => option.includes("\0"))) return err("a path or the environment contains a NUL byte");
  const gate = SandboxGate.open(pipes);
  if (gate === undefined) return err("a sandbox needs the program mkfifo, which is not on PATH");
  const start: StartRequest = {
    ...request,
    file: bubblewrap,
    // Arguments can be seen by every user of the machine; the options hold the environment.
    args: ["--args", String(first), "--", request.file, ...request.args],
    env: {},
    more: [options.join("\0"), "pipe", "pipe", { fd: gate.block }, ...(filter === undefined ? [] : [filter])],
    onSpawned: (child) => void gate.watch(child, places, mounts).then(() => held.close()),
  };
  return ok({ start, gate });
}

const advice = "Install it, on Debian and Ubuntu with: apt-get install bubblewrap";

/** Asks of the system everything that a real sandbox does. */
async function tryOut(file: string | undefined): Promise<Result<string, string>> {
  if (process.platform !== "linux") return err("a sandbox is made with bubblewrap, which there is for Linux only");
  if (file === undefined) return err(`a sandbox is made with bubblewrap, but there is no 'bwrap' on PATH. ${advice}`);
  const options = bubblewrapOptions({
    network: "none",
    endsWithCommand: true,
    directory: "/",
    env: {},
    mounts: [{ path: "/tmp", kind: "private" }],
  });
  const tried = await inspectProcess(file, [...options, "--", file, "--version"], "");
  if (tried?.exitCode === 0) return ok(file);
  const reason = tried?.stderr.trim().split("\n")[0] || "it could not be run";
  return err(`bubblewrap ('${file}') can't make a sandbox here: ${reason}. ${namespaceAdvice}`);
}

const namespaceAdvice =
  "It needs user namespaces: see the settings kernel.unprivileged_userns_clone, " +
  "kernel.apparmor_restrict_unprivileged_userns and user.max_user_namespaces, or how your container is started";

/** What HOME says, and where the user's home is in any case. */
function homes(named: string | undefined): string[] {
  const known = named === undefined ? [] : [named];
  try {
    known.push(userInfo().homedir);
  } catch {
    // Nobody by that number is known to the system.
  }
  return known;
}

function isVisible(directory: string, mounts: readonly Mount[]): boolean {
  const around = mountAround(mounts, directory);
  return around === undefined || around.path === directory || around.kind !== "private";
}

/** Programs make their temporary files where TMPDIR says, which would mostly be a place that can't be written to. */
function withTemporaryDirectory(env: ProcessRequest["env"], mounts: readonly Mount[]): ProcessRequest["env"] {
  const { TMPDIR: named } = env;
  if (named === undefined || mountAround(mounts, named)?.kind === "writable") return env;
  return { ...env, TMPDIR: "/tmp" };
}

/** What bubblewrap itself had to say when it did not get as far as the command. A command that says the same has failed too. */
export function explainEnclosure(result: ProcessResult): string | undefined {
  if (!result.started || result.exitCode !== 1) return undefined;
  const [, said] = /^bwrap: ([^\n]*)\n?$/.exec(result.stderr.text) ?? [];
  if (said === undefined) return undefined;
  const [, program, reason] = /^execvp (.*): (.*)$/.exec(said) ?? [];
  if (program === undefined) return `the sandbox can't be made: ${said}`;
  if (reason === "No such file or directory") return `there is no program '${program}' in the sandbox`;
  return `'${program}' can't be run in the sandbox: ${reason}`;
}

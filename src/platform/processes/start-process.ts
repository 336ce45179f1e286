import { type ChildProcess, spawn } from "node:child_process";
import type { ProcessRequest } from "../../block/ports.ts";
import { type HeldCwd, holdCwd } from "../files/hold-cwd.ts";
import { engineMark } from "./engine-mark.ts";
import { coverInherited } from "./inherited-descriptors.ts";
import { OpenDescriptors } from "./open-descriptors.ts";
import type { OutputPipe, OutputPipes } from "./output-pipes.ts";
import { ProcessOutput } from "./process-output.ts";

export interface StartedProcess {
  readonly child: ChildProcess;
  readonly stdout: ProcessOutput;
  readonly stderr: ProcessOutput;
}

export interface StartRequest extends ProcessRequest {
  /** Further descriptors, after all others: a text like `fd3`, one that is open here, or one end of a socket of Node's. */
  readonly more?: readonly (string | Uint8Array | { readonly fd: number } | "pipe")[];
  /** Called at once when it has been started. */
  onSpawned?(child: ChildProcess): void;
}

/** The number that the first of `more` has in the process. */
export function firstOfMore({ fd3 }: ProcessRequest): number {
  return fd3 === undefined ? 3 : 4;
}

/** By its path alone a command would be where we see it, not where it is to see it itself. */
export function holdDirectory({ cwd, within, entrance }: StartRequest): HeldCwd | undefined {
  if (within === undefined && entrance === undefined) return undefined;
  return holdCwd(cwd, within ?? "/", entrance?.root);
}

type StdioEntry = "ignore" | "pipe" | number;

/** Starts the leader of a process group of its own. Throws when it cannot even be tried; else a failure is its `error` event. */
export function startProcess(request: StartRequest, pipes: OutputPipes): StartedProcess {
  const { cwd, env, capture } = request;
  const [file = "", ...args] = [...(request.entrance?.enter ?? []), request.file, ...request.args];
  const open = new OpenDescriptors(pipes);
  const openMore = (entry: NonNullable<StartRequest["more"]>[number]): StdioEntry => {
    if (entry === "pipe") return entry;
    return typeof entry === "string" || entry instanceof Uint8Array ? open.openText(entry) : entry.fd;
  };
  const cover = (first: number): readonly StdioEntry[] => {
    const { entries, nothing } = coverInherited(first);
    if (nothing !== undefined) open.add(nothing);
    return entries;
  };
  try {
    const stdin = request.stdin === "" ? "ignore" : open.openText(request.stdin);
    const more = [...(request.fd3 === undefined ? [] : [request.fd3]), ...(request.more ?? [])].map(openMore);
    const [stdout, stderr] = capture ? [open.takePipe(), open.takePipe()] : [];
    const otherwise = capture ? "pipe" : "ignore";
    const writeEnd = (pipe: OutputPipe | undefined): StdioEntry => (pipe ? open.add(pipe.openWriteEnd()) : otherwise);
    const stdio: StdioEntry[] = [stdin, writeEnd(stdout), writeEnd(stderr), ...more];
    // A directory that is open leads out of any sandbox.
    if (request.sandbox !== undefined) stdio.push(...cover(stdio.length));
    const held = holdDirectory(request);
    if (held !== undefined) open.add(held.fd);
    const child = spawn(file, args, {
      cwd: held?.path ?? cwd,
      env: { ...env, ...engineMark() },
      stdio,
      detached: true,
    });
    // Told later, when what follows may have failed already; an error that nobody listens to would end the engine.
    child.on("error", () => {});
    open.close();
    return {
      child,
      // Whatever its type says, a child that could not be started has none.
      stdout: new ProcessOutput("stdout", stdout ?? child.stdout ?? null, request),
      stderr: new ProcessOutput("stderr", stderr ?? child.stderr ?? null, request),
    };
  } catch (error) {
    open.abandon();
    throw error;
  }
}

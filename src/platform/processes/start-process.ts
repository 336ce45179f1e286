import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import type { ProcessRequest } from "../../block/ports.ts";
import { type HeldCwd, holdCwd } from "../files/hold-cwd.ts";
import { engineMark } from "./engine-mark.ts";
import { coverInherited } from "./inherited-descriptors.ts";
import { openInheritedText } from "./inherited-text.ts";
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
function holdDirectory({ cwd, within, entrance }: StartRequest): HeldCwd | undefined {
  if (within === undefined && entrance === undefined) return undefined;
  return holdCwd(cwd, within ?? "/", entrance?.root);
}

type StdioEntry = "ignore" | "pipe" | number;

/** Starts the leader of a process group of its own. Throws when it cannot even be tried; else a failure is its `error` event. */
export function startProcess(request: StartRequest, pipes: OutputPipes): StartedProcess {
  const { cwd, env, capture } = request;
  const [file = "", ...args] = [...(request.entrance?.enter ?? []), request.file, ...request.args];
  const opened: number[] = [];
  const taken: OutputPipe[] = [];
  const openText = (text: string | Uint8Array) => {
    const fd = openInheritedText(text);
    opened.push(fd);
    return fd;
  };
  const openMore = (entry: NonNullable<StartRequest["more"]>[number]): StdioEntry => {
    if (entry === "pipe") return entry;
    return typeof entry === "string" || entry instanceof Uint8Array ? openText(entry) : entry.fd;
  };
  const cover = (first: number): readonly StdioEntry[] => {
    const { entries, nothing } = coverInherited(first);
    if (nothing !== undefined) opened.push(nothing);
    return entries;
  };
  const takePipe = () => {
    const pipe = capture ? pipes.take() : undefined;
    if (pipe !== undefined) taken.push(pipe);
    return pipe;
  };
  try {
    const stdin = request.stdin === "" ? "ignore" : openText(request.stdin);
    const more = [...(request.fd3 === undefined ? [] : [openText(request.fd3)]), ...(request.more ?? []).map(openMore)];
    const [stdout, stderr] = [takePipe(), takePipe()];
    const otherwise = capture ? "pipe" : "ignore";
    const stdio: StdioEntry[] = [stdin, stdout?.writeEnd ?? otherwise, stderr?.writeEnd ?? otherwise, ...more];
    // A directory that is open leads out of any sandbox.
    if (request.sandbox !== undefined) stdio.push(...cover(stdio.length));
    const held = holdDirectory(request);
    if (held !== undefined) opened.push(held.fd);
    const child = spawn(file, args, {
      cwd: held?.path ?? cwd,
      env: { ...env, ...engineMark() },
      stdio,
      detached: true,
    });
    // Told later, when what follows may have failed already; an error that nobody listens to would end the engine.
    child.on("error", () => {});
    return {
      child,
      // Whatever its type says, a child that could not be started has none.
      stdout: new ProcessOutput("stdout", stdout ?? child.stdout ?? null, request),
      stderr: new ProcessOutput("stderr", stderr ?? child.stderr ?? null, request),
    };
  } catch (error) {
    for (const pipe of taken) {
      closeSync(pipe.readEnd);
      pipe.release(false);
    }
    throw error;
  } finally {
    for (const fd of opened) closeSync(fd);
    for (const pipe of taken) closeSync(pipe.writeEnd);
  }
}

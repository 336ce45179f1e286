import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import type { ProcessRequest } from "../block/ports.ts";
import { engineMark } from "./engine-mark.ts";
import { openInheritedText } from "./inherited-text.ts";
import type { OutputPipe, OutputPipes } from "./output-pipes.ts";
import { ProcessOutput } from "./process-output.ts";

export interface StartedProcess {
  readonly child: ChildProcess;
  readonly stdout: ProcessOutput;
  readonly stderr: ProcessOutput;
}

/** Starts the leader of a process group of its own. Throws when it cannot even be tried; else a failure is its `error` event. */
export function startProcess(request: ProcessRequest, pipes: OutputPipes): StartedProcess {
  const { file, args, cwd, env, capture } = request;
  const texts: number[] = [];
  const taken: OutputPipe[] = [];
  const openText = (text: string) => {
    const fd = openInheritedText(text);
    texts.push(fd);
    return fd;
  };
  const takePipe = () => {
    const pipe = capture ? pipes.take() : undefined;
    if (pipe !== undefined) taken.push(pipe);
    return pipe;
  };
  try {
    const stdin = request.stdin === "" ? "ignore" : openText(request.stdin);
    const fd3 = request.fd3 === undefined ? [] : [openText(request.fd3)];
    const [stdout, stderr] = [takePipe(), takePipe()];
    const otherwise = capture ? "pipe" : "ignore";
    const stdio: StdioOptions = [stdin, stdout?.writeEnd ?? otherwise, stderr?.writeEnd ?? otherwise, ...fd3];
    const child = spawn(file, args, { cwd, env: { ...env, ...engineMark() }, stdio, detached: true });
    return {
      child,
      stdout: new ProcessOutput("stdout", stdout ?? child.stdout, request),
      stderr: new ProcessOutput("stderr", stderr ?? child.stderr, request),
    };
  } catch (error) {
    for (const pipe of taken) {
      closeSync(pipe.readEnd);
      pipe.release(false);
    }
    throw error;
  } finally {
    for (const fd of texts) closeSync(fd);
    for (const pipe of taken) closeSync(pipe.writeEnd);
  }
}

import { tmpdir } from "node:os";
import type { ProcessRequest, ProcessResult } from "../../src/block/ports.ts";

export function runRequest(parts: Partial<ProcessRequest> & Pick<ProcessRequest, "file">): ProcessRequest {
  return {
    args: [],
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    stdin: "",
    maxOutput: 1_000_000,
    capture: true,
    keepBackground: false,
    owner: "run-1",
    signal: new AbortController().signal,
    ...parts,
  };
}

export function bashRequest(command: string, parts: Partial<ProcessRequest> = {}): ProcessRequest {
  return runRequest({ file: "bash", args: ["-c", command], ...parts });
}

/** The result of a command that must have started. */
export function started(result: ProcessResult): ProcessResult & { started: true } {
  if (!result.started) throw new Error(`not started: ${result.message}`);
  return result;
}

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { ProcessRequest } from "../../block/ports.ts";

/** The operating system reports a missing program and a missing directory alike, so this looks which it was. */
export function explainStartFailure(error: unknown, request: Pick<ProcessRequest, "file" | "cwd">): string {
  const { file, cwd } = request;
  const problem: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  switch (problem.code) {
    case "ENOENT":
    case "ENOTDIR":
      return directoryProblem(cwd) ?? missingProgram(file, cwd);
    case "EACCES":
      return directoryProblem(cwd) ?? `'${file}' may not be executed`;
    case "E2BIG":
      return `the arguments and environment of '${file}' are longer than the operating system allows`;
    case "EAGAIN":
      return `'${file}' could not be started because too many processes are running`;
    case "EMFILE":
    case "ENFILE":
      return `'${file}' could not be started because too many files are open`;
    case "ENOMEM":
      return `'${file}' could not be started because there is not enough memory`;
    case "ENOSPC":
      return `'${file}' could not be started because there is no room for its input`;
    case "ERR_INVALID_ARG_VALUE":
      return `'${file}' could not be started because its arguments, environment or working directory contain a NUL byte`;
    default:
      return `'${file}' could not be started: ${problem.message}`;
  }
}

function directoryProblem(cwd: string): string | undefined {
  try {
    if (!statSync(cwd).isDirectory()) return `the working directory '${cwd}' is not a directory`;
  } catch {
    return `the working directory '${cwd}' does not exist`;
  }
  try {
    accessSync(cwd, constants.X_OK);
    return undefined;
  } catch {
    return `the working directory '${cwd}' may not be entered`;
  }
}

function missingProgram(file: string, cwd: string): string {
  if (!file.includes("/")) return `there is no program '${file}' on PATH`;
  if (existsSync(resolve(cwd, file))) return `the interpreter that '${file}' names in its first line does not exist`;
  return `there is no program '${file}'`;
}

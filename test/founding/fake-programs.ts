import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a program of the founding examples does here, beside noting that it was called: an exit code, or shell text. */
export type Programs = Readonly<Record<string, number | string>>;

const callsFile = "calls.log";

/** Writes small programs into a directory: those called `./x` are found there, the others when it is on PATH. */
export function writePrograms(directory: string, programs: Programs): void {
  mkdirSync(directory, { recursive: true });
  for (const [name, does] of Object.entries(programs)) {
    const file = join(directory, name);
    const note = `printf '%s\n' "${name} $*" >> ${callsFile}`;
    writeFileSync(file, `#!/bin/sh\n${note}\n${typeof does === "number" ? `exit ${does}` : does}\n`);
    chmodSync(file, 0o755);
  }
}

/** The calls that commands run in the workspace made, sorted: blocks that do not wait for each other come in any order. */
export function readCalls(workspace: string): string[] {
  const file = join(workspace, callsFile);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => line.trimEnd()).sort();
}

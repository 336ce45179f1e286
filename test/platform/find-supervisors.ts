import { readdirSync, readFileSync } from "node:fs";

export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly commandLine: string;
}

/** Every process of the machine, where it can be asked. */
export function listAllProcesses(): ListedProcess[] {
  const pids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  return pids.flatMap((pid) => {
    try {
      const parent = Number(/\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
      return [{ pid: Number(pid), parent, commandLine: readFileSync(`/proc/${pid}/cmdline`, "utf8") }];
    } catch {
      return [];
    }
  });
}

/** By the word that it is started with: until then, a process has the command line of the one that starts it. */
export function findSupervisors(engine: number): number[] {
  return listAllProcesses()
    .filter(({ parent, commandLine }) => parent === engine && commandLine.split("\0").includes("frond-supervisor"))
    .map(({ pid }) => pid);
}

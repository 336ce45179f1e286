import { readFileSync } from "node:fs";
import { identifyProcess, isLiving, startTimeHere } from "./process-identity.ts";

const variable = "FROND_ENGINE";
let mark: Readonly<Record<string, string>> | undefined;

/** In the environment of every command, and so of what it starts: which engine they belong to. */
export function engineMark(): Readonly<Record<string, string>> {
  mark ??= makeMark();
  return mark;
}

/** For a process that belongs to no engine, whoever starts it. */
export function withoutMark(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [variable]: _, ...others } = variables;
  return others;
}

/** As it stands in an environment; empty where there is none. */
export function markText(): string {
  return Object.entries(engineMark())
    .map(([name, value]) => `${name}=${value}`)
    .join();
}

function makeMark(): Readonly<Record<string, string>> {
  // Elsewhere nobody could read it.
  if (process.platform !== "linux") return {};
  const { pid, startTime } = identifyProcess(process.pid);
  return { [variable]: `${pid} ${startTime}` };
}

/** True only when a process carries the mark of an engine that certainly lives no more. */
export function isOfDeadEngine(pid: number): boolean {
  const [, engine, identified] = markPattern.exec(readEnvironment(pid)) ?? [];
  if (engine === undefined || identified === undefined) return false;
  const startTime = startTimeHere({ pid: Number(engine), startTime: identified });
  return startTime !== undefined && isLiving(Number(engine), startTime) === false;
}

const markPattern = new RegExp(`(?:^|\\0)${variable}=(\\d+) ([^\\0]+)`);

function readEnvironment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "./is-alive.ts";

let found: Readonly<Record<string, string>> | undefined;

/** What tells an engine where the browser of the tests is; they fail where it can't be had. */
export function browserVariables(): Readonly<Record<string, string>> {
  found ??= findBrowser();
  return found;
}

function findBrowser(): Readonly<Record<string, string>> {
  const script = join(import.meta.dirname, "../../scripts/find-browser.js");
  const cwd = join(import.meta.dirname, "../..");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8", cwd });
  if (status !== 0) throw new Error(stderr.trim());
  const { browser, playwright } = JSON.parse(stdout) as { browser: string; playwright: string };
  return { FROND_BROWSER: browser, FROND_PLAYWRIGHT: playwright };
}

/** Ids of the processes of browsers that an engine has started: those that lead, and all that they have started. */
export function browserProcesses(engine: number): number[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(isAlive);
  const leaders = new Set(all.filter((pid) => isBrowserOf(pid, engine)));
  return all.filter((pid) => leaders.has(sessionOf(pid)));
}

function isBrowserOf(pid: number, engine: number): boolean {
  return (
    readProc(pid, "cmdline").includes("--remote-debugging-pipe") &&
    readProc(pid, "environ").includes(`FROND_ENGINE=${engine} `)
  );
}

function sessionOf(pid: number): number {
  const [, , , session] = readProc(pid, "stat")
    .replace(/^.*\) /s, "")
    .split(" ");
  return Number(session);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

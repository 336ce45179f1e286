import { readdirSync, readFileSync } from "node:fs";

/** In which Linux counts. */
const ticksPerSecond = 100;

/** Milliseconds of CPU that a process has used, with all it has started, those that have ended among them. */
export function cpuOfTree(pid: number): number {
  const usage = new Map<number, { readonly parent: number; readonly ticks: number }>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(name);
    if (stat !== undefined) usage.set(Number(name), stat);
  }
  const isWithin = (one: number | undefined): boolean =>
    one !== undefined && (one === pid || isWithin(usage.get(one)?.parent));
  const ticks = [...usage].reduce((sum, [one, used]) => (isWithin(one) ? sum + used.ticks : sum), 0);
  return (ticks * 1000) / ticksPerSecond;
}

/** Its own time, and that of its children that have ended. Nothing when it is gone. */
function readStat(pid: string): { readonly parent: number; readonly ticks: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name of the program may hold anything, also a bracket; what follows the last one is numbers.
  const [, parent, ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(9, 13).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(parent), ticks };
}

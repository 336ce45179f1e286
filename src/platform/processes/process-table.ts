import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";

export interface LivingProcess {
  readonly id: number;
  readonly group: number;
  readonly session: number;
}

export interface TableEntry extends LivingProcess {
  /** Clock ticks since the system's start. */
  readonly startTime: string;
  /** A zombie: nobody has asked for its end yet, and until then its id is given to nobody else. */
  readonly hasEnded: boolean;
}

export function readTableEntry(id: number): TableEntry | undefined {
  const file = `/proc/${id}/stat`;
  // Most ids that are asked for belong to nobody any more, and an exception is expensive.
  if (!existsSync(file)) return undefined;
  const line = readBriefText(file);
  return line === undefined ? undefined : parseTableEntry(line);
}

/** A line of /proc/ID/stat. */
export function parseTableEntry(line: string): TableEntry {
  // id (name) state parent group session ...; the name may hold anything, even brackets: the fields start after its last one.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const [state, , group, session] = fields;
  const id = Number.parseInt(line, 10);
  const hasEnded = state === "Z" || state === "X";
  return { id, group: Number(group), session: Number(session), startTime: fields[startTimeField] ?? "", hasEnded };
}

const startTimeField = 19;

/** For any line of the table: the kernel bounds the name, and numbers are only so long. */
const lineBuffer = Buffer.alloc(4_096);

/** Into the same memory each time: reading a file of unknown size takes 64 KB anew, for every command that is started. */
function readBriefText(file: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    return lineBuffer.toString("latin1", 0, readSync(fd, lineBuffer));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Elsewhere nothing can be told of a process that has left its group. */
export function hasProcessTable(): boolean {
  return newestId() !== undefined && readProcess(process.pid) !== undefined;
}

/** A process that lives: a zombie nobody has reaped yet does not. */
export function readProcess(id: number): LivingProcess | undefined {
  const entry = readTableEntry(id);
  return entry === undefined || entry.hasEnded ? undefined : { id, group: entry.group, session: entry.session };
}

/** All that live, in whichever session. */
export function listProcesses(): readonly LivingProcess[] {
  return allIds().flatMap((id) => readProcess(id) ?? []);
}

/**
 * The living processes of a session, or nothing where there is no process table to read. Ids are given in ascending order, so
 * those of a young session lie from its leader's to the newest one; only when the ids may have gone round since its start
 * must the whole table be read. Until one is found, what is born meanwhile is looked at too, so that no parent hides its child
 * by ending early. The leaders of other sessions need no look.
 */
export function findSession(
  leader: number,
  isYoung: boolean,
  leaders: ReadonlySet<number> = new Set(),
): readonly LivingProcess[] | undefined {
  const found: LivingProcess[] = [];
  let lookedUpTo = isYoung ? leader - 1 : undefined;
  for (;;) {
    const newest = newestId();
    if (newest === undefined) return undefined;
    if (newest === lookedUpTo || found.length > 0) return found;
    for (const id of idsBetween(lookedUpTo, newest)) {
      if (id !== leader && leaders.has(id)) continue;
      const process = readProcess(id);
      if (process?.session === leader) found.push(process);
    }
    lookedUpTo = newest;
  }
}

/** Kept open, because to open it for every command that ends would cost more than the rest of the look. */
let loadAverage: number | undefined;
const loadAverageText = Buffer.alloc(128);

/** The id given last in the whole system, which Linux tells at the end of its load average. */
function newestId(): number | undefined {
  try {
    loadAverage ??= openSync("/proc/loadavg", "r");
    const length = readSync(loadAverage, loadAverageText, 0, loadAverageText.length, 0);
    const text = loadAverageText.toString("latin1", 0, length);
    return Number(text.slice(text.lastIndexOf(" ") + 1)) || 0;
  } catch {
    return undefined;
  }
}

/** Asking for that many ids one by one costs about as much as listing those that exist. */
const fewIds = 64;

/** The ids that may be in use above the first and up to the last; all of them when they have gone round in between. */
function idsBetween(first: number | undefined, last: number): readonly number[] {
  if (first !== undefined && first <= last && last - first <= fewIds) {
    return Array.from({ length: last - first }, (_, index) => first + index + 1);
  }
  const all = allIds();
  return first === undefined || first > last ? all : all.filter((id) => id > first && id <= last);
}

function allIds(): readonly number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    // There is no table, or too many files are open: the processes that are left must wait for the next look.
    return [];
  }
}

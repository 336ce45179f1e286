import { readFileSync, statSync } from "node:fs";
import { HeldEntries, type HeldEntry, mountIdOf } from "../files/held-entries.ts";
import type { Mount } from "./bubblewrap-options.ts";

interface MountRow {
  readonly id: string;
  readonly point: string;
  readonly isWritable: boolean;
  readonly type: string;
}

/** Whether a process sees as `/` what we do, which bubblewrap shows it last. False also when it is gone. */
export function hasOurRoot(pid: number): boolean {
  try {
    const [theirs, ours] = [`/proc/${pid}/root/`, "/"].map((path) => statSync(path, { bigint: true }));
    return theirs?.dev === ours?.dev && theirs?.ino === ours?.ino;
  } catch {
    return false;
  }
}

/**
 * Compares what a process has mounted with what was meant, file by file: bubblewrap goes by paths, in which others may have
 * put a link while it did. Each place is reached from the process's own root without following one. Nothing when all is right.
 */
export function findMountProblem(pid: number, mounts: readonly Mount[]): string | undefined {
  const rows = new Map(readTable(pid).map((row) => [row.id, row]));
  const held = new HeldEntries(`/proc/${pid}/root/`);
  const expected = new Set<string>();
  try {
    for (const mount of mounts) {
      const entry = held.find(mount.path);
      const row = entry === undefined ? undefined : rows.get(mountIdOf(entry) ?? "");
      if (entry === undefined || row === undefined || !isAsMeant(mount, entry, row)) return changed(mount.path);
      expected.add(row.id);
    }
  } finally {
    held.close();
  }
  const stray = [...rows.values()].find((row) => row.isWritable && !expected.has(row.id) && !isUsual(row, mounts));
  return stray === undefined ? undefined : changed(stray.point);
}

function changed(path: string): string {
  return `'${path}' was replaced by something else while the sandbox was made`;
}

function isAsMeant({ path, kind, entry: meant }: Mount, entry: HeldEntry, row: MountRow): boolean {
  if (row.point !== path) return false;
  if (kind === "private") return row.type === "tmpfs" && row.isWritable;
  const isSame = meant !== undefined && entry.dev === meant.dev && entry.ino === meant.ino;
  return isSame && (kind === "read-only" ? !row.isWritable : true);
}

/** What is mounted in a directory that can be written to outside too, and what bubblewrap itself brings along. */
function isUsual({ point }: MountRow, mounts: readonly Mount[]): boolean {
  const around = ["/dev", "/proc", ...mounts.filter(({ kind }) => kind === "writable").map(({ path }) => path)];
  return around.some((directory) => point === directory || point.startsWith(`${directory}/`));
}

/** See proc_pid_mountinfo(5). */
function readTable(pid: number): MountRow[] {
  const lines = readFileSync(`/proc/${pid}/mountinfo`, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => {
    const fields = line.split(" ");
    const [id = "", , , , point = "", options = ""] = fields;
    const type = fields[fields.indexOf("-") + 1] ?? "";
    return { id, point: decodeOctal(point), isWritable: options.split(",").includes("rw"), type };
  });
}

function decodeOctal(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

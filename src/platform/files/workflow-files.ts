import { type BigIntStats, readFileSync, realpathSync, statSync } from "node:fs";
import { hasCode, reasonFor } from "./file-problems.ts";

const mostBytes = 2_000_000;

/** Where a path leads through all links; nothing when there is nothing. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

export type ReadText =
  | { readonly text: string }
  | { readonly problem: "missing" | "directory" | "too-large" | "unreadable"; readonly detail: string };

/** Reads a file of which this is known, if it has to be read. */
type Reread = (stat: BigIntStats, read: () => { readonly text: string }) => { readonly text: string };

/** A workflow file's text; the size is looked at first, so that a wrong path to something huge costs nothing. */
export function readWorkflowText(file: string, reread: Reread = (_, read) => read()): ReadText {
  try {
    const stat = statSync(file, { bigint: true });
    const size = Number(stat.size);
    if (stat.isDirectory()) return { problem: "directory", detail: "it is a directory" };
    if (!stat.isFile()) return { problem: "unreadable", detail: "it is not a regular file" };
    if (size > mostBytes) return { problem: "too-large", detail: `${(size / 1_000_000).toFixed(1)} MB` };
    return reread(stat, () => ({ text: readFileSync(file, "utf8") }));
  } catch (error) {
    const problem = hasCode(error, "ENOENT", "ENOTDIR") ? "missing" : "unreadable";
    return { problem, detail: reasonFor(error) };
  }
}

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const mostBytes = 2_000_000;
const workflowFile = /\.ya?ml$/;

/** Absolute paths of the workflow files below a directory, sorted; nothing when there is no such directory. */
export function listWorkflowFiles(directory: string): readonly string[] | undefined {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && workflowFile.test(entry.name) && !/\.test\.ya?ml$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return undefined;
  }
}

export type ReadText =
  | { readonly text: string }
  | { readonly problem: "missing" | "directory" | "too-large" | "unreadable"; readonly detail: string };

/** A workflow file's text; the size is looked at first, so that a wrong path to something huge costs nothing. */
export function readWorkflowText(file: string): ReadText {
  try {
    const stat = statSync(file);
    const { size } = stat;
    if (stat.isDirectory()) return { problem: "directory", detail: "it is a directory" };
    if (!stat.isFile()) return { problem: "unreadable", detail: "it is not a regular file" };
    if (size > mostBytes) return { problem: "too-large", detail: `${(size / 1_000_000).toFixed(1)} MB` };
    return { text: readFileSync(file, "utf8") };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { problem: "missing", detail: message };
    return { problem: "unreadable", detail: message };
  }
}

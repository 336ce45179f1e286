import { dirname, resolve, sep } from "node:path";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { Reach, Source } from "../diagnostic/source.ts";
import { pathBelow } from "../util/path-below.ts";

/**
 * A workflow is called by its name in the library, or by the path of its file. Inside of Frond it then has a key: its name, or the
 * file with the directory that it must lie in, so that a key alone tells what may be read. Two files are never one key, whatever
 * names they have; and no text of a workflow is a key of a file, unless it is a path that its own file may name.
 */

export interface WorkflowFile {
  readonly path: string;
  /** What it can name itself. */
  readonly reach: Reach;
}

export function isWorkflowPath(written: string): boolean {
  return /^\.\.?(?:\/|$)/.test(written);
}

/** What a workflow that a text calls so is known as. */
export function workflowKey(written: string, { reach }: Source): string {
  if (!isWorkflowPath(written)) return /^[\w-]+$/.test(written) ? written : `unknown:${written}`;
  if (reach === undefined || pathProblem(written, { reach }) !== undefined) return `unknown:${written}`;
  return fileKey(resolve(reach.base, written), reach);
}

function fileKey(path: string, { root, isGiven }: Reach): string {
  return `${isGiven ? "given" : "file"}:${root}//${pathBelow(root, path)}`;
}

/** The file that a key is of, if it is one of a file. */
export function fileOfKey(key: string): WorkflowFile | undefined {
  const [, kind, root = "", below = ""] = /^(file|given):(\/.*?)\/\/(?!\/)(.+)$/s.exec(key) ?? [];
  if (kind === undefined) return undefined;
  const path = resolve(root, below);
  return { path, reach: { base: dirname(path), root, ...(kind === "given" ? { isGiven: true } : {}) } };
}

/** The key of a file itself. */
export function ownKey({ name, reach }: Source): string | undefined {
  const path = resolve(name);
  return reach === undefined || pathBelow(reach.root, path) === undefined ? undefined : fileKey(path, reach);
}

export function isSameFile(one: Source, other: Source): boolean {
  return resolve(one.name) === resolve(other.name);
}

/** A key in the words of those who wrote it. */
export function nameOfKey(key: string): string {
  const file = fileOfKey(key);
  return file === undefined ? key.replace(/^(?:unknown|root):/, "") : `.${sep}${pathBelow(file.reach.root, file.path)}`;
}

type PathProblem = Pick<Diagnostic, "code" | "message" | "why" | "fix">;

/** Why a file can't name another by this path, as far as the path alone tells. */
export function pathProblem(written: string, { reach }: Pick<Source, "reach">): PathProblem | undefined {
  const code = "path-not-allowed";
  if (reach === undefined) {
    const message = `'${written}' can't be followed: this workflow is no file, so the path starts nowhere.`;
    return { code, message, fix: "Call the workflow by its name." };
  }
  if (!/\.ya?ml$/.test(written) || /\.test\.ya?ml$/.test(written)) {
    return {
      code,
      message: `'${written}' is not the path of a workflow file.`,
      fix: "Its name ends in .yaml or .yml.",
    };
  }
  if (reach.isGiven && written.split("/").includes("..")) {
    return {
      code,
      message: `'${written}' can't be called from here.`,
      why: "A file that is run by its path can call files beside and below it (./...), none above it.",
      fix: "Move it beside this file, or put both into a library of workflows.",
    };
  }
  const path = resolve(reach.base, written);
  if (pathBelow(reach.root, path) !== undefined) return undefined;
  if (pathBelow(reach.root, reach.base) === undefined) {
    return {
      code,
      message: `'${written}' can't be called from here.`,
      why: `A workflow that is no file itself calls the trusted files in ${reach.root} and no others.`,
      fix: "Call a workflow of the library by its name, or write the blocks of that file into this one.",
    };
  }
  return {
    code,
    message: `'${written}' points outside of ${reach.root}, to ${path}.`,
    why: "A path must stay in the directory of workflows that this one belongs to.",
    fix: `Move the file into ${reach.root}, or call the workflow by its name.`,
  };
}

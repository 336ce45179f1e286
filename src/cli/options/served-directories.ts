import { InvalidArgumentError } from "commander";
import type { Diagnostic } from "../../diagnostic/diagnostic.ts";
import { isWithinRoots } from "../../runs/server-settings.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { badDirectory, type CliContext } from "../context.ts";

export interface ServedDirectories {
  readonly workspace: string;
  readonly roots: readonly string[];
}

/** Where a server works, as real paths. */
export function readServedDirectories(
  given: { readonly workspace: string; readonly root?: readonly string[] | undefined },
  { platform }: CliContext,
): Result<ServedDirectories, Diagnostic> {
  const workspace = platform.realDirectory(given.workspace);
  if (!workspace.ok) return err(badDirectory(workspace.error, "Give --workspace a directory that exists."));
  const roots: string[] = [];
  for (const path of given.root ?? [workspace.value]) {
    const root = platform.realDirectory(path);
    if (!root.ok) return err(badDirectory(root.error, "Give --root a directory that exists."));
    roots.push(root.value);
  }
  // Else every run would begin where the server may not work.
  if (isWithinRoots(workspace.value, roots)) return ok({ workspace: workspace.value, roots });
  const message = `The workspace, ${workspace.value}, lies in no directory that --root names.`;
  return err(badDirectory(message, "Give --workspace a directory in one of them, or add this one to --root."));
}

export const usualPort = 4190;

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}

import { sep } from "node:path";
import type { RunSummary } from "../journal/journal.ts";
import { findRunId } from "../service/find-run-id.ts";
import { type Problem, problem } from "../service/problem.ts";
import { findRun } from "../service/read-run.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Door } from "./door.ts";

/** The directory a run is to work in. */
export function chooseWorkspace(given: string | undefined, { settings, outside }: Door): Result<string, Problem> {
  if (given === undefined) return ok(settings.workspace);
  const real = outside.directoryInside(settings.workspace, given);
  if (real.ok) return real;
  const elsewhere = outside.realDirectory(given);
  if (!elsewhere.ok) return err(problem("bad-workspace", elsewhere.error, "Give a directory that exists."));
  return isWithinRoots(elsewhere.value, settings.roots) ? elsewhere : err(outsideRoots(given, settings.roots));
}

/** A run by its id, the beginning of it or one of its checkpoints: of those that work where this server may. */
export async function reachRun(text: string, door: Door): Promise<Result<RunSummary, Problem>> {
  const { outside, settings } = door;
  const runId = await findRunId(outside, text, settings.workspace);
  if (!runId.ok) return runId;
  const found = await findRun(outside, runId.value);
  if (!found.ok || isReachable(found.value.workspace, door)) return found;
  const { workspace } = found.value;
  return err(
    problem(
      "out-of-reach",
      `${runId.value} works in ${workspace}. ${describeRoots(settings.roots)}`,
      rootAdvice(workspace),
    ),
  );
}

/** A server is there for the projects it was started for, and deals with no run of another. */
export function isReachable(workspace: string, { settings }: Door): boolean {
  return isWithinRoots(workspace, settings.roots);
}

function isWithinRoots(directory: string, roots: readonly string[]): boolean {
  return roots.some((root) => directory === root || directory.startsWith(root.endsWith(sep) ? root : root + sep));
}

function outsideRoots(given: string, roots: readonly string[]): Problem {
  return problem("out-of-reach", `'${given}' can't be the workspace. ${describeRoots(roots)}`, rootAdvice(given));
}

function describeRoots(roots: readonly string[]): string {
  return `This server works in ${roots.join(", ")} only.`;
}

function rootAdvice(directory: string): string {
  return `Whoever configures the server can allow it with \`frond serve --root ${directory}\`.`;
}

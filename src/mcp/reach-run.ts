import { resolve } from "node:path";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { RunSummary } from "../journal/journal.ts";
import { findRunId } from "../runs/find-run-id.ts";
import { findRun } from "../runs/read-run.ts";
import { isWithinRoots } from "../runs/server-settings.ts";
import { err, ok, type Result } from "../util/result.ts";
import { forPerson } from "./for-person.ts";
import type { ServerContext } from "./server-context.ts";

/** The directory a run is to work in: what is relative is so to the server's own. */
export function chooseWorkspace(
  given: string | undefined,
  { settings, platform }: ServerContext,
): Result<string, Problem> {
  const { workspace, roots } = settings;
  if (given === undefined) return ok(workspace);
  const real = platform.realDirectory(resolve(workspace, given));
  if (!real.ok) return err(problem("bad-workspace", real.error, "Give a directory that exists."));
  if (!isWithinRoots(real.value, roots)) return err(outsideRoots(given, real.value, roots));
  if (roots.some((root) => platform.directoryInside(root, real.value).ok)) return real;
  const fix = "Give a directory that is not in .git or .frond.";
  return err(problem("bad-workspace", `'${given}' can't be the workspace: no workflow works there.`, fix));
}

/** A run by its id, the beginning of it or one of its checkpoints: of those that work where this server may. */
export async function reachRun(text: string, context: ServerContext): Promise<Result<RunSummary, Problem>> {
  const { platform, settings } = context;
  const runId = await findRunId(platform, text, settings.workspace);
  if (!runId.ok) return runId;
  const found = await findRun(platform, runId.value);
  if (!found.ok || isReachable(found.value.workspace, context)) return found;
  const { workspace } = found.value;
  return err(
    problem(
      "out-of-reach",
      `${runId.value} works in ${workspace}. ${describeRoots(settings.roots)}`,
      forPerson.allowRoots([...settings.roots, workspace]),
    ),
  );
}

/** A server is there for the projects it was started for, and deals with no run of another. */
export function isReachable(workspace: string, { settings }: ServerContext): boolean {
  return isWithinRoots(workspace, settings.roots);
}

function outsideRoots(given: string, real: string, roots: readonly string[]): Problem {
  const message = `'${given}' can't be the workspace. ${describeRoots(roots)}`;
  return problem("out-of-reach", message, forPerson.allowRoots([...roots, real]));
}

function describeRoots(roots: readonly string[]): string {
  return `This server works in ${roots.join(", ")} only.`;
}

import { resolve } from "node:path";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { pathBelow } from "../util/path-below.ts";
import { projectOf } from "./project-trust.ts";
import { type CheckedWorkflow, looksLikeFile, type Workflows } from "./workflows.ts";

/**
 * A workflow by its name or by the path of its file, for somebody who may not vouch for files. To be run, it has to be one that a
 * person has looked at; to be checked only, it may be any file in the workspace.
 */
export function* findInWorkspace(
  target: string,
  purpose: "run" | "check",
  workspace: string,
  workflows: Workflows,
): Generator<void, CheckedWorkflow> {
  if (!looksLikeFile(target)) return yield* workflows.findInSlices(target);
  const path = resolve(workspace, target);
  const entry = workflows.entryOf(path);
  if (entry?.trusted) return yield* workflows.checkEntryInSlices(entry);
  const real = workflows.platform.realPath(path);
  // What is no path may be the file name of a workflow that has a name.
  if (real === undefined) return { diagnostics: [workflows.explainFile(target) ?? missing(target, workspace)] };
  const root = workflows.platform.realPath(workspace) ?? workspace;
  if (pathBelow(root, real) === undefined) return { diagnostics: [outside(target, workspace)] };
  const source = workflows.readSource(real);
  if (!("text" in source)) return { diagnostics: [source] };
  const own = { ...source, name: path };
  if (purpose === "check") return yield* workflows.checkInSlices({ ...own, reach: workflows.reachOf(path, true) });
  if (projectOf(real) === undefined) return { diagnostics: [notTheProjects(target, workspace)] };
  const standing = workflows.standingOf(real, source.text);
  if (standing === "trusted") return yield* workflows.checkInSlices({ ...own, reach: workflows.reachOf(path, false) });
  return { diagnostics: [workflows.explainUntrusted(`The workflow file '${target}'`, real, standing)] };
}

function missing(target: string, workspace: string): Diagnostic {
  return {
    code: "no-such-file",
    level: "error",
    message: `There is no file '${target}' in ${workspace}.`,
    fix: "Check the path, or give a name.",
    advice: { kind: "list-workflows" },
  };
}

function outside(target: string, workspace: string): Diagnostic {
  return {
    code: "path-not-allowed",
    level: "error",
    message: `'${target}' is outside of the workspace, ${workspace}.`,
    fix: "Give a path in the workspace, or a name.",
  };
}

function notTheProjects(file: string, workspace: string): Diagnostic {
  return {
    code: "untrusted-workflow",
    level: "error",
    message: `'${file}' is not one of the project's own workflows, which lie in .frond/workflows.`,
    why: "Only what a person has looked at is run by its name or path.",
    advice: { kind: "adopt-file", file, project: workspace },
  };
}

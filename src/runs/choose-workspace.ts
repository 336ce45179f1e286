import { resolve } from "node:path";
import type { WorkspaceSource } from "../block/workspaces.ts";
import { expressionsIn, resolveValue, type ValueTemplate } from "../definition/value-template.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { InputProblem } from "../engine/bind-inputs.ts";
import type { Scope } from "../expression/ast.ts";
import { readSteps } from "../expression/read-path.ts";
import { references } from "../expression/references.ts";
import type { ValueMap } from "../expression/value.ts";
import { isGitPath, refuseGitAddress, refuseGitRef } from "../util/git-address.ts";
import { err, ok, type Result } from "../util/result.ts";

/** What workspace a worker makes for a run, if any; with what its inputs say. A relative path begins where the run is started. */
export function chooseWorkspace(
  { workspace }: WorkflowDefinition,
  inputs: ValueMap,
  startedIn: string,
): Result<WorkspaceSource | "none" | undefined, readonly InputProblem[]> {
  if (workspace === undefined || workspace === "none") return ok(workspace);
  const git = resolveText("git", workspace.git, inputs, refuseGitAddress);
  if (!git.ok) return git;
  const address = isGitPath(git.value) ? resolve(startedIn, git.value) : git.value;
  if (workspace.ref === undefined) return ok({ git: address });
  const ref = resolveText("ref", workspace.ref, inputs, refuseGitRef);
  return ref.ok ? ok({ git: address, ref: ref.value }) : ref;
}

function resolveText(
  part: "git" | "ref",
  template: ValueTemplate,
  inputs: ValueMap,
  refuse: (text: string) => string | undefined,
): Result<string, readonly InputProblem[]> {
  const scope: Scope = { read: (root, keys) => readSteps(inputs, keys, root) };
  const resolved = resolveValue(template, scope);
  const text = resolved.ok ? String(resolved.value ?? "") : "";
  const wrong = resolved.ok ? refuse(text) : resolved.error.message;
  if (wrong === undefined) return ok(text);
  const message = `The workspace's '${part}' would be '${text}'. ${wrong}`;
  return err([{ code: "wrong-type", input: nameIn(template), message, fix: "Give another value." }]);
}

/** The first input that it reads. */
function nameIn(template: ValueTemplate): string {
  for (const { expression } of expressionsIn(template)) {
    for (const { keys } of references(expression)) return String(keys[0]);
  }
  return "workspace";
}

import { suggestName } from "../diagnostic/did-you-mean.ts";
import { references } from "../expression/references.ts";
import { refuseGitAddress, refuseGitRef } from "../util/git-address.ts";
import { type Key, type Keys, listKeys, mapSchema, readMap } from "./key.ts";
import { isNothing, type KeyReader, MapReader } from "./map-reader.ts";
import { compileValue, expressionsIn, type ValueTemplate } from "./value-template.ts";
import type { GitWorkspace, WorkflowDefinition } from "./workflow-definition.ts";

interface WorkspaceContext {
  readonly inputs: WorkflowDefinition["inputs"];
}

export const workspaceKeys: Keys<GitWorkspace, WorkspaceContext> = {
  git: {
    name: "git",
    docs: "Repository to check out: an address for https or ssh, or a path, which every worker has to have; may use ${inputs.*}",
    examples: ["https://example.org/app.git", "git@example.org:team/app.git", "/srv/git/app.git", "."],
    required: true,
    foreign: ["url", "repository", "repo", "uri"],
    schema: { type: "string" },
    read: (at, context) => readPart(at, context, refuseGitAddress) ?? nothingRead(at),
  },
  ref: {
    name: "ref",
    docs: "Branch, tag or commit; the repository's own branch without it; may use ${inputs.*}",
    examples: ["main", "v1.2", '"${inputs.branch}"'],
    foreign: ["branch", "tag", "commit", "revision", "rev", "sha"],
    schema: { type: ["string", "number"] },
    read: (at, context) => readPart(at, context, refuseGitRef),
  },
};

/** `workspace: none`, or where a fresh one comes from. */
export const workspace: Key<"none" | GitWorkspace | undefined, unknown, Partial<WorkspaceContext>> = {
  name: "workspace",
  docs: "A directory of its own for each run that a worker takes: a fresh checkout, or `none`, an empty one",
  examples: ["none", "{ git: https://example.org/app.git, ref: main }", '{ git: ".", ref: "${inputs.branch}" }'],
  foreign: ["checkout", "repository", "repo"],
  schema: (catalog) => ({ anyOf: [{ const: "none" }, mapSchema(listKeys(workspaceKeys), catalog)] }),
  read(at, _, { inputs = new Map() }) {
    const { node } = at;
    if (node === undefined || isNothing(node)) return undefined;
    if (node.kind === "scalar" && node.value === "none") return "none";
    if (node.kind !== "map") {
      const isAddress = node.kind === "scalar" && /[/:]/.test(node.written);
      const fix = isAddress
        ? `Write \`workspace: { git: ${node.written} }\`.`
        : "Write `workspace: { git: ADDRESS, ref: BRANCH }`, or `workspace: none` for runs that need no files.";
      return at.wrongType("`none` or a map with git", fix);
    }
    return readMap(workspaceKeys, new MapReader(node, `the workspace of ${at.what}`, at.report), { inputs });
  },
};

/** A text whose expressions read inputs that are no secrets: what is checked out is on record. */
function readPart(
  at: KeyReader,
  { inputs }: WorkspaceContext,
  refuse: (text: string) => string | undefined,
): ValueTemplate | undefined {
  const { node, report } = at;
  if (node === undefined || at.text() === undefined || node.kind !== "scalar") return undefined;
  // A ref such as 1.10 or 0123456 is no number.
  const value = typeof node.value === "string" ? compileValue(node, report) : literal(node.written, at);
  if (value.kind === "literal") {
    const wrong = refuse(String(value.value));
    if (wrong === undefined) return value;
    const message = `'${at.name}' of ${at.what} can't be '${String(value.value)}'. ${wrong}`;
    report({ code: "bad-workspace", level: "error", message, range: node.range });
    return undefined;
  }
  for (const { expression, text } of expressionsIn(value)) {
    for (const { root, keys, start, end } of references(expression)) {
      const name = String(keys[0] ?? "");
      const input = root === "inputs" ? inputs.get(name) : undefined;
      if (input !== undefined && input.secret !== true) continue;
      const isUnknown = root === "inputs" && input === undefined && name !== "";
      report({
        code: "reference-not-allowed",
        level: "error",
        message: isUnknown
          ? `The workflow has no input '${name}'.`
          : `'${at.name}' of ${at.what} can't read ${input === undefined ? root : `'${name}', which is secret`}.`,
        ...(isUnknown
          ? { fix: suggestName(name, inputs.keys(), "input") }
          : {
              why: "The workspace is made before anything runs, and where it comes from is on record.",
              fix:
                root === "secrets" || input !== undefined
                  ? "Leave the secret out: git finds it with the credential helper or the ssh key of whoever runs the worker."
                  : "Use ${inputs.NAME} or a plain text.",
            }),
        range: text.rangeOf(start, end),
      });
    }
  }
  return value;
}

function literal(value: string, { range }: KeyReader): ValueTemplate {
  return { kind: "literal", value, range };
}

/** There is an error then, so that nobody uses it. */
function nothingRead(at: KeyReader): ValueTemplate {
  return literal("", at);
}

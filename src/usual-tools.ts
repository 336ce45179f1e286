import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { projectDirectory } from "./library/project-directory.ts";
import { listWorkflowFiles } from "./platform/files/list-workflow-files.ts";

/** More files than this take longer to look at than a client should wait for its hello. */
const mostFiles = 100;

/**
 * Whether a server that is started so offers the tools that come with Frond and no others: it has no options, and no workflow file
 * speaks of being a tool. The same word is looked for by `findExposed`; where it is found, the server says whether it means anything.
 */
export function hasUsualTools(args: readonly string[], variables: NodeJS.ProcessEnv): boolean {
  const { WORKFLOWS_TEMPLATE_PATHS: named = "", CLAUDE_PROJECT_DIR: workspace = "." } = variables;
  if (args.length !== 1 || named !== "") return false;
  return [homedir(), workspace].every((root) => {
    const files = listWorkflowFiles(join(root, projectDirectory), { followLink: true, limit: mostFiles + 1 }) ?? [];
    return files.length <= mostFiles && !files.some((file) => readFileSync(file, "utf8").includes("expose"));
  });
}

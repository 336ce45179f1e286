import type { WorkflowFile } from "../definition/workflow-path.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { Source } from "../diagnostic/source.ts";
import { pathBelow } from "../util/path-below.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Standing } from "./library.ts";
import type { WorkflowFiles } from "./workflow-files.ts";

export interface ChildFiles {
  readonly platform: WorkflowFiles;
  readSource(file: string): Source | Diagnostic;
  standingOf(file: string, text: string): Standing;
  explainUntrusted(what: string, file: string, standing: Standing): Diagnostic;
}

/** The text of a workflow that another one names by a path. What links lead to counts, and so does the very text that is used. */
export function readChild({ path, reach }: WorkflowFile, files: ChildFiles): Result<Source, Diagnostic> {
  const { platform } = files;
  const real = platform.realPath(path);
  if (real === undefined) {
    return err({
      code: "no-such-file",
      level: "error",
      message: `There is no workflow file ${path}.`,
      why: "A path starts at the directory of the file that it is written in.",
      fix: "Check the path, or call a workflow by its name.",
    });
  }
  const root = platform.realPath(reach.root) ?? reach.root;
  if (pathBelow(root, real) === undefined) {
    return err({
      code: "path-not-allowed",
      level: "error",
      message: `${path} is a symbolic link that points outside of ${reach.root}, to ${real}.`,
      fix: `Put the file itself into ${reach.root}.`,
    });
  }
  const read = files.readSource(real);
  if (!("text" in read)) return err(read);
  const standing = reach.isGiven ? "trusted" : files.standingOf(real, read.text);
  if (standing !== "trusted") return err(files.explainUntrusted(`The workflow file ${path}`, real, standing));
  return ok({ name: path, text: read.text, reach });
}

import { randomBytes } from "node:crypto";
import { basename, dirname } from "node:path";
import type { FileProblem, Ports } from "../../block/ports.ts";
import { type Problem, problem } from "../../diagnostic/problem.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { trustFiles } from "../project-trust.ts";
import type { WorkflowFiles } from "../workflow-files.ts";

type MakePlatform = WorkflowFiles & Ports;

export interface NewFile {
  /** Below the project. */
  readonly path: string;
  readonly text: string;
  /** Whether it is one that has to be trusted before it is used. */
  readonly needsTrust?: true;
}

export interface MadeFiles {
  readonly made: readonly string[];
  /** What was there already, and is as it was. */
  readonly kept: readonly string[];
  /** Whether what was made and has to be trusted is. */
  readonly trusted: boolean;
  /** Why not all of it could be made or trusted. */
  readonly problem?: Problem;
}

/** Makes the files that are not there yet, and trusts those of them that need it: whoever asked for them has just made them. */
export async function makeFiles(
  project: string,
  files: readonly NewFile[],
  platform: MakePlatform,
): Promise<MadeFiles> {
  const made: NewFile[] = [];
  const kept: string[] = [];
  let failed: Problem | undefined;
  for (const file of files) {
    const found = await platform.files.look({ root: project, path: file.path });
    if (isProblem(found)) failed = unwritable(found);
    else if (found.kind !== "missing") {
      kept.push(file.path);
      continue;
    } else failed = await writeFile(project, file.path, file.text, platform);
    if (failed !== undefined) break;
    made.push(file);
  }
  const trusted = trustMade(project, made, platform);
  const untrusted = trusted.ok ? undefined : problem("state-not-written", trusted.error);
  return {
    made: made.map(({ path }) => path),
    kept,
    trusted: trusted.ok && trusted.value,
    ...((failed ?? untrusted) === undefined ? {} : { problem: (failed ?? untrusted) as Problem }),
  };
}

/** The very texts that were written, not what is found in the files afterwards. */
function trustMade(project: string, made: readonly NewFile[], platform: MakePlatform): Result<boolean, string> {
  const texts = made.flatMap(({ path, text, needsTrust }) => (needsTrust ? [[path, text] as const] : []));
  return texts.length === 0 ? ok(true) : trustFiles(project, new Map(texts), platform);
}

/** Makes or replaces a file as a whole, with the directories it lies in. */
export async function writeFile(
  root: string,
  path: string,
  text: string,
  { files }: Ports,
  mode: number = files.newFileMode,
): Promise<Problem | undefined> {
  for (const directory of parentsOf(path)) {
    const found = await files.look({ root, path: directory });
    if (isProblem(found)) return unwritable(found);
    if (found.kind === "directory") continue;
    if (found.kind !== "missing")
      return problem("not-a-directory", `${directory} is there already, and is no directory.`, "Move it away.");
    const failed = await files.makeDirectory({ root, path: directory }, files.newDirectoryMode);
    // Another process may have been faster.
    if (failed !== undefined && failed.kind !== "exists") return unwritable(failed);
  }
  const temporary = `.${basename(path)}.${randomBytes(9).toString("hex")}`;
  const failed = await files.replace({ root, path }, Buffer.from(text), mode, temporary);
  return failed === undefined ? undefined : unwritable(failed);
}

/** From the outermost one. */
function parentsOf(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === "." ? [] : [...parentsOf(parent), parent];
}

/** The directory of a project; makes it where there is none but that it would lie in, as `git init` does. */
export async function makeProject(
  path: string,
  parent: string,
  platform: MakePlatform,
): Promise<Result<string, Problem>> {
  const { files } = platform;
  const failed = await files.makeDirectory({ root: parent, path: basename(path) }, files.newDirectoryMode);
  if (failed !== undefined) return err(unwritable(failed));
  const real = platform.realDirectory(path);
  return real.ok ? real : err(problem("bad-directory", real.error));
}

function isProblem(found: object): found is FileProblem {
  return "message" in found;
}

function unwritable({ message }: FileProblem): Problem {
  return problem("not-written", `${message.charAt(0).toUpperCase()}${message.slice(1)}.`);
}

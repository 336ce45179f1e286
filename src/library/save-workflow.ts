import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import type { Ports } from "../block/ports.ts";
import { loadWorkflow } from "../definition/load-workflow.ts";
import { type Diagnostic, hasErrors } from "../diagnostic/diagnostic.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { Plan } from "../plan/plan.ts";
import { err, ok, type Result } from "../util/result.ts";
import { inSlices } from "../util/time-slice.ts";
import { howItStands } from "./describe-trust.ts";
import { type LibraryEntry, peekName } from "./library.ts";
import { projectDirectory } from "./project-directory.ts";
import { trustFiles } from "./project-trust.ts";
import { allDiagnostics } from "./validate-workflow.ts";
import type { WorkflowFiles } from "./workflow-files.ts";
import type { Workflows } from "./workflows.ts";

/**
 * Saving has two steps, so that a person can be shown between them what will be trusted. That is the text that was given, never what
 * is found in the file afterwards. It takes the name of no other workflow, and the place of nothing that nobody has looked at.
 */

type SavePlatform = WorkflowFiles & Ports;

export interface SaveRequest {
  readonly text: string;
  /** Where the text comes from: that is where its problems are, and not yet in the file that it is to become. */
  readonly origin?: string;
  /** Real path of the project. */
  readonly workspace: string;
  /** Whether a trusted file of this name may be replaced. */
  readonly overwrite: boolean;
}

/** A workflow that can be saved. */
export interface PreparedSave {
  readonly workspace: string;
  readonly text: string;
  readonly plan: Plan;
  readonly file: string;
  /** What is in the file now. */
  readonly before: string | undefined;
  /** Whether it needs no word of anybody: it is on record so, or the directory is the user's own library. */
  readonly isTrusted: boolean;
  readonly warnings: readonly Diagnostic[];
}

export interface SavedWorkflow {
  readonly trusted: boolean;
  /** False when the file had this text already. */
  readonly isWritten: boolean;
}

/** Checks everything that can be known before something is written. */
export async function prepareSave(
  { text: given, origin, workspace, overwrite }: SaveRequest,
  workflows: Workflows,
  platform: SavePlatform,
): Promise<Result<PreparedSave, readonly Diagnostic[]>> {
  // As it will be read: half a character has no bytes.
  const text = Buffer.from(given).toString();
  const directory = join(workspace, projectDirectory);
  const reach = { base: directory, root: directory };
  const name = loadWorkflow({ name: directory, text, reach }, workflows.catalog).definition?.name ?? "workflow";
  const file = join(directory, `${name}.yaml`);
  const checked = await inSlices(workflows.checkInSlices({ name: file, text, reach }));
  const diagnostics = (await allDiagnostics(checked, platform)).map((found) => placeIn(origin ?? file, file, found));
  const { plan } = checked;
  if (plan === undefined || hasErrors(diagnostics)) return err(diagnostics);
  const taken = refuseHiddenName(name, text) ?? refuseTakenName(name, file, workflows);
  if (taken !== undefined) return err([taken]);
  const read = await readFile(workspace, name, platform);
  if (!read.ok) return err([read.error]);
  const { text: before } = read.value;
  if (before !== undefined && before !== text) {
    const inTheWay = refuseToReplace(name, file, before, overwrite, workflows);
    if (inTheWay !== undefined) return err([inTheWay]);
  }
  const isTrusted = workflows.standingOf(file, text) === "trusted";
  const warnings = diagnostics.filter(({ level }) => level === "warning");
  return ok({ workspace, text, plan, file, before, isTrusted, warnings });
}

function placeIn(origin: string, file: string, diagnostic: Diagnostic): Diagnostic {
  const { range } = diagnostic;
  if (range === undefined || range.source.name !== file) return diagnostic;
  return { ...diagnostic, range: { ...range, source: { ...range.source, name: origin } } };
}

/** Writes it, and trusts what was written if that is wanted; one at a time, whichever processes save. */
export async function save(
  prepared: PreparedSave,
  trusts: boolean,
  platform: SavePlatform,
): Promise<Result<SavedWorkflow, Problem>> {
  const saved = await platform.trust.alone(() => saveAlone(prepared, trusts, platform));
  return saved.ok ? saved.value : err(problem("state-not-written", saved.error));
}

async function saveAlone(
  { workspace, text, plan, file, before, isTrusted }: PreparedSave,
  trusts: boolean,
  platform: SavePlatform,
): Promise<Result<SavedWorkflow, Problem>> {
  const { name } = plan.definition;
  const now = await readFile(workspace, name, platform);
  if (!now.ok) return now;
  if (now.value.text !== before) {
    return err(
      problem(
        "file-changed",
        `${file} was changed by another program. Nothing was saved.`,
        "Look at it and save again.",
      ),
    );
  }
  const isWritten = before !== text;
  const failed = isWritten ? await writeFile(workspace, name, text, platform) : undefined;
  if (failed !== undefined) return err(failed);
  if (isTrusted || !trusts) return ok({ trusted: isTrusted, isWritten });
  // What is not in the file any more needs no trust.
  const isStillThere = (): boolean => {
    const found = platform.readWorkflowText(file);
    return "text" in found && found.text === text;
  };
  const trusted = trustFiles(workspace, new Map([[pathOf(name), text]]), platform, isStillThere);
  if (trusted.ok && !trusted.value && !isStillThere()) {
    return err(
      problem(
        "file-changed",
        `${file} was saved, and another program changed it right after.`,
        "Look at it, then save again.",
      ),
    );
  }
  if (trusted.ok) return ok({ trusted: trusted.value, isWritten });
  return err(problem("state-not-written", `${file} was saved, but not trusted: ${trusted.error}`));
}

function pathOf(name: string): string {
  return join(projectDirectory, `${name}.yaml`);
}

async function readFile(
  root: string,
  name: string,
  { files }: SavePlatform,
): Promise<Result<{ readonly text: string | undefined }, Problem>> {
  const found = await files.read({ root, path: pathOf(name) }, mostBytes);
  if ("bytes" in found) return ok({ text: Buffer.from(found.bytes).toString() });
  return found.kind === "missing" ? ok({ text: undefined }) : err(unwritable(found.message));
}

/** More than a workflow file may have, so that none is taken for something else. */
const mostBytes = 4_000_000;

async function writeFile(
  root: string,
  name: string,
  text: string,
  { files }: SavePlatform,
): Promise<Problem | undefined> {
  for (const path of [dirname(projectDirectory), projectDirectory]) {
    const found = await files.look({ root, path });
    if (found.kind !== "missing") continue;
    const failed = await files.makeDirectory({ root, path }, files.newDirectoryMode);
    // Another process may have been faster.
    if (failed !== undefined && failed.kind !== "exists") return unwritable(failed.message);
  }
  const temporary = `.${name}.${randomBytes(9).toString("hex")}`;
  const failed = await files.replace({ root, path: pathOf(name) }, Buffer.from(text), files.newFileMode, temporary);
  return failed === undefined ? undefined : unwritable(failed.message);
}

function unwritable(message: string): Problem {
  return problem("not-saved", `The workflow can't be saved: ${message}.`);
}

/** The library takes the first line that looks like a name for it, without parsing the rest. */
function refuseHiddenName(name: string, text: string): Problem | undefined {
  const peeked = peekName(text) ?? name;
  if (peeked === name) return undefined;
  const message = `The library would call this workflow '${peeked}', because of a line that looks like its name.`;
  return problem("bad-name", message, `Write \`name: ${name}\` on a line of its own, and no other line like that.`);
}

/** What is saved without a person's look overrides nothing. */
function refuseTakenName(name: string, file: string, { library }: Workflows): Problem | undefined {
  const others = library
    .entries()
    .filter((entry) => entry.name === name)
    .flatMap((entry): readonly Pick<LibraryEntry, "file" | "source">[] => [entry, ...entry.overrides]);
  const other = others.find((entry) => entry.file !== file);
  if (other === undefined) return undefined;
  const what = other.source === "built-in" ? "a built-in workflow" : `the workflow in ${other.file}`;
  return {
    ...problem("name-taken", `'${name}' is the name of ${what}.`, "Give it another name."),
    why: "A saved workflow never replaces one of another place.",
  };
}

function refuseToReplace(
  name: string,
  file: string,
  before: string,
  overwrite: boolean,
  workflows: Workflows,
): Problem | undefined {
  const other = workflows.entryOf(file)?.name ?? name;
  if (other !== name) {
    return problem("file-exists", `${file} already exists, with the workflow '${other}'.`, "Give it another name.");
  }
  const standing = workflows.standingOf(file, before);
  if (standing === "trusted") {
    if (overwrite) return undefined;
    const message = `${file} already exists, with another text.`;
    return { ...problem("file-exists", message, "Give it another name."), advice: { kind: "replace-file" } };
  }
  return {
    ...problem("file-exists", `${file} already exists, and it ${howItStands[standing]}.`, "Give it another name."),
    why: "No person has trusted what is in it, so it is not replaced.",
    advice: workflows.explainUntrusted("", file, standing).advice,
  } as Problem;
}

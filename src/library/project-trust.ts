import { createHash } from "node:crypto";
import { join, sep } from "node:path";
import { guardedDirectory } from "../util/guarded-directory.ts";
import { once } from "../util/once.ts";
import { pathBelow } from "../util/path-below.ts";
import { ok, type Result } from "../util/result.ts";
import { mostFiles, type Standing } from "./library.ts";
import { ownDirectory, projectDirectory } from "./project-directory.ts";
import type { WorkflowFiles } from "./workflow-files.ts";

/**
 * Whether a person has looked at a project's own files. Trust is bound to their content: what is judged is the very text that is
 * used afterwards, so that nothing can come between looking and using.
 */

export type JudgeFile = (file: string, text: string) => Standing;

/** Judges files of one project by what is on record now. */
export function judgeProject(project: string, platform: WorkflowFiles): JudgeFile {
  const record = once(() => platform.trust.find(project));
  const hasOtherOwner = once(() => ownersOf(project, platform).some(({ user }) => !record()?.owners.includes(user)));
  return (file, text) => {
    const trusted = record();
    if (trusted === undefined) return "untrusted";
    if (hasOtherOwner()) return "other-owner";
    const path = pathBelow(project, file) ?? file;
    const known = Object.hasOwn(trusted.files, path) ? trusted.files[path] : undefined;
    if (known === undefined) return "new";
    return known === hash(text) ? "trusted" : "changed";
  };
}

/** The project to whose own files a file belongs, if it lies in a `.frond` directory; the innermost one. Takes an absolute path. */
export function projectOf(file: string): string | undefined {
  const parts = file.split(sep);
  const at = parts.slice(0, -1).findLastIndex((part) => guardedDirectory(part) === ownDirectory);
  return at === -1 ? undefined : parts.slice(0, at).join(sep) || sep;
}

/** A project's own files as they are now, beside what is on record of them. */
export interface ProjectSurvey {
  readonly project: string;
  /** Texts by path below the project, sorted. */
  readonly files: ReadonlyMap<string, string>;
  readonly changes: ProjectChanges;
  /** Whether anything of it has been trusted before. */
  readonly isKnown: boolean;
  /** Users to whom its directories belong. */
  readonly owners: readonly number[];
  /** Directories of it that belong to another user than the one we act as. */
  readonly foreign: readonly string[];
  /** Whether they belong to others than when it was trusted. */
  readonly hasOtherOwner: boolean;
}

/** Paths below the project. */
export interface ProjectChanges {
  readonly new: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export function surveyProject(project: string, platform: WorkflowFiles): ProjectSurvey {
  const listed = platform.listWorkflowFiles(join(project, ownDirectory), {
    followLink: false,
    limit: mostFiles,
    withTests: true,
  });
  const files = new Map<string, string>();
  for (const file of listed ?? []) {
    const read = platform.readWorkflowText(file);
    if ("text" in read) files.set(pathBelow(project, file) ?? file, read.text);
  }
  const record = platform.trust.find(project);
  const owners = ownersOf(project, platform);
  return {
    project,
    files,
    changes: compareFiles(files, record?.files ?? {}),
    isKnown: record !== undefined,
    owners: [...new Set(owners.map(({ user }) => user))],
    foreign: owners.flatMap(({ directory, isOurs }) => (isOurs ? [] : [directory])),
    hasOtherOwner: record !== undefined && owners.some(({ user }) => !record.owners.includes(user)),
  };
}

/** Trusts a project as it was when it was read for the survey: what was shown to a person, not what has come meanwhile. */
export function trustProject({ project, files, owners }: ProjectSurvey, platform: WorkflowFiles): Result<void, string> {
  const hashes = [...files].map(([path, text]) => [path, hash(text)] as const);
  const texts = new Map([...files.values()].map((text) => [hash(text), text]));
  return platform.trust.save(project, { owners, files: Object.fromEntries(hashes) }, texts);
}

/**
 * Trusts single files of a project, each with the very text that is given, by its path below the project. All others stand as they
 * did. False when the directories belong to others than when the project was trusted, or `isWanted` says so when nobody else can
 * change what is on record.
 */
export function trustFiles(
  project: string,
  files: ReadonlyMap<string, string>,
  platform: WorkflowFiles,
  isWanted: () => boolean = () => true,
): Result<boolean, string> {
  const hashes = [...files].map(([path, text]) => [path, hash(text)] as const);
  const texts = new Map([...files.values()].map((text) => [hash(text), text]));
  let isTrusted = false;
  const saved = platform.trust.update(
    project,
    (known) => {
      const owners = ownersOf(project, platform);
      // Another owner on record would bring back trust in every other file.
      isTrusted = owners.every(({ user, isOurs }) => known?.owners.includes(user) ?? isOurs) && isWanted();
      if (!isTrusted) return undefined;
      return {
        owners: known?.owners ?? [...new Set(owners.map(({ user }) => user))],
        files: { ...known?.files, ...Object.fromEntries(hashes) },
      };
    },
    texts,
  );
  return saved.ok ? ok(isTrusted) : saved;
}

const digestLength = 24;

/** Stands for all that a survey shows: the same only if files and owners are the same. */
export function digestOf({ files, owners }: ProjectSurvey): string {
  return hash(JSON.stringify([owners, ...files])).slice(0, digestLength);
}

/** The text of a file when it was trusted, for a comparison. */
export function trustedText(project: string, path: string, platform: WorkflowFiles): string | undefined {
  const known = platform.trust.find(project)?.files[path];
  return known === undefined ? undefined : platform.trust.textOf(known);
}

const mostNamed = 10;

/** The changes in one line. Nothing when there are none. */
export function nameChanges({ changed, new: added, removed }: ProjectChanges): string | undefined {
  const kinds = [
    ["changed", changed],
    ["new", added],
    ["removed", removed],
  ] as const;
  const parts = kinds.flatMap(([kind, paths]) => {
    if (paths.length === 0) return [];
    const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : "";
    return [`${kind} ${paths.slice(0, mostNamed).join(", ")}${more}`];
  });
  return parts.length === 0 ? undefined : parts.join("; ");
}

function compareFiles(files: ReadonlyMap<string, string>, known: Readonly<Record<string, string>>): ProjectChanges {
  const paths = [...files.keys()];
  const isKnown = (path: string): boolean => Object.hasOwn(known, path);
  return {
    new: paths.filter((path) => !isKnown(path)),
    changed: paths.filter((path) => isKnown(path) && known[path] !== hash(files.get(path) ?? "")),
    removed: Object.keys(known).filter((path) => !files.has(path)),
  };
}

function ownersOf(
  project: string,
  { ownerOf }: WorkflowFiles,
): readonly { readonly directory: string; readonly user: number; readonly isOurs: boolean }[] {
  return [project, join(project, ownDirectory), join(project, projectDirectory)].flatMap((directory) => {
    const owner = ownerOf(directory);
    return owner === undefined ? [] : [{ directory, ...owner }];
  });
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

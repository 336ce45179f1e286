import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { nameOf } from "../file-paths.ts";
import { askGit, type GitPlace, type GitProgram } from "./git-program.ts";
import { isPresent, readSmallFile, readWholeFile, stampOf } from "./look-at-file.ts";

/** A repository whose files are observed, as it was when a command began. */
export interface ObservedRepository {
  /** Where its files are, below the workspace. */
  readonly directory: string;
  /** Absolute: what belongs to this worktree, HEAD for one, and what all worktrees share. */
  readonly gitDirectory: string;
  readonly sharedDirectory: string;
  /** Tells its index from another one; nothing where that can't be told for certain. */
  readonly indexStamp: string | undefined;
  /** Digest of what it says beside `.gitignore` files about what is ignored. */
  readonly excludes: string;
  readonly refs: Readonly<Record<string, string>>;
}

/** The repository that a directory of the workspace lies in. For one other than the workspace itself only if it begins there. */
export async function findRepository(
  program: GitProgram,
  workspace: string,
  directory: string,
): Promise<Omit<ObservedRepository, "refs"> | undefined> {
  const cwd = directory === "" ? workspace : `${workspace}/${directory}`;
  const words = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir"];
  const answer = await askGit(program, { cwd }, ["rev-parse", ...words]);
  const lines = answer === undefined ? [] : nameOf(answer).split("\n");
  const [top, gitDirectory, shared] = lines;
  if (lines.length !== words.length + 1 || !top || !gitDirectory || !shared) return undefined;
  if (top !== cwd && (directory !== "" || (await isIgnoredThere(program, top, cwd)))) return undefined;
  const sharedDirectory = resolve(cwd, shared);
  return {
    directory,
    gitDirectory,
    sharedDirectory,
    excludes: digestExcludes(sharedDirectory),
    indexStamp: stampOf(join(gitDirectory, "index")),
  };
}

/** Its own list, and the setting that names another one. */
export function digestExcludes(sharedDirectory: string): string {
  const hash = createHash("sha256").update(readWholeFile(join(sharedDirectory, "info/exclude")) ?? "");
  const settings = Buffer.from(readWholeFile(join(sharedDirectory, "config")) ?? "").toString("latin1");
  for (const line of settings.split("\n")) if (/excludesfile/i.test(line)) hash.update(`\0${line}`);
  return hash.digest("hex");
}

/** A workspace that the repository around it ignores has nothing to do with it: a repository of dotfiles, for example. */
async function isIgnoredThere(program: GitProgram, top: string, cwd: string): Promise<boolean> {
  const below = `./${cwd.slice(top.length + 1)}`;
  return (await askGit(program, { cwd: top }, ["check-ignore", "--quiet", "--", below])) !== undefined;
}

/** Where every ref leads: an object id, or `ref: ` and the name of another; HEAD among them. Nothing when the repository is gone. */
export async function readRefs(
  program: GitProgram,
  { gitDirectory }: Pick<ObservedRepository, "gitDirectory">,
): Promise<Record<string, string> | undefined> {
  if (!isPresent(join(gitDirectory, "HEAD"))) return undefined;
  const place = { cwd: gitDirectory, gitDirectory };
  const format = "--format=%(objectname)%00%(symref)%00%(refname)";
  const [answer, head] = await Promise.all([
    askGit(program, place, ["for-each-ref", format]),
    readHead(program, place),
  ]);
  if (answer === undefined || head === undefined) return undefined;
  const refs: Record<string, string> = Object.create(null) as Record<string, string>;
  refs.HEAD = head;
  for (const line of nameOf(answer).split("\n")) {
    const [id, target, name] = line.split("\0");
    if (id && name) refs[name] = target ? `ref: ${target}` : id;
  }
  return refs;
}

/** Its file says it, unless the refs are kept in a way that leaves only a stub there. */
async function readHead(program: GitProgram, place: GitPlace & { gitDirectory: string }): Promise<string | undefined> {
  const text = readSmallFile(join(place.gitDirectory, "HEAD"))?.trimEnd();
  if (text !== undefined && /^(ref: refs\/(?!heads\/\.invalid$).+|[0-9a-f]{40,64})$/.test(text)) return text;
  const symbolic = await askGit(program, place, ["symbolic-ref", "--quiet", "HEAD"]);
  if (symbolic !== undefined) return `ref: ${nameOf(symbolic).trimEnd()}`;
  return (await askGit(program, place, ["rev-parse", "--verify", "--quiet", "HEAD"]))?.toString().trimEnd();
}

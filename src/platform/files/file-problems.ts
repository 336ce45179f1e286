import type { StatsBase } from "node:fs";
import { constants } from "node:os";
import { getSystemErrorMap } from "node:util";
import type { FileProblem } from "../../block/ports.ts";

/** Carries a problem out of the depths of an operation, to where it is answered as a value. */
export class Refusal extends Error {
  readonly problem: FileProblem;

  constructor(kind: FileProblem["kind"], message: string) {
    super(message);
    this.problem = { kind, message };
  }
}

/** What an operation was about to do, for its messages: `'path' can't be done: ...`. */
export interface Attempt {
  readonly path: string;
  /** As in "read", "renamed to 'b'". */
  readonly done: string;
}

export function refuseMissing({ path, done }: Attempt): Refusal {
  return new Refusal("missing", `'${path}' can't be ${done}: it does not exist`);
}

function refuseLink(name: string, path: string): Refusal {
  return new Refusal("forbidden", `'${name}' in '${path}' is a symbolic link, and links are not followed`);
}

type Lying = Pick<StatsBase<unknown>, "isSymbolicLink" | "isDirectory" | "isFile">;

export function refuseUnlessFile(found: Lying, name: string, path: string): void {
  if (found.isSymbolicLink()) throw refuseLink(name, path);
  if (found.isDirectory()) throw new Refusal("forbidden", `'${path}' is a directory, not a file`);
  if (!found.isFile()) throw new Refusal("forbidden", `'${path}' is not a regular file`);
}

/** A way that ends before the path is reached: with something that is no directory, or with nothing at all. */
export function refuseWay(way: readonly string[], found: Lying | undefined, { path, done }: Attempt): Refusal {
  if (found?.isSymbolicLink()) return refuseLink(way.at(-1) as string, path);
  // It is relative or absolute as the path is.
  const end = `'${path.startsWith("/") ? "/" : ""}${way.join("/")}'`;
  const reason = found === undefined ? `there is no directory ${end}` : `${end} is not a directory`;
  return new Refusal("missing", `'${path}' can't be ${done}: ${reason}`);
}

/** Never `missing`: that a root is gone, or not mounted, says nothing about what lies below it. */
export function refuseRoot(root: string, error: unknown): Refusal {
  if (hasCode(error, "ENOENT", "ENOTDIR")) return new Refusal("unusable", `the directory '${root}' does not exist`);
  const { kind, message } = explainFailure(error, { path: root, done: "opened" });
  return new Refusal(kind, message);
}

export function refuseLinkedRoot(root: string): Refusal {
  return new Refusal("forbidden", `the way to '${root}' leads through a symbolic link, and links are not followed`);
}

/** What the system refused, in words for the user. Anything else that was thrown is a bug, and thrown on. */
export function explainFailure(error: unknown, { path, done }: Attempt): FileProblem {
  if (error instanceof Refusal) return error.problem;
  if (!isSystemError(error)) throw error;
  const [kind, reason] = reasons.get(-error.errno) ?? ["unusable", systemText(error)];
  return { kind, message: `'${path}' can't be ${done}: ${reason}` };
}

/** The same in a few words, for a file whose links were followed. A path that no system takes is refused by Node itself. */
export function reasonFor(error: unknown): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : String(error);
  return (error.code === "ELOOP" ? undefined : reasons.get(-error.errno)?.[1]) ?? systemText(error);
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return isSystemError(error) && error.code !== undefined && codes.includes(error.code);
}

type SystemError = NodeJS.ErrnoException & { readonly errno: number };

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "errno" in error && typeof error.errno === "number";
}

/** The message of the error itself would name descriptors instead of the user's path. */
function systemText({ errno, code }: SystemError): string {
  return getSystemErrorMap().get(errno)?.[1] ?? String(code ?? errno);
}

const { errno } = constants;

/** By number, because Node has no name for some of them. */
const reasons: ReadonlyMap<number, readonly [FileProblem["kind"], string]> = new Map([
  [errno.ENOENT, ["missing", "it does not exist"]],
  [errno.EEXIST, ["exists", "it exists already"]],
  [errno.EACCES, ["denied", "permission denied"]],
  [errno.EPERM, ["denied", "permission denied"]],
  [errno.ELOOP, ["forbidden", "it is a symbolic link, and links are not followed"]],
  [errno.ENXIO, ["forbidden", "it is not a regular file"]],
  [errno.EISDIR, ["unusable", "it is a directory"]],
  [errno.ENOTDIR, ["unusable", "it is not a directory"]],
  [errno.ENOTEMPTY, ["unusable", "the directory is not empty"]],
  [errno.ENAMETOOLONG, ["unusable", "a name in it is longer than the file system allows"]],
  [errno.EILSEQ, ["unusable", "the file system does not allow such a name"]],
  [errno.ENOSPC, ["unusable", "no space is left on the disk"]],
  [errno.EDQUOT, ["unusable", "the disk quota is used up"]],
  [errno.EFBIG, ["unusable", "it would be larger than a file may be"]],
  [errno.EROFS, ["unusable", "the file system is read-only"]],
  [errno.EMFILE, ["unusable", "too many files are open"]],
  [errno.ENFILE, ["unusable", "too many files are open"]],
  [errno.EXDEV, ["unusable", "the two places lie on different file systems; copy it and then delete it"]],
  [errno.EBUSY, ["unusable", "it is in use"]],
  [errno.EIO, ["unusable", "the disk reports an error"]],
] as const);

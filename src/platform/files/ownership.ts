import { lstatSync, type Stats } from "node:fs";

/** Whether a file belongs to the user we act as; everything does where files have no owner. */
export function isOurs({ uid }: Pick<Stats, "uid">): boolean {
  return process.geteuid === undefined || uid === process.geteuid();
}

interface Owner {
  readonly user: number;
  readonly isOurs: boolean;
}

/** To whom a path itself belongs; nothing when there is none, or files have no owner. */
export function ownerOf(path: string): Owner | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined || process.geteuid === undefined ? undefined : { user: found.uid, isOurs: isOurs(found) };
}

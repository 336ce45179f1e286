/** Characters that the file system of older Macs takes for nothing. */
const invisible = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Directories whose files git and Frond execute later, so no block may change them. */
export type GuardedDirectory = ".git" | ".frond";

/**
 * Whether a name is `.git` or `.frond` to some file system: most take upper and lower case for the same, those of Windows (which
 * Linux may have mounted) have a short form of it, and leave out blanks and dots at the end of a name and what follows a colon.
 */
export function guardedDirectory(name: string): GuardedDirectory | undefined {
  const plain = name.replaceAll(invisible, "").toLowerCase();
  const [, dotted, short] = /^(?:\.(git|frond)|(git|frond)~1)[ .]*(?::.*)?$/s.exec(plain) ?? [];
  const found = dotted ?? short;
  return found === undefined ? undefined : (`.${found}` as GuardedDirectory);
}

/** Characters that the file system of older Macs takes for nothing. */
const invisible = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Whether a name is `.git` to some file system: most take upper and lower case for the same, those of Windows (which Linux may have
 * mounted) have a short form of it, and leave out blanks and dots at the end of a name and what follows a colon.
 */
export function isGitDirectory(name: string): boolean {
  const plain = name.replaceAll(invisible, "").toLowerCase();
  return /^(\.git|git~1)[ .]*(:.*)?$/s.test(plain);
}

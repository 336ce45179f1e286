/** Programs that print something else than their arguments. */
export const fetching: ReadonlySet<string> = new Set(["curl", "wget", "git", "gh", "aws", "docker", "kubectl", "ssh"]);

/** Programs that print names of files. */
export const listing: ReadonlySet<string> = new Set([
  ...["ls", "find", "fd", "tar", "stat", "du", "rg", "grep", "realpath", "readlink", "compgen"],
  ...["git ls-files", "git ls-tree", "git diff", "git status"],
]);

/** How programs of awk, Python, JavaScript, Perl, Ruby and jq read variables. */
export const readsEnvironment: RegExp =
  /\bENVIRON\b|\bos\.(?:environ|getenv)|\bprocess\.env\b|\$ENV\b|\bENV\[|\benv\.\w/;

/** Programs that make a file of the name they are given. */
export const making: ReadonlySet<string> = new Set([
  ...["touch", "mkdir", "cp", "mv", "ln", "install", "tee", "mktemp"],
  ...["git clone", "git init", "git worktree", "git mv"],
]);

/** Programs that write the files they are given, also behind a launcher. */
export const fileWriters: ReadonlySet<string> = new Set(["tee", "sponge", "dd", "cp", "mv", "ln", "install"]);

/** Programs that take `NAME=value` before the command they start. */
export const assigningLaunchers: ReadonlySet<string> = new Set(["env", "sudo", "doas"]);

/** `w name` in a program of sed. */
export const sedWrites: RegExp = /(?:^|[;{\d$/gpi])\s*w\s+(\S+)\s*$/gm;

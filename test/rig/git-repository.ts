import { execFileSync } from "node:child_process";

/** Nothing of the user's own settings reaches the repositories of tests. */
const environment = {
  PATH: process.env.PATH ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.org",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.org",
};

/** What git says, without the line break at its end. */
export function git(directory: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: directory, env: environment, encoding: "utf8", stdio: "pipe" }).trimEnd();
}

/** Makes a repository of a directory: a branch main with one commit of all that is in it. */
export function createRepository(directory: string): void {
  git(directory, "init", "--quiet", "--initial-branch=main");
  git(directory, "add", "--all");
  git(directory, "commit", "--quiet", "--allow-empty", "--message=First");
}

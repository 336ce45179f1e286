import type { GitProgram } from "./git-program.ts";
import { type ObservedRepository, readRefs } from "./repository-facts.ts";

export interface MovedRef {
  /** Absolute: the git directory that holds it. */
  readonly repository: string;
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Refs that lead elsewhere than they did, each once although several worktrees may have it. */
export async function movedRefs(
  program: GitProgram,
  repositories: readonly ObservedRepository[],
): Promise<readonly MovedRef[]> {
  const moved = new Map<string, MovedRef>();
  for (const repository of repositories) {
    const now = await readRefs(program, repository);
    if (now === undefined) continue;
    for (const name of new Set([...Object.keys(repository.refs), ...Object.keys(now)])) {
      const [before, after] = [repository.refs[name] ?? null, now[name] ?? null];
      if (before === after) continue;
      const holder = isOfWorktree(name) ? repository.gitDirectory : repository.sharedDirectory;
      moved.set(`${holder}\0${name}`, { repository: holder, name, before, after });
    }
  }
  return [...moved].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, ref]) => ref);
}

/** Every worktree has its own of these. */
function isOfWorktree(name: string): boolean {
  return /^(HEAD|refs\/(bisect|worktree|rewritten)\/.*)$/.test(name);
}

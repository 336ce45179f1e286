import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { createRepository, git } from "../rig/git-repository.ts";
import { runBlock } from "../rig/run-block.ts";
import { runShell } from "../rig/shell-block.ts";

/** A workspace with a repository of its own and another in `repo`; whatever that one lets git run leaves the file `ran`. */
function openForeign(settings: Readonly<Record<string, string>> = {}): { engine: TestEngine; hasRun(): boolean } {
  const engine = createTestEngine({ environment: { HOME: "/nonexistent" } });
  const { workspace } = engine;
  createRepository(workspace);
  const repo = join(workspace, "repo");
  mkdirSync(repo);
  writeFileSync(join(repo, "a"), "text");
  writeFileSync(join(repo, ".gitattributes"), "a filter=own diff=own\n");
  createRepository(repo);
  writeFileSync(join(workspace, "program"), `#!/bin/sh\ntouch "${workspace}/ran"\ncat\n`, { mode: 0o755 });
  for (const [name, value] of Object.entries(settings)) {
    git(repo, "config", name, value.replace("PROGRAM", join(workspace, "program")));
  }
  return { engine, hasRun: () => existsSync(join(workspace, "ran")) };
}

const programs: Readonly<Record<string, string>> = {
  "core.fsmonitor": "PROGRAM",
  "filter.own.clean": "PROGRAM",
  "filter.own.smudge": "PROGRAM",
  "filter.own.required": "true",
  "diff.own.textconv": "PROGRAM",
  "diff.own.command": "PROGRAM",
  "diff.external": "PROGRAM",
  "core.sshCommand": "PROGRAM",
  "core.pager": "PROGRAM",
  "alias.other": "!PROGRAM",
};

/** A git that takes the content for changed although it may not be. */
const commands =
  "touch a; git status --porcelain; git diff; git checkout -q -f HEAD; git -c user.name=x -c user.email=x@example.org commit -q --allow-empty -m x";

describe("in a directory that a value names", () => {
  const inRepo = { command: commands, working_dir: "${inputs.v}", strict: true };

  test("git runs nothing that the settings of another repository name", async () => {
    const { engine, hasRun } = openForeign(programs);
    writeFileSync(join(engine.workspace, "repo/a"), "changed");
    const { metadata } = await runShell(engine, inRepo, {}, { v: "repo" });
    expect(metadata).toMatchObject({ outcome: "success" });
    expect(hasRun()).toBe(false);
    // Which the same commands would have done.
    await runShell(engine, { ...inRepo, working_dir: "repo", strict: false });
    expect(hasRun()).toBe(true);
  });

  test("git runs no hooks of another repository", async () => {
    const { engine, hasRun } = openForeign();
    const hook = join(engine.workspace, "repo/.git/hooks/pre-commit");
    mkdirSync(join(hook, ".."), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch "${engine.workspace}/ran"\n`, { mode: 0o755 });
    await runShell(engine, inRepo, {}, { v: "repo" });
    expect(hasRun()).toBe(false);
  });

  test("the hooks of the workspace's own repository run", async () => {
    const engine = createTestEngine();
    createRepository(engine.workspace);
    mkdirSync(join(engine.workspace, "sub"));
    mkdirSync(join(engine.workspace, ".git/hooks"), { recursive: true });
    writeFileSync(join(engine.workspace, ".git/hooks/pre-commit"), "#!/bin/sh\ntouch ran\n", { mode: 0o755 });
    const command = "git -c user.name=x -c user.email=x@example.org commit -q --allow-empty -m x";
    await runShell(engine, { command, working_dir: "${inputs.v}" }, {}, { v: "sub" });
    expect(existsSync(join(engine.workspace, "ran"))).toBe(true);
  });

  test("what a block tells git by variables stays", async () => {
    const { engine } = openForeign();
    const env = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "user.name", GIT_CONFIG_VALUE_0: "Somebody" };
    const command = "git config user.name; git config core.hooksPath";
    const { outputs } = await runShell(engine, { ...inRepo, command, env }, {}, { v: "repo" });
    expect(outputs.stdout).toBe("Somebody\n/dev/null\n");
  });

  test("a repository that was committed as plain files is none", async () => {
    const { engine, hasRun } = openForeign();
    const bare = join(engine.workspace, "bare");
    for (const directory of ["objects", "refs"]) mkdirSync(join(bare, directory), { recursive: true });
    writeFileSync(join(bare, "HEAD"), "ref: refs/heads/main\n");
    const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${engine.workspace}/program\n`;
    writeFileSync(join(bare, "config"), config);
    const { metadata } = await runShell(engine, { ...inRepo, command: "git status" }, {}, { v: "bare" });
    expect(metadata).toMatchObject({ outcome: "failure" });
    const { metadata: made } = await runBlock(engine, "CreateWorktree", { path: "tree", branch: "new", repo: "bare" });
    expect(made.succeeded).toBe(false);
    expect(hasRun()).toBe(false);
  });
});

test("worktrees of another repository are made and removed without anything that it names", async () => {
  const { engine, hasRun } = openForeign(programs);
  const hook = join(engine.workspace, "repo/.git/hooks/post-checkout");
  mkdirSync(join(hook, ".."), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\ntouch "${engine.workspace}/ran"\n`, { mode: 0o755 });
  rmSync(join(engine.workspace, "ran"), { force: true });
  const made = await runBlock(engine, "CreateWorktree", { path: "tree", branch: "new", repo: "repo" });
  expect(made.outputs).toMatchObject({ created: true });
  expect(existsSync(join(engine.workspace, "tree/a"))).toBe(true);
  const removed = await runBlock(engine, "RemoveWorktree", { path: "tree", repo: "repo" });
  expect(removed.outputs).toMatchObject({ removed: true });
  expect(hasRun()).toBe(false);
});

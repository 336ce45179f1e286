import { type SpawnSyncOptions, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Execution } from "../../src/engine/execution.ts";
import { idempotencyKey } from "../../src/engine/ids.ts";
import { createTestEngine, explain, type TestEngine, type TestEngineOptions } from "../rig/engine.ts";
import { createRepository, git } from "../rig/git-repository.ts";
import { createMachine } from "../rig/machine.ts";
import { runBlock } from "../rig/run-block.ts";
import { waitFor } from "../rig/wait-for.ts";

/** An engine whose workspace is a repository with the file `a` on its branch main. */
function openRepository(options: TestEngineOptions = {}): TestEngine {
  const engine = createTestEngine({ ...options, environment: { HOME: "/nonexistent", ...options.environment } });
  writeFileSync(join(engine.workspace, "a"), "first");
  createRepository(engine.workspace);
  return engine;
}

function create(engine: TestEngine, inputs: object): Promise<Execution> {
  return runBlock(engine, "CreateWorktree", inputs);
}

function remove(engine: TestEngine, inputs: object): Promise<Execution> {
  return runBlock(engine, "RemoveWorktree", inputs);
}

function branchesOf(engine: TestEngine): string[] {
  return git(engine.workspace, "for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n");
}

const succeeded = { status: "completed", outcome: "success" };
const failed = { status: "completed", outcome: "failure" };
const crashed = { status: "failed", outcome: "n/a" };

describe("CreateWorktree", () => {
  test("checks out a new branch in a directory of its own, from what is checked out now", async () => {
    const engine = openRepository();
    const { metadata, outputs } = await create(engine, { path: ".worktrees/feature/x", branch: "feature/x" });
    expect(metadata).toMatchObject({ ...succeeded, message: null });
    const path = join(engine.workspace, ".worktrees/feature/x");
    expect(outputs).toMatchObject({ worktree_path: path, branch: "feature/x", created: true });
    expect(readFileSync(join(path, "a"), "utf8")).toBe("first");
    expect(git(path, "branch", "--show-current")).toBe("feature/x");
    expect(git(engine.workspace, "branch", "--show-current")).toBe("main");
  });

  test("a new branch begins at its base, and follows no remote", async () => {
    const engine = openRepository();
    const elsewhere = createMachine().workspace;
    git(elsewhere, "clone", "--quiet", engine.workspace, "clone");
    const clone = createTestEngine({
      machine: Object.assign(createMachine(), { workspace: join(elsewhere, "clone") }),
    });
    writeFileSync(join(clone.workspace, "a"), "second");
    git(clone.workspace, "commit", "--quiet", "--all", "--message=Second");
    const { metadata } = await create(clone, { path: "tree", branch: "new", base_branch: "origin/main" });
    expect(metadata).toMatchObject({ ...succeeded, message: null });
    expect(readFileSync(join(clone.workspace, "tree/a"), "utf8")).toBe("first");
    expect(git(clone.workspace, "config", "--default", "none", "branch.new.remote")).toBe("none");
  });

  test("a branch that exists is checked out as it is, whatever the base", async () => {
    const engine = openRepository();
    git(engine.workspace, "branch", "old");
    writeFileSync(join(engine.workspace, "a"), "second");
    git(engine.workspace, "commit", "--quiet", "--all", "--message=Second");
    const { metadata } = await create(engine, { path: "tree", branch: "old", base_branch: "main" });
    expect(metadata).toMatchObject(succeeded);
    expect(readFileSync(join(engine.workspace, "tree/a"), "utf8")).toBe("first");
  });

  test("one that is there already is a success, and stays as it is", async () => {
    const engine = openRepository();
    await create(engine, { path: "tree", branch: "new" });
    writeFileSync(join(engine.workspace, "tree/a"), "changed");
    const { metadata, outputs } = await create(engine, { path: "./tree/", branch: "new" });
    expect(metadata).toMatchObject(succeeded);
    expect(outputs).toMatchObject({ worktree_path: join(engine.workspace, "tree"), branch: "new", created: false });
    expect(readFileSync(join(engine.workspace, "tree/a"), "utf8")).toBe("changed");
  });

  test("one whose directory was removed behind git's back is made again", async () => {
    const engine = openRepository();
    await create(engine, { path: "tree", branch: "new" });
    rmSync(join(engine.workspace, "tree"), { recursive: true });
    const { outputs } = await create(engine, { path: "tree", branch: "new" });
    expect(outputs).toMatchObject({ created: true });
    expect(existsSync(join(engine.workspace, "tree/a"))).toBe(true);
  });

  test.each<[string, object, (engine: TestEngine) => void, string]>([
    [
      "a worktree of another branch",
      { path: "tree", branch: "other" },
      ({ workspace }) => git(workspace, "worktree", "add", "-b", "new", "tree"),
      "'tree' is a worktree already, of the branch 'new'",
    ],
    [
      "a worktree without a branch",
      { path: "tree", branch: "other" },
      ({ workspace }) => git(workspace, "worktree", "add", "--detach", "tree"),
      "'tree' is a worktree already, without a branch",
    ],
    [
      "a directory with something in it",
      { path: "tree", branch: "other" },
      ({ workspace }) => {
        mkdirSync(join(workspace, "tree"));
        writeFileSync(join(workspace, "tree/file"), "");
      },
      "'tree' exists already, and is not a worktree of this repository",
    ],
    [
      "a branch that is checked out elsewhere",
      { path: "tree", branch: "main" },
      () => {},
      "git worktree add: 'main' is already ",
    ],
    [
      "a base that does not exist",
      { path: "tree", branch: "other", base_branch: "nowhere" },
      () => {},
      "there is no branch, tag or commit 'nowhere' for the new branch to begin at",
    ],
    ["a missing directory", { path: "tree", branch: "other", repo: "no" }, () => {}, "there is no directory 'no'"],
  ])("%s is a failure in git's own words or ours", async (_what, inputs, prepare, message) => {
    const engine = openRepository();
    prepare(engine);
    const { metadata, outputs } = await create(engine, inputs);
    expect(metadata).toMatchObject({ ...failed, message: expect.stringContaining(message) });
    expect(outputs).toMatchObject({ worktree_path: join(engine.workspace, "tree"), created: false });
    expect(branchesOf(engine)).not.toContain("other");
  });

  test("a repository without a commit is a failure that says so", async () => {
    const engine = createTestEngine();
    git(engine.workspace, "init", "--quiet");
    const { metadata } = await create(engine, { path: "tree", branch: "new" });
    const message = "the repository has no commit yet that a branch could begin at";
    expect(metadata).toMatchObject({ ...failed, message });
  });

  test("a repository of somebody else is a failure with git's way out", async (context) => {
    if (process.getuid?.() !== 0) context.skip();
    const engine = openRepository();
    chownSync(join(engine.workspace, ".git"), 65_534, 65_534);
    chownSync(engine.workspace, 65_534, 65_534);
    const { metadata } = await create(engine, { path: "tree", branch: "new" });
    expect(metadata).toMatchObject({
      ...failed,
      message: expect.stringMatching(/dubious ownership .*; `git config --global --add safe\.directory .*` allows it$/),
    });
  });

  test("a workspace that is no repository is a failure", async () => {
    const { metadata } = await create(createTestEngine(), { path: "tree", branch: "new" });
    expect(metadata).toMatchObject({ ...failed, message: expect.stringContaining("not a git repository") });
  });

  test("names that git would take for options are refused before anything runs", () => {
    const { diagnostics } = createTestEngine().check({
      blocks: [{ id: "it", type: "CreateWorktree", inputs: { path: "tree", branch: "--force", base_branch: "-f" } }],
    });
    expect(explain(diagnostics)).toBe(
      "wrong-type: block 'it': input 'branch' must not begin with -. " +
        "wrong-type: block 'it': input 'base_branch' must not begin with -.",
    );
  });

  test.each(["a b", "a..b", "@{-1}", "a.lock", "HEAD~1", "a\nb", "x^"])(
    "no branch can be called %j",
    async (branch) => {
      const engine = openRepository();
      git(engine.workspace, "switch", "--quiet", "--create", "before");
      git(engine.workspace, "switch", "--quiet", "main");
      const { metadata } = await runBlock(
        engine,
        "CreateWorktree",
        { path: "tree", branch: "${inputs.b}" },
        { b: branch },
      );
      expect(metadata).toMatchObject({ ...crashed, message: `'${branch}' is not a name that a branch can have.` });
      expect(branchesOf(engine)).toEqual(["before", "main"]);
    },
  );

  test.each([".", "../tree", ".git/tree", "a\nb", "link/tree", "link"])("none is made at %j", async (path) => {
    const engine = openRepository();
    symlinkSync(createMachine().workspace, join(engine.workspace, "link"));
    expect((await create(engine, { path, branch: "new" })).metadata).toMatchObject(crashed);
    expect(branchesOf(engine)).toEqual(["main"]);
  });

  test("outside the workspace it needs to be called unsafe", async () => {
    const engine = openRepository();
    const path = join(createMachine().workspace, "tree");
    expect((await create(engine, { path, branch: "new" })).metadata).toMatchObject(crashed);
    expect((await create(engine, { path, branch: "new", unsafe: true })).outputs).toMatchObject({
      worktree_path: path,
      created: true,
    });
  });

  test("a repository in the workspace can be named", async () => {
    const engine = createTestEngine();
    mkdirSync(join(engine.workspace, "project"));
    createRepository(join(engine.workspace, "project"));
    const { metadata } = await create(engine, { path: "tree", branch: "new", repo: "project" });
    expect(metadata).toMatchObject(succeeded);
    expect(git(join(engine.workspace, "tree"), "branch", "--show-current")).toBe("new");
  });

  test("what the surroundings tell git of other repositories does not reach it", async () => {
    const other = createMachine().workspace;
    createRepository(other);
    const environment = { GIT_DIR: join(other, ".git"), GIT_WORK_TREE: other, GIT_INDEX_FILE: join(other, "index") };
    const engine = openRepository({ environment });
    expect((await create(engine, { path: "tree", branch: "new" })).metadata).toMatchObject(succeeded);
    expect(git(other, "for-each-ref", "refs/heads/new")).toBe("");
    expect(branchesOf(engine)).toEqual(["main", "new"]);
  });

  test("git knows the run and the block, and what it and its hooks say is in the log", async () => {
    const engine = openRepository();
    const hook = join(engine.workspace, ".git/hooks/post-checkout");
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho "$FROND_RUN_ID $FROND_IDEMPOTENCY_KEY"\n', { mode: 0o755 });
    const said: string[] = [];
    const { state } = await engine.run(
      { blocks: [{ id: "it", type: "CreateWorktree", inputs: { path: "tree", branch: "new" } }] },
      { onOutput: (_path, text) => void said.push(text) },
    );
    const { runId } = state.started;
    expect(said.join("")).toContain("Preparing worktree (new branch 'new')");
    expect(said.join("")).toContain(`${runId} ${idempotencyKey(runId, "it")}\n`);
  });

  test("without git one line says so", async () => {
    const engine = createTestEngine({ environment: { PATH: "/nonexistent" } });
    const { metadata } = await create(engine, { path: "tree", branch: "new" });
    const message = "There is no git on PATH. Install git to use worktrees.";
    expect(metadata).toMatchObject({ ...crashed, message });
  });

  test("many are made at the same time", async () => {
    const engine = openRepository();
    const { response } = await engine.run({
      max_parallel: 8,
      blocks: [
        {
          id: "it",
          type: "CreateWorktree",
          inputs: { path: "trees/${each.index}", branch: "branch-${each.index}" },
          for_each: "${range(12)}",
          max_parallel: 8,
        },
      ],
    });
    expect(response.status).toBe("success");
    expect(git(engine.workspace, "worktree", "list").split("\n")).toHaveLength(13);
  });
});

describe("after the death of the engine", () => {
  const making = { blocks: [{ id: "it", type: "CreateWorktree", inputs: { path: "tree", branch: "new" } }] };

  /** A worktree as a git leaves it that is killed while it checks out. */
  function leaveHalfMade(workspace: string): void {
    const attributes = join(workspace, ".git/info/attributes");
    mkdirSync(join(workspace, ".git/info"), { recursive: true });
    writeFileSync(attributes, "a filter=deadly\n");
    const args = ["-c", "filter.deadly.smudge=kill -9 0", "worktree", "add", "-b", "new", "tree"];
    const env = { PATH: process.env.PATH ?? "", LANGUAGE: "en" };
    // In a group of its own, which is all that dies. The types do not know the option.
    const options: SpawnSyncOptions & { detached: boolean } = { cwd: workspace, env, detached: true };
    spawnSync("git", args, options);
    rmSync(attributes);
    expect(git(workspace, "worktree", "list", "--porcelain")).toContain("locked initializing");
  }

  test("a worktree that was left half made is made anew", async () => {
    const machine = createMachine();
    const first = openRepository({ machine });
    const run = await first.start(making, {
      onEvents: (events) => {
        // The next commit says that the block starts, and that is all it does.
        if (events.some(({ type }) => type === "run-started")) first.process.doom("after-append");
      },
    });
    await waitFor("it has died", () => first.process.isDead);
    leaveHalfMade(machine.workspace);
    const { response } = await (await createTestEngine({ machine }).takeOver(run.runId)).settled;
    expect(response).toMatchObject({ status: "success", blocks: { it: { outputs: { created: true } } } });
    expect(git(join(machine.workspace, "tree"), "status", "--porcelain")).toBe("");
  });

  test("one that may be somebody else's is left to them", async () => {
    const engine = openRepository();
    leaveHalfMade(engine.workspace);
    const { metadata } = await create(engine, { path: "tree", branch: "new" });
    expect(metadata).toMatchObject({ ...failed, message: expect.stringContaining("is being made by another git") });
    expect(existsSync(join(engine.workspace, "tree"))).toBe(true);
  });
});

describe("RemoveWorktree", () => {
  test("removes the directory, and the branch stays", async () => {
    const engine = openRepository();
    await create(engine, { path: "tree", branch: "new" });
    const { metadata, outputs } = await remove(engine, { path: "tree" });
    expect(metadata).toMatchObject({ ...succeeded, message: null });
    expect(outputs).toMatchObject({ worktree_path: join(engine.workspace, "tree"), branch: "new", removed: true });
    expect(existsSync(join(engine.workspace, "tree"))).toBe(false);
    expect(branchesOf(engine)).toEqual(["main", "new"]);
  });

  test("one that is gone already is a success, also when git does not know yet", async () => {
    const engine = openRepository();
    expect((await remove(engine, { path: "tree" })).outputs).toMatchObject({ removed: false });
    await create(engine, { path: "tree", branch: "new" });
    rmSync(join(engine.workspace, "tree"), { recursive: true });
    expect((await remove(engine, { path: "tree" })).outputs).toMatchObject({ removed: true });
    expect(git(engine.workspace, "worktree", "list").split("\n")).toHaveLength(1);
  });

  test("changes that are not committed keep it, unless it is forced", async () => {
    const engine = openRepository();
    await create(engine, { path: "tree", branch: "new" });
    writeFileSync(join(engine.workspace, "tree/new file"), "");
    const kept = await remove(engine, { path: "tree" });
    expect(kept.metadata).toMatchObject({
      ...failed,
      message: "'tree' contains modified or untracked files; `force: true` removes it anyway",
    });
    expect(existsSync(join(engine.workspace, "tree/new file"))).toBe(true);
    expect((await remove(engine, { path: "tree", force: true })).outputs).toMatchObject({ removed: true });
    expect(existsSync(join(engine.workspace, "tree"))).toBe(false);
  });

  test.each([
    ["", "'tree' is locked; `git worktree unlock` unlocks it"],
    ["on a stick", "'tree' is locked (on a stick); `git worktree unlock` unlocks it"],
  ])("one that is locked stays, also when it is forced: %j", async (reason, message) => {
    const engine = openRepository();
    await create(engine, { path: "tree", branch: "new" });
    git(engine.workspace, "worktree", "lock", `--reason=${reason}`, "tree");
    for (const force of [false, true]) {
      expect((await remove(engine, { path: "tree", force })).metadata).toMatchObject({ ...failed, message });
    }
    expect(existsSync(join(engine.workspace, "tree/a"))).toBe(true);
  });

  test("only worktrees are removed, and never the main one", async () => {
    const engine = createTestEngine();
    mkdirSync(join(engine.workspace, "project/src"), { recursive: true });
    createRepository(join(engine.workspace, "project"));
    for (const [path, message] of [
      ["project", "'project' is the repository's main worktree"],
      ["project/src", "'project/src' is not a worktree of this repository"],
    ]) {
      const { metadata } = await remove(engine, { path, repo: "project", force: true });
      expect(metadata).toMatchObject({ ...failed, message });
    }
    expect(existsSync(join(engine.workspace, "project/src"))).toBe(true);
  });

  test("what is outside the workspace or in .git is not removed", async () => {
    const engine = openRepository();
    for (const path of ["../x", ".", ".git/x"]) {
      expect((await remove(engine, { path, force: true })).metadata).toMatchObject(crashed);
    }
  });
});

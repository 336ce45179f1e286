import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planUndo } from "../../src/runs/plan-undo.ts";
import { undoRun } from "../../src/runs/undo-run.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { createRepository, git } from "../rig/git-repository.ts";
import { createMachine } from "../rig/machine.ts";
import { waitFor } from "../rig/wait-for.ts";

/** An engine whose workspace is a repository with two files on its branch main. */
function openRepository(machine = createMachine()): TestEngine {
  const engine = createTestEngine({ machine, environment: { HOME: "/nonexistent" } });
  writeFileSync(join(engine.workspace, "a"), "first");
  mkdirSync(join(engine.workspace, "dir"));
  writeFileSync(join(engine.workspace, "dir/b"), "second");
  createRepository(engine.workspace);
  return engine;
}

const creating = { id: "make", type: "CreateWorktree", inputs: { path: "trees/new/one", branch: "new" } };
const removing = { id: "drop", type: "RemoveWorktree", inputs: { path: "tree", force: true } };

async function run(engine: TestEngine, ...blocks: readonly object[]): Promise<string> {
  const { response, state } = await engine.run({ blocks });
  expect(response).toMatchObject({ status: "success" });
  return state.started.runId;
}

interface Undone {
  readonly runId: string;
  readonly status: string;
  /** What was said of blocks that failed. */
  readonly errors: readonly string[];
}

async function undo(engine: TestEngine, runId: string): Promise<Undone> {
  const undone = await undoRun(engine.engine, runId, { onEvents() {}, onOutput() {} });
  if (!undone.ok) throw new Error(JSON.stringify(undone.error));
  const { run: driven } = undone.value;
  if (driven === undefined) throw new Error("There is nothing to undo.");
  await driven.settled();
  const state = await driven.inspect((current) => current);
  const blocks = Object.values(state.root.record.blocks);
  const errors = blocks.flatMap(({ metadata: { error } }) => (error === null || error === undefined ? [] : [error]));
  return { runId: driven.runId, status: state.root.record.metadata.succeeded ? "success" : "failure", errors };
}

function refsOf({ workspace }: TestEngine): string {
  return git(workspace, "for-each-ref", "--format=%(refname) %(objectname)");
}

describe("undo of CreateWorktree", () => {
  test("removes the worktree, the branch that was made for it, and the directories around it", async () => {
    const engine = openRepository();
    const before = { refs: refsOf(engine), names: readdirSync(engine.workspace) };
    const runId = await run(engine, creating);
    expect(refsOf(engine)).not.toBe(before.refs);
    const plan = await planUndo(engine.engine, runId);
    expect(plan.ok && plan.value.compensations).toMatchObject([
      { block: "make", type: "RemoveWorktree", text: expect.stringContaining("delete_branch: ") },
    ]);
    expect(plan.ok && plan.value.irreversible).toEqual([]);
    expect(await undo(engine, runId)).toMatchObject({ status: "success", errors: [] });
    expect({ refs: refsOf(engine), names: readdirSync(engine.workspace) }).toEqual(before);
    expect(git(engine.workspace, "worktree", "list").split("\n")).toHaveLength(1);
  });

  test("takes back what later blocks did in it first", async () => {
    const engine = openRepository();
    const names = readdirSync(engine.workspace);
    const path = "${blocks.make.outputs.worktree_path}/made";
    const runId = await run(engine, creating, { id: "write", type: "CreateFile", inputs: { path, content: "x" } });
    expect(await undo(engine, runId)).toMatchObject({ status: "success" });
    expect(readdirSync(engine.workspace)).toEqual(names);
  });

  test("leaves a branch that was there before", async () => {
    const engine = openRepository();
    git(engine.workspace, "branch", "new");
    const refs = refsOf(engine);
    const runId = await run(engine, creating);
    expect(await undo(engine, runId)).toMatchObject({ status: "success" });
    expect(refsOf(engine)).toBe(refs);
  });

  test("leaves a worktree that was there before", async () => {
    const engine = openRepository();
    git(engine.workspace, "worktree", "add", "--quiet", "trees/new/one", "-b", "new");
    const runId = await run(engine, creating);
    const plan = await planUndo(engine.engine, runId);
    expect(plan.ok && plan.value.blocks).toBe(0);
  });

  test("leaves a worktree in which somebody has worked since, with its branch", async () => {
    const engine = openRepository();
    const runId = await run(engine, creating);
    writeFileSync(join(engine.workspace, "trees/new/one/mine"), "x");
    const { status, errors } = await undo(engine, runId);
    expect(status).toBe("failure");
    expect(errors[0]).toContain("contains modified or untracked files");
    expect(readFileSync(join(engine.workspace, "trees/new/one/mine"), "utf8")).toBe("x");
    expect(refsOf(engine)).toContain("refs/heads/new");
  });

  test("leaves a worktree whose branch has moved since", async () => {
    const engine = openRepository();
    const runId = await run(engine, creating);
    git(join(engine.workspace, "trees/new/one"), "commit", "--quiet", "--allow-empty", "--message=Mine");
    const { status, errors } = await undo(engine, runId);
    expect(status).toBe("failure");
    expect(errors[0]).toContain("the branch 'new' has moved");
    expect(git(engine.workspace, "log", "--format=%s", "new")).toBe("Mine\nFirst");
    expect(existsSync(join(engine.workspace, "trees/new/one/a"))).toBe(true);
  });

  test("is undone itself: the worktree and its branch are there again", async () => {
    const engine = openRepository();
    const runId = await run(engine, creating);
    const refs = refsOf(engine);
    const undone = await undo(engine, runId);
    expect(await undo(engine, undone.runId)).toMatchObject({ status: "success", errors: [] });
    expect(refsOf(engine)).toBe(refs);
    expect(git(join(engine.workspace, "trees/new/one"), "status", "--porcelain", "--branch")).toBe("## new");
  });

  test("also takes back what an attempt has left that was killed", async () => {
    const machine = createMachine();
    const first = openRepository(machine);
    const refs = refsOf(first);
    const names = readdirSync(machine.workspace);
    const started = await first.start(
      { blocks: [creating] },
      {
        onEvents: (events) => {
          // It has announced what it does, does it, and can't tell that it is done.
          if (events.some(({ type }) => type === "file-changed")) first.process.doom("before-append");
        },
      },
    );
    await waitFor("it has died", () => first.process.isDead);
    await waitFor("git is done", () => existsSync(join(machine.workspace, "trees/new/one/dir/b")));
    const second = createTestEngine({ machine, environment: { HOME: "/nonexistent" } });
    const taken = await second.takeOver(started.runId);
    expect((await taken.settled).response.status).toBe("success");
    expect(await undo(second, started.runId)).toMatchObject({ status: "success", errors: [] });
    expect({ refs: refsOf(second), names: readdirSync(machine.workspace) }).toEqual({ refs, names });
  });
});

describe("undo of RemoveWorktree", () => {
  function treeIn({ workspace }: TestEngine): Record<string, string> {
    const at = join(workspace, "tree");
    const names = ["a", "dir/b", "new", "far/new"].filter((name) => existsSync(join(at, name)));
    const status = git(at, "status", "--porcelain", "--branch", "--untracked-files=all");
    return { status, ...Object.fromEntries(names.map((name) => [name, readFileSync(join(at, name), "utf8")])) };
  }

  test("brings it back with its branch, and with what was not committed", async () => {
    const engine = openRepository();
    git(engine.workspace, "worktree", "add", "--quiet", "tree", "-b", "new");
    writeFileSync(join(engine.workspace, "tree/a"), "changed");
    rmSync(join(engine.workspace, "tree/dir/b"));
    writeFileSync(join(engine.workspace, "tree/new"), "new");
    mkdirSync(join(engine.workspace, "tree/far"));
    writeFileSync(join(engine.workspace, "tree/far/new"), "far");
    const before = treeIn(engine);
    const runId = await run(engine, removing);
    expect(existsSync(join(engine.workspace, "tree"))).toBe(false);
    const undone = await undo(engine, runId);
    expect(undone).toMatchObject({ status: "success", errors: [] });
    expect(treeIn(engine)).toEqual(before);
    expect(await undo(engine, undone.runId)).toMatchObject({ errors: [] });
    expect(existsSync(join(engine.workspace, "tree"))).toBe(false);
  });

  test("brings back one without a branch, at its commit", async () => {
    const engine = openRepository();
    git(engine.workspace, "worktree", "add", "--quiet", "--detach", "tree");
    const commit = git(engine.workspace, "rev-parse", "HEAD");
    git(engine.workspace, "commit", "--quiet", "--allow-empty", "--message=Later");
    const runId = await run(engine, removing);
    expect(await undo(engine, runId)).toMatchObject({ status: "success" });
    expect(git(join(engine.workspace, "tree"), "rev-parse", "HEAD")).toBe(commit);
    expect(git(join(engine.workspace, "tree"), "branch", "--show-current")).toBe("");
  });

  test("does not check out a branch that has moved since", async () => {
    const engine = openRepository();
    git(engine.workspace, "worktree", "add", "--quiet", "tree", "-b", "new");
    const runId = await run(engine, removing);
    git(engine.workspace, "commit", "--quiet", "--allow-empty", "--message=Later");
    git(engine.workspace, "branch", "--force", "new", "main");
    const { status, errors } = await undo(engine, runId);
    expect(status).toBe("failure");
    expect(errors[0]).toContain("the branch 'new' is at");
    expect(existsSync(join(engine.workspace, "tree"))).toBe(false);
  });

  test("a repository inside it, which could not be brought back, keeps it", async () => {
    const engine = openRepository();
    git(engine.workspace, "worktree", "add", "--quiet", "tree", "-b", "new");
    mkdirSync(join(engine.workspace, "tree/inner"));
    createRepository(join(engine.workspace, "tree/inner"));
    const { state } = await engine.run({ blocks: [removing] });
    expect(state.root.record.blocks.drop?.metadata.error).toContain("is a repository of its own, which can't be kept");
    expect(existsSync(join(engine.workspace, "tree/inner/.git"))).toBe(true);
  });
});

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineLeaf } from "../../src/block/define-leaf.ts";
import { restoreRefs } from "../../src/blocks/git/take-back-refs.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { createRepository, git } from "../rig/git-repository.ts";
import { runBlock } from "../rig/run-block.ts";

const ref = () =>
  z.strictObject({
    repository: z.string().default(".git"),
    name: z.string(),
    expect: z.string().nullable(),
    restore: z.string().nullable(),
  });

/** Hands its inputs to what is tested. */
const takeBack = defineLeaf({
  type: "TakeBackRefs",
  summary: "Takes refs back.",
  inputs: () => z.strictObject({ refs: z.array(ref()), force: z.boolean().default(false) }),
  outputs: () => z.looseObject({}),
  defaultOutputs: {},
  capabilities: ["commands"],
  undo: "irreversible",
  onInterrupted: "rerun",
  async run({ refs, force }, context) {
    const located = refs.map((one) => ({ ...one, repository: context.files.locate(one.repository, false) }));
    const { restored, already, conflicts } = await restoreRefs(context, located, { force });
    const told = conflicts.map(({ name, reason, found }) => ({ name, reason, found }));
    return { kind: "succeeded", outputs: { restored, already, conflicts: told } };
  },
});

interface Ground {
  readonly engine: TestEngine;
  git(...args: readonly string[]): string;
  commit(text: string): string;
  restore(...refs: readonly object[]): Promise<unknown>;
}

/** A repository with one commit on main, as the workspace of an engine. */
function openGround(): Ground {
  const engine = createTestEngine({ types: [takeBack], environment: { HOME: "/nonexistent" } });
  const { workspace } = engine;
  writeFileSync(join(workspace, "a"), "first");
  createRepository(workspace);
  const run = (...args: readonly string[]): string => git(workspace, ...args);
  return {
    engine,
    git: run,
    commit(text) {
      writeFileSync(join(workspace, "a"), text);
      run("commit", "--quiet", "--all", `--message=${text}`);
      return run("rev-parse", "HEAD");
    },
    async restore(...refs) {
      const { metadata, outputs } = await runBlock(engine, "TakeBackRefs", { refs });
      expect(metadata.error).toBe(null);
      return outputs;
    },
  };
}

const main = "refs/heads/main";
const oneRestored = { restored: 1, already: 0, conflicts: [] };

describe("restoreRefs", () => {
  test("moves a branch back and touches neither index nor work tree", async () => {
    const ground = openGround();
    const first = ground.git("rev-parse", "HEAD");
    const second = ground.commit("second");
    expect(await ground.restore({ name: main, expect: second, restore: first })).toEqual(oneRestored);
    expect(ground.git("rev-parse", "HEAD")).toBe(first);
    expect(ground.git("status", "--porcelain")).toBe("M  a");
    expect(ground.git("show", ":a")).toBe("second");
    const again = await ground.restore({ name: main, expect: second, restore: first });
    expect(again).toEqual({ restored: 0, already: 1, conflicts: [] });
  });

  test("a branch that somebody else has moved since is a conflict and stays", async () => {
    const ground = openGround();
    const first = ground.git("rev-parse", "HEAD");
    const second = ground.commit("second");
    const third = ground.commit("third");
    const reason = `it was moved since, to ${third}`;
    expect(await ground.restore({ name: main, expect: second, restore: first })).toEqual({
      restored: 0,
      already: 0,
      conflicts: [{ name: main, reason, found: third }],
    });
    expect(ground.git("rev-parse", main)).toBe(third);
    const refs = [{ name: main, expect: second, restore: first }];
    const { outputs } = await runBlock(ground.engine, "TakeBackRefs", { refs, force: true });
    expect(outputs).toEqual(oneRestored);
    expect(ground.git("rev-parse", main, `${main}@{1}`)).toBe(`${first}\n${third}`);
  });

  test("a deleted branch and a deleted tag are there again", async () => {
    const ground = openGround();
    ground.git("branch", "feature/x");
    ground.git("tag", "--annotate", "--message=One", "v1");
    const [commit, tag] = [ground.git("rev-parse", "feature/x"), ground.git("rev-parse", "v1")];
    expect(tag).not.toBe(commit);
    ground.git("branch", "-D", "feature/x");
    ground.git("tag", "-d", "v1");
    // A branch of this name is in the way of the other.
    ground.git("branch", "feature");
    const done = await ground.restore(
      { name: "refs/heads/feature/x", expect: null, restore: commit },
      { name: "refs/tags/v1", expect: null, restore: tag },
      { name: "refs/heads/feature", expect: commit, restore: null },
    );
    expect(done).toEqual({ restored: 3, already: 0, conflicts: [] });
    expect(ground.git("for-each-ref", "--format=%(refname) %(objectname)")).toBe(
      [`refs/heads/feature/x ${commit}`, `${main} ${commit}`, `refs/tags/v1 ${tag}`].join("\n"),
    );
  });

  test("a new branch that was switched to is left and deleted", async () => {
    const ground = openGround();
    ground.git("switch", "--quiet", "--create", "new");
    const second = ground.commit("second");
    const done = await ground.restore(
      { name: "refs/heads/new", expect: second, restore: null },
      { name: "HEAD", expect: "ref: refs/heads/new", restore: `ref: ${main}` },
    );
    expect(done).toEqual({ restored: 2, already: 0, conflicts: [] });
    expect(ground.git("branch", "--format=%(HEAD)%(refname)")).toBe(`*${main}`);
  });

  test("a branch that is checked out is not deleted", async () => {
    const ground = openGround();
    ground.git("branch", "new");
    const commit = ground.git("rev-parse", "new");
    ground.git("worktree", "add", "--quiet", "tree", "new");
    expect(await ground.restore({ name: "refs/heads/new", expect: commit, restore: null })).toMatchObject({
      restored: 0,
      conflicts: [{ reason: `it is checked out in '${join(ground.engine.workspace, "tree")}'` }],
    });
    expect(ground.git("rev-parse", "new")).toBe(commit);
  });

  test("HEAD goes from a commit back to its branch, and from a branch back to its commit", async () => {
    const ground = openGround();
    const first = ground.git("rev-parse", "HEAD");
    ground.git("switch", "--quiet", "--detach");
    expect(await ground.restore({ name: "HEAD", expect: first, restore: `ref: ${main}` })).toEqual(oneRestored);
    expect(ground.git("symbolic-ref", "HEAD")).toBe(main);
    expect(await ground.restore({ name: "HEAD", expect: `ref: ${main}`, restore: first })).toEqual(oneRestored);
    expect(() => ground.git("symbolic-ref", "--quiet", "HEAD")).toThrow();
    expect(ground.git("rev-parse", "HEAD")).toBe(first);
  });

  test("the HEAD of a worktree is its own", async () => {
    const ground = openGround();
    ground.git("worktree", "add", "--quiet", "tree", "-b", "new");
    ground.git("-C", "tree", "switch", "--quiet", "--create", "newer");
    const restore = "ref: refs/heads/new";
    const repository = ".git/worktrees/tree";
    const done = await ground.restore({ repository, name: "HEAD", expect: "ref: refs/heads/newer", restore });
    expect(done).toEqual(oneRestored);
    expect(ground.git("-C", "tree", "branch", "--show-current")).toBe("new");
    expect(ground.git("branch", "--show-current")).toBe("main");
  });

  test("a commit that is gone, and a repository that is gone, are conflicts", async () => {
    const ground = openGround();
    const first = ground.git("rev-parse", "HEAD");
    const gone = "1".repeat(40);
    expect(await ground.restore({ name: main, expect: first, restore: gone })).toMatchObject({
      restored: 0,
      conflicts: [{ reason: expect.stringContaining("nonexistent object"), found: first }],
    });
    rmSync(join(ground.engine.workspace, ".git"), { recursive: true });
    expect(await ground.restore({ name: main, expect: first, restore: gone })).toMatchObject({
      restored: 0,
      conflicts: [{ reason: "there is no directory '.git'", found: null }],
    });
  });

  test("hooks of the repository are not run, and other files of it can't be named", async () => {
    const ground = openGround();
    const first = ground.git("rev-parse", "HEAD");
    const second = ground.commit("second");
    const hook = join(ground.engine.workspace, ".git/hooks/reference-transaction");
    writeFileSync(hook, "#!/bin/sh\ntouch hooked\nexit 1\n", { mode: 0o755 });
    expect(await ground.restore({ name: main, expect: second, restore: first })).toEqual(oneRestored);
    const refs = [{ name: "config", expect: null, restore: first }];
    const { metadata } = await runBlock(ground.engine, "TakeBackRefs", { refs });
    expect(metadata.error).toContain("'config' is not the full name of a git ref");
  });
});

import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createRepository, git } from "../rig/git-repository.ts";
import { age, makeObserveGround, type ObserveGround } from "./observe-ground.ts";

let ground: ObserveGround;

beforeEach(() => {
  ground = makeObserveGround();
});

test("what git ignores is not observed unless it is asked for, nor is what it tracks ever ignored", async () => {
  ground.write(".gitignore", "*.log\n/out/\n!kept.log\n");
  ground.write("out/tracked", "one");
  ground.git("init", "--quiet");
  ground.git("add", "--force", ".");
  createRepository(ground.workspace);
  ground.write("a.log", "one");
  ground.write("out/b", "two");
  ground.write("out/deep/c", "three");
  const command =
    "echo -n 1 >> a.log; echo -n 2 >> out/b; rm -r out/deep; echo -n 3 > out/tracked; echo -n 4 > kept.log; echo -n 5 > n.log; mkdir -p sub/out; echo -n 6 > sub/out/d";
  expect(await ground.observe(command)).toEqual([
    'kept.log: missing -> file 644 "4"',
    'out/tracked: file 644 "one" -> file 644 "3"',
    "sub: missing -> directory 0755",
    "sub/out: missing -> directory 0755",
    'sub/out/d: missing -> file 644 "6"',
  ]);
  ground.write("out/deep/c", "three");
  expect(await ground.observe(command, ["out/deep", "*.log"])).toEqual([
    'a.log: file 644 "one1" -> file 644 "one11"',
    "out/deep: directory 0755 -> missing",
    'out/deep/c: file 644 "three" -> missing',
  ]);
});

test("bytes on the disk count, whatever git makes of line ends", async () => {
  ground.write(".gitattributes", "* text=auto\n");
  ground.write("crlf", "one\r\ntwo\r\n");
  ground.write("lf", "one\ntwo\n");
  createRepository(ground.workspace);
  expect(await ground.observe("echo new > crlf; echo new > lf")).toEqual([
    'crlf: file 644 "one\\r\\ntwo\\r\\n" -> file 644 "new\\n"',
    'lf: file 644 "one\\ntwo\\n" -> file 644 "new\\n"',
  ]);
});

test("what git takes for unchanged is not read, but comes from there when it is needed", async () => {
  const content = "x".repeat(100_000);
  for (const name of ["a", "b"]) {
    ground.write(name, content + name);
    age(ground.at(name));
  }
  createRepository(ground.workspace);
  await ground.begin();
  expect(ground.blobs.size("run_1")).toBeLessThan(10_000);
  expect(await ground.observe("rm a")).toEqual([`a: file 644 "${content}a" -> missing`]);
});

test("what git only believes to be unchanged is read", async () => {
  ground.write(".gitattributes", "*.u working-tree-encoding=UTF-16LE\n*.i ident\n");
  ground.write("a.u", Buffer.from("one", "utf16le"));
  ground.write("b.i", "$Id$");
  ground.write("c", "one");
  ground.write("d", "one\r\n");
  for (const name of ["a.u", "b.i", "c", "d"]) age(ground.at(name));
  ground.git("init", "--quiet");
  ground.git("config", "core.autocrlf", "true");
  createRepository(ground.workspace);
  ground.git("update-index", "--assume-unchanged", "c");
  ground.write("c", "two");
  age(ground.at("c"));
  const observed = await ground.observe("rm a.u b.i c d");
  expect(observed).toEqual([
    'a.u: file 644 "o\\u0000n\\u0000e\\u0000" -> missing',
    'b.i: file 644 "$Id$" -> missing',
    'c: file 644 "two" -> missing',
    'd: file 644 "one\\r\\n" -> missing',
  ]);
});

test("nothing that a repository names is run", async () => {
  ground.write(".gitattributes", "*.txt filter=trap diff=trap\n");
  ground.write("a.txt", "one");
  createRepository(ground.workspace);
  const trap = join(ground.root, "trap");
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${ground.root}/trapped\ncat\n`, { mode: 0o755 });
  for (const name of ["filter.trap.clean", "filter.trap.smudge", "filter.trap.process", "diff.trap.textconv"]) {
    ground.git("config", name, trap);
  }
  ground.git("config", "filter.trap.required", "true");
  ground.git("config", "core.fsmonitor", trap);
  ground.git("config", "core.pager", trap);
  ground.git("config", "core.hooksPath", join(ground.root, "hooks"));
  mkdirSync(join(ground.root, "hooks"));
  for (const hook of ["post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman"]) {
    writeFileSync(join(ground.root, "hooks", hook), `#!/bin/sh\n${trap} ${hook}\n`, { mode: 0o755 });
  }
  expect(await ground.observe("echo -n two > a.txt; echo -n new > b.txt")).toEqual([
    'a.txt: file 644 "one" -> file 644 "two"',
    'b.txt: missing -> file 644 "new"',
  ]);
  expect(readdirSync(ground.root)).not.toContain("trapped");
});

test("the index is never written", async () => {
  ground.write("a", "one");
  createRepository(ground.workspace);
  const index = (): unknown => {
    const { mtimeMs, ctimeMs, ino, size } = statSync(ground.at(".git/index"));
    return { mtimeMs, ctimeMs, ino, size };
  };
  const before = index();
  await ground.observe("touch a; echo x > b");
  expect(index()).toEqual(before);
});

test("refs and HEAD that were moved, by a commit, a branch, a checkout", async () => {
  ground.write("a", "one");
  createRepository(ground.workspace);
  ground.git("branch", "other");
  expect(await ground.observe("echo two > a; git commit -qam Second")).toEqual([
    'a: file 644 "one" -> file 644 "two\\n"',
    "ref .git refs/heads/main: commit -> commit",
  ]);
  expect(await ground.observe("git branch new; git branch -D other")).toEqual([
    "ref .git refs/heads/new: missing -> commit",
    "ref .git refs/heads/other: commit -> missing",
  ]);
  expect(await ground.observe("git checkout -q new")).toEqual([
    "ref .git HEAD: ref: refs/heads/main -> ref: refs/heads/new",
  ]);
  expect(await ground.observe("git checkout -q --detach")).toEqual(["ref .git HEAD: ref: refs/heads/new -> commit"]);
});

test("a nested repository has its own rules and refs", async () => {
  ground.write(".gitignore", "*.tmp\n");
  ground.write("inner/.gitignore", "*.bak\n");
  ground.write("inner/a", "one");
  createRepository(ground.at("inner"));
  ground.write("inner/b.tmp", "two");
  createRepository(ground.workspace);
  const command = "cd inner; echo -n new > a; echo -n new > b.tmp; echo x > c.bak; git commit -qam Second";
  expect(await ground.observe(command)).toEqual([
    'inner/a: file 644 "one" -> file 644 "new"',
    'inner/b.tmp: file 644 "two" -> file 644 "new"',
    "ref inner/.git refs/heads/main: commit -> commit",
  ]);
});

test("a worktree in the workspace, and its branch once", async () => {
  ground.write("a", "one");
  createRepository(ground.workspace);
  ground.git("worktree", "add", "--quiet", "tree", "-b", "side");
  expect(await ground.observe("cd tree; echo -n two > a; git commit -qam Second; git checkout -q -b more")).toEqual([
    'tree/a: file 644 "one" -> file 644 "two"',
    "ref .git refs/heads/more: missing -> commit",
    "ref .git refs/heads/side: commit -> commit",
    "ref .git/worktrees/tree HEAD: ref: refs/heads/side -> ref: refs/heads/more",
  ]);
});

test("a workspace below the top of a repository", async () => {
  const outer = makeObserveGround();
  outer.write(".gitignore", "*.log\n/ignored/\n");
  outer.write("sub/a", "one");
  createRepository(outer.workspace);
  const signal = new AbortController().signal;
  const workspace = outer.at("sub");
  const request = { runId: "run_1", workspace, signal };
  const begun = await outer.observer.begin({ ...request, writes: [] });
  if (!begun.ok) throw new Error(begun.error);
  outer.write("sub/b.log", "x");
  outer.write("sub/c", "x");
  outer.write("d", "x");
  git(workspace, "add", "c");
  git(workspace, "commit", "-qm", "Second");
  const compared = await outer.observer.compare(begun.value.snapshot, request);
  if (!compared.ok) throw new Error(compared.error);
  const [made, moved, ...more] = compared.value.changes;
  expect(made).toMatchObject({ kind: "observed", at: { root: workspace, path: "c" } });
  expect(moved).toMatchObject({ kind: "ref", repository: { root: "/" }, name: "refs/heads/main" });
  expect(more).toEqual([]);
});

test("a workspace that the repository around it ignores is observed as if there were none", async () => {
  ground.write(".gitignore", "*\n");
  createRepository(ground.workspace);
  const inner = { runId: "run_1", workspace: ground.at("inner"), signal: new AbortController().signal };
  ground.write("inner/a", "one");
  const begun = await ground.observer.begin({ ...inner, writes: [] });
  if (!begun.ok) throw new Error(begun.error);
  ground.write("inner/a", "two");
  const compared = await ground.observer.compare(begun.value.snapshot, inner);
  expect(compared).toMatchObject({ ok: true, value: { changes: [{ kind: "observed", at: { path: "a" } }] } });
});

test("a repository that is made or removed is named; bytes that only it had are named too", async () => {
  ground.write("a", "one");
  ground.write("b", "two");
  createRepository(ground.workspace);
  ground.write("c", "three");
  expect(await ground.observe("git init -q new; echo -n x > new/x")).toEqual([
    "new: missing -> directory 0755",
    'new/x: missing -> file 644 "x"',
  ]);
  expect(ground.notCaptured).toEqual([{ path: "new/.git", why: "it was made, and what is in it is not observed" }]);
  expect(await ground.observe("rm -rf .git new/.git; rm b c")).toEqual(['c: file 644 "three" -> missing']);
  expect(ground.notCaptured).toEqual([
    { path: ".git", why: "it was removed, and what was in it is not kept" },
    { path: "b", why: "its bytes were only in git, where they are not any more" },
    { path: "new/.git", why: "it was removed, and what was in it is not kept" },
  ]);
});

test("objects that are gone do not harm: what is not tracked any more is kept", async () => {
  ground.write("a", "one");
  createRepository(ground.workspace);
  await ground.begin();
  ground.git("rm", "--quiet", "--cached", "a");
  ground.git("commit", "--quiet", "--amend", "--allow-empty", "-m", "Without");
  ground.git("reflog", "expire", "--expire=now", "--all");
  ground.git("gc", "--quiet", "--prune=now");
  expect(await ground.observe("rm a")).toEqual(['a: file 644 "one" -> missing']);
});

import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryName } from "../../src/block/temporary-name.ts";
import { newRunId } from "../../src/engine/ids.ts";
import { createRepository, git } from "../rig/git-repository.ts";
import { age, makeObserveGround, type ObserveGround } from "./observe-ground.ts";

let ground: ObserveGround;

beforeEach(() => {
  ground = makeObserveGround();
});

/** Below the workspace: those are observed alike in a repository and outside of one. */
describe.each([
  ["in a repository", true],
  ["without a repository", false],
])("what a command changed, %s", (_where, isRepository) => {
  function prepare(): void {
    if (isRepository) createRepository(ground.workspace);
  }

  test("nothing", async () => {
    ground.write("a", "one");
    mkdirSync(ground.at("empty"));
    prepare();
    expect(await ground.observe("true")).toEqual([]);
    expect(await ground.observe("touch a; cat a > /dev/null")).toEqual([]);
    expect(ground.notCaptured).toEqual([]);
  });

  test("nothing of files that blocks beside it are just writing", async () => {
    const [going, coming] = [temporaryName(newRunId(new Date()), 7, 0), temporaryName(newRunId(new Date()), 12, 3)];
    ground.write(`d/${going}`, "one");
    prepare();
    expect(await ground.observe(`rm d/${going}; echo two > d/${coming}; echo -n mine > d/.run_mine.tmp`)).toEqual([
      'd/.run_mine.tmp: missing -> file 644 "mine"',
    ]);
  });

  test("bytes, and the modes of files and directories", async () => {
    ground.write("a", "one");
    ground.write("b", "two");
    ground.write("c", "three");
    ground.write("d/e", "four");
    chmodSync(ground.at("b"), 0o600);
    chmodSync(ground.at("d"), 0o750);
    prepare();
    expect(await ground.observe("echo -n ONE > a; chmod 644 b; chmod 755 c; chmod 700 d")).toEqual([
      'a: file 644 "one" -> file 644 "ONE"',
      'b: file 600 "two" -> file 644 "two"',
      'c: file 644 "three" -> file 755 "three"',
      "d: directory 0750 -> directory 0700",
    ]);
    expect(ground.notCaptured).toEqual([]);
  });

  test("entries made and removed, empty directories among them", async () => {
    ground.write("gone/a", "one");
    mkdirSync(ground.at("hollow"));
    prepare();
    expect(await ground.observe("rm -r gone hollow; mkdir -p made/empty; echo -n x > made/b; ln -s b made/l")).toEqual([
      "gone: directory 0755 -> missing",
      'gone/a: file 644 "one" -> missing',
      "hollow: directory 0755 -> missing",
      "made: missing -> directory 0755",
      'made/b: missing -> file 644 "x"',
      "made/empty: missing -> directory 0755",
      "made/l: missing -> link b",
    ]);
  });

  test("a change that leaves size and times as they were", async () => {
    ground.write("a", "one");
    prepare();
    expect(await ground.observe("touch -r a /tmp/$$; printf two > a; touch -r /tmp/$$ a; rm /tmp/$$")).toEqual([
      'a: file 644 "one" -> file 644 "two"',
    ]);
  });

  test("a file replaced by a directory, and a directory by a file", async () => {
    ground.write("a", "one");
    ground.write("d/b", "two");
    prepare();
    expect(await ground.observe("rm a; mkdir a; echo -n x > a/c; rm -r d; echo -n y > d")).toEqual([
      'a: file 644 "one" -> directory 0755',
      'a/c: missing -> file 644 "x"',
      'd: directory 0755 -> file 644 "y"',
      'd/b: file 644 "two" -> missing',
    ]);
  });

  test("links as links, wherever they lead", async () => {
    ground.write("d/a", "one");
    symlinkSync("d", ground.at("l"));
    symlinkSync("nowhere", ground.at("m"));
    symlinkSync("/etc", ground.at("n"));
    prepare();
    expect(await ground.observe("echo -n two > l/a; ln -sfn elsewhere m; rm l; mkdir l")).toEqual([
      'd/a: file 644 "one" -> file 644 "two"',
      "l: link d -> directory 0755",
      "m: link nowhere -> link elsewhere",
    ]);
  });

  test("names of any bytes", async () => {
    ground.write("ä b\n", "one");
    ground.write(":(top)x", "two");
    ground.write("-r", "three");
    writeFileSync(Buffer.concat([Buffer.from(`${ground.workspace}/`), Buffer.of(0x66, 0xff)]), "four");
    prepare();
    const command = "for f in *; do printf new > \"./$f\"; done; printf x > $'\\xfe\\n'";
    expect(await ground.observe(command)).toEqual([
      '-r: file 644 "three" -> file 644 "new"',
      ':(top)x: file 644 "two" -> file 644 "new"',
      'f\udcff: file 644 "four" -> file 644 "new"',
      'ä b\n: file 644 "one" -> file 644 "new"',
      '\udcfe\n: missing -> file 644 "x"',
    ]);
  });

  test("what is too large is named before the command runs, and after it if that has changed it", async () => {
    ground.write("large", "");
    truncateSync(ground.at("large"), 60_000_000);
    ground.write("a", "one");
    prepare();
    await ground.begin();
    expect(ground.notCaptured).toEqual([{ path: "large", why: "it is larger than 50 MB" }]);
    expect(await ground.observe("true")).toEqual([]);
    expect(ground.notCaptured).toEqual([]);
    expect(await ground.observe("rm large a")).toEqual(['a: file 644 "one" -> missing']);
    expect(ground.notCaptured).toEqual([{ path: "large", why: "it was removed, and it is larger than 50 MB" }]);
  });

  test("FIFOs are named, and nobody waits for what comes out of them", async () => {
    prepare();
    expect(await ground.observe("mkfifo f")).toEqual([]);
    expect(ground.notCaptured).toEqual([{ path: "f", why: "it was made, and it is neither a file nor a directory" }]);
  });

  test("from the snapshot alone, by another process, and again", async () => {
    ground.write("a", "one");
    ground.write("b/c", "two");
    prepare();
    const snapshot = await ground.begin();
    ground.write("a", "ONE");
    ground.write("b/d", "new");
    const request = { runId: "run_2", workspace: ground.workspace, signal: new AbortController().signal };
    const [first, second] = [
      await ground.restart().compare(snapshot, request),
      await ground.restart().compare(snapshot, request),
    ];
    expect(second).toEqual(first);
    expect(first).toMatchObject({ ok: true, value: { changes: [{ at: { path: "a" } }, { at: { path: "b/d" } }] } });
  });

  test("what Frond itself keeps in the workspace does not count", async () => {
    prepare();
    expect(await ground.observe("mkdir -p .scratch/run_1; echo x > .scratch/run_1/f")).toEqual([]);
  });
});

describe("git", () => {
  test("what it ignores is not observed unless it is asked for, nor is what it tracks ever ignored", async () => {
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

  test("rules that a command adds hold for what is new, not for what was observed before", async () => {
    ground.write("a", "one");
    createRepository(ground.workspace);
    ground.write("b", "two");
    expect(await ground.observe("echo '*' > .gitignore; rm a b; mkdir node_modules; echo x > node_modules/x")).toEqual([
      'a: file 644 "one" -> missing',
      'b: file 644 "two" -> missing',
    ]);
  });

  test("bytes on the disk count, whatever it makes of line ends", async () => {
    ground.write(".gitattributes", "* text=auto\n");
    ground.write("crlf", "one\r\ntwo\r\n");
    ground.write("lf", "one\ntwo\n");
    createRepository(ground.workspace);
    expect(await ground.observe("echo new > crlf; echo new > lf")).toEqual([
      'crlf: file 644 "one\\r\\ntwo\\r\\n" -> file 644 "new\\n"',
      'lf: file 644 "one\\ntwo\\n" -> file 644 "new\\n"',
    ]);
  });

  test("what it takes for unchanged is not read, but comes from there when it is needed", async () => {
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

  test("what it only believes to be unchanged is read", async () => {
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
});

test("more than a run may keep is named before the command runs", async () => {
  ground = makeObserveGround(100_000);
  ground.write("a", "x".repeat(60_000));
  ground.write("b", "y".repeat(60_000));
  ground.write("c", "small");
  await ground.begin();
  expect(ground.notCaptured.map(({ path }) => path)).toHaveLength(1);
  expect(ground.notCaptured[0]?.why).toContain("FROND_MAX_UNDO_MB");
});

test("bytes with a secret are kept nowhere", async () => {
  ground.write("a", "hush");
  ground.write("b", "hush in git");
  createRepository(ground.workspace);
  ground.write("c", "hush too");
  const isSecret = (bytes: Uint8Array): boolean => Buffer.from(bytes).includes("hush");
  const { workspace, observer, blobs } = ground;
  const request = { runId: "run_1", workspace, signal: new AbortController().signal, holdsSecret: isSecret };
  const begun = await observer.begin({ ...request, writes: [] });
  if (!begun.ok) throw new Error(begun.error);
  expect(begun.value.notCaptured).toEqual([{ path: "c", why: "it holds a secret, which is kept nowhere" }]);
  for (const name of ["a", "b", "c"]) ground.write(name, `new ${name}`);
  const compared = await observer.compare(begun.value.snapshot, request);
  if (!compared.ok) throw new Error(compared.error);
  for (const change of compared.value.changes) {
    if (change.kind !== "observed" || change.before.kind !== "file") throw new Error(change.kind);
    expect(change.before.kept).toBeUndefined();
    expect(await blobs.get(change.before.sha256)).toBeUndefined();
  }
  expect(compared.value.notCaptured.map(({ path }) => path)).toEqual(["a", "b"]);
});

test("whoever does not wait any more is answered at once", async () => {
  const abort = new AbortController();
  const begun = ground.observer.begin({
    runId: "run_1",
    workspace: ground.workspace,
    writes: [],
    signal: abort.signal,
  });
  abort.abort(new Error("enough"));
  await expect(begun).rejects.toThrow("enough");
  expect(await ground.observe("echo -n x > a")).toEqual(['a: missing -> file 644 "x"']);
});

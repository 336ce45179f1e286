import { beforeEach, expect, test } from "vitest";
import { createRepository } from "../rig/git-repository.ts";
import { makeObserveGround, type ObserveGround } from "./observe-ground.ts";

/** Commands that change what git ignores. */

let ground: ObserveGround;

beforeEach(() => {
  ground = makeObserveGround();
});

const unknown = "git ignored it before the command, so what it was like is not known";
const rulesChanged =
  "the command changed which files git ignores: of those that are hidden now, or were, nothing is known";

test("rules that a command makes hide neither what was observed before nor what is new", async () => {
  ground.write("a", "one");
  createRepository(ground.workspace);
  ground.write("b", "two");
  expect(await ground.observe("echo '*' > .gitignore; rm a b; mkdir c; echo -n x > c/d")).toEqual([
    '.gitignore: missing -> file 644 "*\\n"',
    'a: file 644 "one" -> missing',
    'b: file 644 "two" -> missing',
    "c: missing -> directory 0755",
    'c/d: missing -> file 644 "x"',
  ]);
  expect(ground.notCaptured).toEqual([]);
});

test.each([
  ["a tracked file", true],
  ["an untracked file", false],
])("of rules in %s, those that were there before hide as ever", async (_what, isTracked) => {
  if (!isTracked) createRepository(ground.workspace);
  ground.write(".gitignore", "*.log\n!kept.log\nmodules/\n");
  if (isTracked) createRepository(ground.workspace);
  ground.write("modules/old", "old");
  const command = "echo 'new*' >> .gitignore; echo -n 1 > new1; echo 2 > a.log; echo 3 > modules/b; mkdir -p d/modules";
  expect(await ground.observe(command)).toEqual([
    expect.stringMatching(/^\.gitignore: file 644 /),
    "d: missing -> directory 0755",
    'new1: missing -> file 644 "1"',
  ]);
  expect(ground.notCaptured).toEqual([]);
});

test("rules that hid before hide as ever also when others are taken away before them", async () => {
  ground.write(".gitignore", "x\n*.log\n");
  createRepository(ground.workspace);
  expect(await ground.observe("printf '*.log\\n*.tmp\\n' > .gitignore; echo 1 > a.log; echo -n 2 > b.tmp")).toEqual([
    expect.stringMatching(/^\.gitignore: file 644 /),
    'b.tmp: missing -> file 644 "2"',
  ]);
  expect(ground.notCaptured).toEqual([]);
});

test("what was hidden and is not any more is named, and what is gone meanwhile", async () => {
  ground.write(".gitignore", "*.log\n*.tmp\nbuild/\n");
  ground.write("d/e", "seen");
  createRepository(ground.workspace);
  for (const path of ["a.log", "d/b.log", "c.tmp", "gone.tmp", "build/out"]) ground.write(path, "one");
  expect(await ground.observe("echo '*.tmp' > .gitignore; echo two > a.log; rm gone.tmp d/b.log")).toEqual([
    '.gitignore: file 644 "*.log\\n*.tmp\\nbuild/\\n" -> file 644 "*.tmp\\n"',
  ]);
  expect(ground.notCaptured).toEqual(["a.log", "build", "d/b.log", "gone.tmp"].map((path) => ({ path, why: unknown })));
});

test("what was hidden in a directory that is gone is named where the rules are gone too", async () => {
  ground.write(".gitignore", "*.log\n");
  ground.write("d/e/f", "seen");
  createRepository(ground.workspace);
  ground.write("d/e/a.log", "one");
  await ground.observe("rm .gitignore; rm -r d");
  expect(ground.notCaptured).toEqual([{ path: "d/e/a.log", why: unknown }]);
});

test("rules are named that say no longer what is not ignored", async () => {
  ground.write(".gitignore", "*.log\n");
  ground.write("d/.gitignore", "!kept.log\n");
  createRepository(ground.workspace);
  await ground.observe("rm d/.gitignore; echo x > d/kept.log");
  expect(ground.notCaptured).toEqual([{ path: "d/.gitignore", why: rulesChanged }]);
});

test("rules that hide themselves are observed", async () => {
  ground.write("cache/.gitignore", "*\n");
  ground.write("cache/a", "one");
  createRepository(ground.workspace);
  expect(await ground.observe("echo two > cache/a")).toEqual([]);
  expect(await ground.observe("rm cache/.gitignore cache/a")).toEqual(['cache/.gitignore: file 644 "*\\n" -> missing']);
  expect(ground.notCaptured).toEqual([{ path: "cache/a", why: unknown }]);
});

test("what a command makes with rules that hide it is observed", async () => {
  createRepository(ground.workspace);
  expect(await ground.observe("mkdir cache; echo '*' > cache/.gitignore; echo -n x > cache/a")).toEqual([
    "cache: missing -> directory 0755",
    'cache/.gitignore: missing -> file 644 "*\\n"',
    'cache/a: missing -> file 644 "x"',
  ]);
  expect(ground.notCaptured).toEqual([]);
});

test("rules of a workspace below the top of a repository, and of a nested one", async () => {
  const outer = makeObserveGround();
  outer.write("sub/inner/a", "one");
  createRepository(outer.at("sub/inner"));
  createRepository(outer.workspace);
  const request = { runId: "run_1", workspace: outer.at("sub"), signal: new AbortController().signal };
  const begun = await outer.observer.begin({ ...request, writes: [] });
  if (!begun.ok) throw new Error(begun.error);
  for (const path of ["sub", "sub/inner"]) {
    outer.write(`${path}/.gitignore`, "new\n");
    outer.write(`${path}/new`, "x");
  }
  const compared = await outer.observer.compare(begun.value.snapshot, request);
  const paths = [".gitignore", "inner/.gitignore", "inner/new", "new"];
  expect(compared).toMatchObject({ ok: true, value: { changes: paths.map((path) => ({ at: { path } })) } });
});

test.each(["echo 'new*' >> .git/info/exclude", "git config core.excludesFile /nonexistent"])(
  "what git is told beside the files is named: %s",
  async (command) => {
    createRepository(ground.workspace);
    await ground.observe(command);
    expect(ground.notCaptured).toEqual([{ path: ".git", why: rulesChanged }]);
    await ground.observe("git config user.name Somebody");
    expect(ground.notCaptured).toEqual([]);
  },
);

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SandboxRequest } from "../../block/ports.ts";
import type { Result } from "../../util/result.ts";
import { HeldEntries } from "../files/held-entries.ts";
import type { Mount } from "./bubblewrap-options.ts";
import { listedDirectories, type Surroundings, surveyMounts } from "./sandbox-mounts.ts";

/** What a sandbox would have; whatever it needs is released at once. */
function surveyOnce(request: SandboxRequest, surroundings: Surroundings): Result<readonly Mount[], string> {
  const held = new HeldEntries();
  const surveyed = surveyMounts(request, surroundings, held);
  held.close();
  if (!surveyed.ok) return surveyed;
  surveyed.value.release();
  return { ok: true, value: surveyed.value.mounts.map(({ path, kind }) => ({ path, kind })) };
}

/** A home with a workspace in it, and a state directory beside it. */
function createGround(...files: readonly string[]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "frond-mounts-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const at = (path: string): string => join(root, path);
  for (const directory of ["home/work", "state"]) mkdirSync(at(directory), { recursive: true });
  for (const file of files) {
    mkdirSync(join(at(file), ".."), { recursive: true });
    if (file.endsWith("/")) mkdirSync(at(file), { recursive: true });
    else writeFileSync(at(file), "");
  }
  const workspace = at("home/work");
  function survey(request: Partial<SandboxRequest> = {}, surroundings: Partial<Surroundings> = {}) {
    const surveyed = surveyOnce(
      { network: "none", workspace, ...request },
      { homes: [at("home")], stateDirectory: at("state"), readable: [], ...surroundings },
    );
    if (!surveyed.ok) return surveyed.error;
    const below = surveyed.value.filter(({ path }) => path.startsWith(`${root}/`));
    return Object.fromEntries(below.map(({ path, kind }) => [path.slice(root.length + 1), kind]));
  }
  return { at, survey, workspace };
}

const sealed = { "home/work/.git": "read-only", "home/work/.frond": "read-only" };
const plain = { home: "private", state: "private", "home/work": "writable", ...sealed };

test("home, state directory and what everybody shares are private, the workspace is writable", () => {
  const { at, workspace } = createGround();
  const surveyed = surveyOnce(
    { network: "none", workspace },
    { homes: [at("home"), at("missing"), "/"], stateDirectory: at("state"), readable: [] },
  );
  expect(surveyed).toEqual({
    ok: true,
    value: expect.arrayContaining([
      { path: "/tmp", kind: "private" },
      { path: realpathSync("/run"), kind: "private" },
      { path: at("home"), kind: "private" },
      { path: at("state"), kind: "private" },
      { path: workspace, kind: "writable" },
    ]),
  });
});

test("hooks and settings of git are read-only, and the directory around them can't be moved away", () => {
  const { survey } = createGround("home/work/.git/config", "home/work/.git/hooks/pre-commit", "home/work/.git/HEAD");
  const settings = ["config", "config.worktree", "hooks", "modules"].map((name) => [
    `home/work/.git/${name}`,
    "read-only",
  ]);
  const git = { "home/work/.git": "writable", ...Object.fromEntries(settings) };
  const pointers = { "home/work/.git/commondir": "read-only", "home/work/.git/frond-sandbox": "read-only" };
  expect(survey()).toEqual({ ...plain, ...git, ...pointers });
});

test("where there are no hooks, none can be made", () => {
  const { survey } = createGround("home/work/.git/config");
  expect(survey()).toMatchObject({ "home/work/.git/hooks": "read-only" });
});

test("a worktree's .git, which is a file, is read-only, and so are the workflows of the project", () => {
  const { survey } = createGround("home/work/.git", "home/work/.frond/workflows/x.yaml");
  expect(survey()).toEqual(plain);
});

test.each([".git", ".git/hooks", ".git/config", ".frond"])(
  "a link as %s, which could be replaced, is refused",
  (name) => {
    const { at, survey } = createGround("home/work/.git/");
    if (name === ".git") rmSync(at("home/work/.git"), { recursive: true });
    symlinkSync("elsewhere", at(`home/work/${name}`));
    expect(survey()).toBe(
      `'${at(`home/work/${name}`)}' is a symbolic link, which the sandbox can't keep from being replaced`,
    );
  },
);

test("names that are taken for the time of a sandbox are free afterwards, and what the user has put there stays", () => {
  const { at, survey, workspace } = createGround("home/work/.git/HEAD");
  survey();
  expect(readdirSync(workspace)).toEqual([".git"]);
  expect(readdirSync(at("home/work/.git")).sort()).toEqual(["HEAD", "config", "config.worktree", "hooks", "modules"]);
});

test("the last of several sandboxes frees a name, and what a dead process has left is no holder", () => {
  const { at, workspace } = createGround();
  const request = { network: "none", workspace } as const;
  const surroundings = { homes: [at("home")], stateDirectory: at("state"), readable: [] };
  const take = () => {
    const held = new HeldEntries();
    const surveyed = surveyMounts(request, surroundings, held);
    held.close();
    if (!surveyed.ok) throw new Error(surveyed.error);
    return surveyed.value;
  };
  // Made by the dead process, as the sticky bit tells.
  mkdirSync(join(workspace, ".git"), 0o1755);
  mkdirSync(join(workspace, ".git/frond-sandbox"));
  writeFileSync(join(workspace, ".git/frond-sandbox/hold-1.1.deadboot.x.1"), "");
  const [one, other] = [take(), take()];
  one.release();
  expect(readdirSync(workspace).sort()).toEqual([".frond", ".git"]);
  mkdirSync(join(workspace, ".frond/workflows"));
  other.release();
  expect(readdirSync(workspace)).toEqual([".frond"]);
  expect(readdirSync(join(workspace, ".frond"))).toEqual(["workflows"]);
});

test("the pointers and settings of worktrees are read-only, wherever those lie, and so are submodules", () => {
  const files = ["config", "modules/sub/config", "worktrees/a/commondir", "worktrees/a/gitdir", "worktrees/a/HEAD"];
  const { at, survey } = createGround(...files.map((file) => `home/work/.git/${file}`));
  writeFileSync(at("home/work/.git/config"), "[extensions]\n\tworktreeConfig = true\n");
  const found = survey();
  expect(found).toMatchObject({
    "home/work/.git/modules": "read-only",
    "home/work/.git/config.worktree": "read-only",
    "home/work/.git/worktrees": "writable",
    "home/work/.git/worktrees/a": "writable",
    "home/work/.git/worktrees/a/commondir": "read-only",
    "home/work/.git/worktrees/a/gitdir": "read-only",
    "home/work/.git/worktrees/a/config.worktree": "read-only",
  });
  writeFileSync(at("home/work/.git/worktrees/a/gitdir"), `${at("home/work/tree")}/.git\n`);
  expect(survey({ freeWorktree: at("home/work/tree") })).not.toHaveProperty("home/work/.git/worktrees/a");
});

test("a repository elsewhere in the workspace, which .git only names, is guarded there", () => {
  const { at, survey } = createGround("home/work/.git", "home/work/a/.bare/config", "home/work/a/.bare/hooks/x");
  writeFileSync(at("home/work/.git"), "gitdir: ./a/.bare\n");
  expect(survey()).toMatchObject({
    "home/work/.git": "read-only",
    "home/work/a": "writable",
    "home/work/a/.bare": "writable",
    "home/work/a/.bare/config": "read-only",
    "home/work/a/.bare/hooks": "read-only",
    "home/work/a/.bare/commondir": "read-only",
  });
});

test("what is readable through a link that a command can make is not shown", () => {
  const { at, survey } = createGround("home/.ssh/id", "home/work/bin/tool");
  symlinkSync(at("home/work/bin"), at("home/bin"));
  expect(survey({}, { readable: [at("home/bin")] })).toEqual({ ...plain, "home/bin": "read-only" });
  rmSync(at("home/work/bin"), { recursive: true });
  symlinkSync(at("home/.ssh"), at("home/work/bin"));
  expect(survey({}, { readable: [at("home/bin")] })).toEqual(plain);
});

test("a scratch directory is writable where it is outside the workspace", () => {
  const { at, survey } = createGround("home/work/.scratch/run_1/", "home/work/inner/");
  expect(survey({ scratch: at("home/work/.scratch/run_1") })).toEqual(plain);
  expect(survey({ workspace: at("home/work/inner"), scratch: at("home/work/.scratch/run_1") })).toEqual({
    home: "private",
    state: "private",
    "home/work/inner": "writable",
    "home/work/inner/.git": "read-only",
    "home/work/inner/.frond": "read-only",
    "home/work/.scratch/run_1": "writable",
  });
});

test("a state directory in the workspace is private all the same", () => {
  const { at, survey } = createGround("home/work/state/");
  expect(survey({}, { stateDirectory: at("home/work/state") })).toMatchObject({ "home/work/state": "private" });
});

test("what is to be readable is shown where it would be hidden, and nothing else of it", () => {
  const { at, survey } = createGround("home/.local/bin/tool", "home/work/bin/tool", "state/bin/tool");
  const readable = ["home/.local/bin", "home/work/bin", "state/bin", "home", "missing/bin"].map(at);
  expect(survey({}, { readable: [...readable, "/usr/bin"] })).toEqual({ ...plain, "home/.local/bin": "read-only" });
});

test("a home that is named through a link is hidden where it really is, and shown from there", () => {
  const { at, survey } = createGround("home/.local/bin/tool");
  symlinkSync(at("home"), at("link"));
  expect(survey({}, { homes: [at("link")], readable: [at("link/.local/bin")] })).toEqual({
    ...plain,
    "home/.local/bin": "read-only",
  });
});

test.each(["home", "state"])("a workspace that is the %s directory itself is refused", (name) => {
  const { at, survey } = createGround();
  expect(survey({ workspace: at(name) })).toBe(
    `the sandbox has a '${at(name)}' of its own: work in a directory below it`,
  );
  expect(survey({ workspace: "/" })).toMatch(/^the sandbox has a '\/' of its own/);
});

test("lists of directories hold absolute ones, ~ being the home", () => {
  expect(listedDirectories("/usr/bin:bin::.:/opt/x/../y/:~/.cargo:~:~other", "/home/me")).toEqual([
    "/usr/bin",
    "/opt/y",
    "/home/me/.cargo",
    "/home/me",
  ]);
  expect(listedDirectories(undefined, "/home/me")).toEqual([]);
  expect(listedDirectories("~/x:/y", undefined)).toEqual(["/y"]);
});

test("there is no sandbox for a workspace that lies in the state directory", () => {
  const { at, survey } = createGround("state/logs/");
  expect(survey({ workspace: at("state/logs") })).toContain("is in Frond's own state directory");
});

test("there is no sandbox for a workspace, or a scratch directory, in whose place a link was put", () => {
  const { at, survey, workspace } = createGround("home/other/", "elsewhere/");
  symlinkSync(at("elsewhere"), at("home/link"));
  expect(survey({ workspace: at("home/link") })).toContain("leads through a symbolic link");
  mkdirSync(at("elsewhere/run"));
  expect(survey({ workspace, scratch: at("home/link/run") })).toContain("leads through a symbolic link");
});

import { chmodSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { createRepository, git } from "../rig/git-repository.ts";

/** A repository with one commit, and a workflow of one command that is observed. */
function createObserved(command: string, more: object = {}): Frond {
  const work = shell("work", command, { effects: "observe", ...more });
  const frond = createFrond({ "work.yaml": workflow("work", [work]), file: "one\n", ".gitignore": "dist/\n*.log\n" });
  createRepository(frond.directory);
  return frond;
}

const identity = "-c user.name=test -c user.email=test@example.org";
const commit = `echo two > file && git add file && git ${identity} commit --quiet --message=Two`;

test("branches, tags and HEAD go back, the index stays, and git reset makes it as HEAD is", async () => {
  const frond = createObserved(`${commit}; git tag two; git checkout --quiet -b side; echo new > new; git add new`);
  const look = (...args: readonly string[]): string => git(frond.directory, ...args);
  const refs = (): string => look("for-each-ref", "--format=%(refname) %(objectname)") + look("symbolic-ref", "HEAD");
  const before = refs();
  expect((await frond.run(["run", "work.yaml"])).code).toBe(0);
  const index = look("ls-files", "--stage");
  expect(refs()).not.toBe(before);
  expect((await frond.run(["undo", "last", "--yes"])).code).toBe(0);
  expect([refs(), frond.read("file"), look("ls-files", "--stage")]).toEqual([before, "one\n", index]);
  expect(look("status", "--porcelain")).toBe("MM file\nAD new");
  look("reset", "--quiet");
  expect([look("status", "--porcelain"), frond.read("file")]).toEqual(["", "one\n"]);
});

test("a branch that was moved since stays where it is, and is named", async () => {
  const frond = createObserved(commit);
  await frond.run(["run", "work.yaml"]);
  git(frond.directory, "commit", "--quiet", "--allow-empty", "--message=Mine");
  const { code, stdout } = await frond.run(["undo", "last", "--yes"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("stays refs/heads/main: it was moved since")]);
  expect(git(frond.directory, "log", "--format=%s")).toBe("Mine\nTwo\nFirst");
  expect(frond.read("file")).toBe("one\n");
});

test("of ignored files those come back that writes names, large ones are named, set-user-id bits are not restored", async () => {
  const command = "for at in dist/a a.log large tool; do rm $at; echo new > $at; done";
  const frond = createObserved(command, { writes: ["dist/**"] });
  for (const path of ["dist/a", "a.log", "large", "tool"]) frond.write(path, "old\n");
  truncateSync(join(frond.directory, "large"), 50_000_001);
  chmodSync(join(frond.directory, "tool"), 0o4755);
  await frond.run(["run", "work.yaml"]);
  const { stdout } = await frond.run(["undo", "last", "--yes"]);
  expect(stdout).toContain("  large  it was changed, and it is larger than 50 MB");
  expect(["dist/a", "a.log", "large", "tool"].map((path) => frond.read(path))).toEqual([
    "old\n",
    "new\n",
    "new\n",
    "old\n",
  ]);
  expect(statSync(join(frond.directory, "tool")).mode & 0o7777).toBe(0o755);
});

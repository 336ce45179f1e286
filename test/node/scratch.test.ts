import { existsSync } from "node:fs";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createScratch } from "../../src/node/scratch.ts";

let workspace: string;

beforeEach(async () => {
  workspace = await realpath(await mkdtemp(join(tmpdir(), "frond-scratch-")));
});

afterEach(async () => {
  await rm(workspace, { recursive: true });
});

test("nothing is made before it is needed", async () => {
  const scratch = createScratch(workspace, "run-1");
  expect(await readdir(workspace)).toEqual([]);
  await scratch.remove();
  expect(await readdir(workspace)).toEqual([]);
});

test("the directory of a run is private and hidden from git", async () => {
  await writeFile(join(workspace, ".gitignore"), "mine\n");
  const scratch = createScratch(workspace, "run-1");
  const [path, again] = await Promise.all([scratch.path(), scratch.path()]);
  expect([path, again]).toEqual([join(workspace, ".scratch", "run-1"), path]);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect(await readFile(join(workspace, ".scratch", ".gitignore"), "utf8")).toBe("*\n");
  expect(await readFile(join(workspace, ".gitignore"), "utf8")).toBe("mine\n");
});

test("the last run to go removes everything, and no run what another still uses", async () => {
  const [first, second] = [createScratch(workspace, "run-1"), createScratch(workspace, "run-2")];
  await writeFile(join(await first.path(), "file"), "1");
  await writeFile(join(await second.path(), "file"), "2");
  await first.remove();
  expect((await readdir(join(workspace, ".scratch"))).sort()).toEqual([".gitignore", "run-2"]);
  await second.remove();
  expect(await readdir(workspace)).toEqual([]);
});

test("runs that come and go at the same time do not disturb each other", async () => {
  const runs = Array.from({ length: 30 }, (_, index) => createScratch(workspace, `run-${index}`));
  const found = await Promise.all(
    runs.map(async (scratch) => {
      const path = await scratch.path();
      await writeFile(join(path, "file"), "");
      const isThere = existsSync(join(path, "file"));
      await scratch.remove();
      return isThere;
    }),
  );
  expect(found.every(Boolean)).toBe(true);
  expect(await readdir(workspace)).toEqual([]);
});

test("an ignore file somebody else wrote stays", async () => {
  await mkdir(join(workspace, ".scratch"));
  await writeFile(join(workspace, ".scratch", ".gitignore"), "*\n!.gitignore\n");
  const scratch = createScratch(workspace, "run-1");
  await scratch.path();
  await scratch.remove();
  expect(await readFile(join(workspace, ".scratch", ".gitignore"), "utf8")).toBe("*\n!.gitignore\n");
});

test("a link in its place is neither used nor emptied", async () => {
  const elsewhere = join(workspace, "elsewhere");
  await mkdir(join(elsewhere, "run-1"), { recursive: true });
  await symlink(elsewhere, join(workspace, ".scratch"));
  const scratch = createScratch(workspace, "run-1");
  await expect(scratch.path()).rejects.toThrow("is a symbolic link");
  await scratch.remove();
  expect(await readdir(elsewhere)).toEqual(["run-1"]);
});

test("the directory of a run is never one that was there before", async () => {
  await mkdir(join(workspace, ".scratch", "run-1"), { recursive: true });
  await writeFile(join(workspace, ".scratch", "run-1", "file"), "");
  const scratch = createScratch(workspace, "run-1");
  await expect(scratch.path()).rejects.toThrow("EEXIST");
  await scratch.remove();
  expect(await readdir(join(workspace, ".scratch", "run-1"))).toEqual(["file"]);
});

test.runIf(process.getuid?.() === 0)(
  "a directory of another user in its place is neither used nor emptied",
  async () => {
    const shared = join(workspace, ".scratch");
    await mkdir(shared, { mode: 0o777 });
    await asOrdinaryUser(workspace, async () => {
      const scratch = createScratch(workspace, "run-1");
      await expect(scratch.path()).rejects.toThrow("belongs to another user");
      await scratch.remove();
    });
    expect(await readdir(shared)).toEqual([]);
  },
);

test("a run id cannot lead out of the directory", () => {
  for (const id of ["..", ".", "", "a/b", ".gitignore"]) expect(() => createScratch(workspace, id)).toThrow(RangeError);
});

test("what a tool has made read-only is removed all the same", async () => {
  await asOrdinaryUser(workspace, async () => {
    const scratch = createScratch(workspace, "run-1");
    const cache = join(await scratch.path(), "cache", "module");
    await mkdir(cache, { recursive: true });
    await writeFile(join(cache, "file"), "");
    await chmod(cache, 0o500);
    await chmod(join(cache, ".."), 0o500);
    await scratch.remove();
    expect(await readdir(workspace)).toEqual([]);
  });
});

/** Nothing is read-only for root, so root becomes somebody else for a while. */
async function asOrdinaryUser(directory: string, action: () => Promise<void>): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  const nobody = 65_534;
  if (isRoot) {
    await chown(directory, nobody, nobody);
    process.seteuid?.(nobody);
  }
  try {
    await action();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

import { existsSync } from "node:fs";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createScratch } from "./scratch.ts";

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

describe("of a run that goes on in another process", () => {
  test("the directory is found again with what is in it, and goes with the run", async () => {
    await writeFile(join(await createScratch(workspace, "run-1").path(), "file"), "kept");
    const scratch = createScratch(workspace, "run-1", { mayExist: true });
    expect(await readFile(join(await scratch.path(), "file"), "utf8")).toBe("kept");
    await scratch.remove();
    expect(await readdir(workspace)).toEqual([]);
  });

  test("a copy of another run's that was cut off is made anew, and never left behind", async () => {
    await writeFile(join(await createScratch(workspace, "run-0").path(), "file"), "kept");
    const partial = join(workspace, ".scratch", "run-1.partial");
    await mkdir(partial);
    const scratch = createScratch(workspace, "run-1", { mayExist: true, copyOf: "run-0" });
    expect(await readFile(join(await scratch.path(), "file"), "utf8")).toBe("kept");
    await mkdir(partial);
    await createScratch(workspace, "run-1", { mayExist: true }).remove();
    expect((await readdir(join(workspace, ".scratch"))).sort()).toEqual([".gitignore", "run-0"]);
  });

  test("the directory is made when there is none", async () => {
    const scratch = createScratch(workspace, "run-1", { mayExist: true });
    expect((await stat(await scratch.path())).mode & 0o777).toBe(0o700);
    await scratch.remove();
    expect(await readdir(workspace)).toEqual([]);
  });

  test("the directory is removed even if nobody asked for it here", async () => {
    await createScratch(workspace, "run-1").path();
    await createScratch(workspace, "run-2").path();
    await createScratch(workspace, "run-1", { mayExist: true }).remove();
    expect((await readdir(join(workspace, ".scratch"))).sort()).toEqual([".gitignore", "run-2"]);
  });

  test("a link or a file in its place is neither used nor removed", async () => {
    const elsewhere = join(workspace, "elsewhere");
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, "file"), "");
    await mkdir(join(workspace, ".scratch"));
    await symlink(elsewhere, join(workspace, ".scratch", "run-1"));
    await writeFile(join(workspace, ".scratch", "run-2"), "");
    const [linked, blocked] = [
      createScratch(workspace, "run-1", { mayExist: true }),
      createScratch(workspace, "run-2", { mayExist: true }),
    ];
    await expect(linked.path()).rejects.toThrow("is a symbolic link");
    await expect(blocked.path()).rejects.toThrow("is not a directory");
    await linked.remove();
    await blocked.remove();
    expect(await readdir(elsewhere)).toEqual(["file"]);
    expect((await readdir(join(workspace, ".scratch"))).sort()).toEqual([".gitignore", "run-1", "run-2"]);
  });

  test.runIf(process.getuid?.() === 0)("a directory of another user is neither used nor removed", async () => {
    await mkdir(join(workspace, ".scratch", "run-1"), { recursive: true, mode: 0o777 });
    await asOrdinaryUser(workspace, async () => {
      await rename(join(workspace, ".scratch"), join(workspace, "foreign"));
      await mkdir(join(workspace, ".scratch"));
    });
    await rename(join(workspace, "foreign", "run-1"), join(workspace, ".scratch", "run-1"));
    await asOrdinaryUser(workspace, async () => {
      const scratch = createScratch(workspace, "run-1", { mayExist: true });
      await expect(scratch.path()).rejects.toThrow("belongs to another user");
      await scratch.remove();
    });
    expect(await readdir(join(workspace, ".scratch"))).toContain("run-1");
  });
});

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

test("a file is written as a whole, and replaces a link instead of following it", async () => {
  const scratch = createScratch(workspace, "run_1");
  const file = await scratch.write("a.txt", Buffer.from("one"));
  expect(file).toBe(join(await scratch.path(), "a.txt"));
  const elsewhere = join(workspace, "elsewhere");
  await writeFile(elsewhere, "untouched");
  await symlink(elsewhere, join(await scratch.path(), "b.txt"));
  expect(await readFile(await scratch.write("b.txt", Buffer.from("two")), "utf8")).toBe("two");
  expect(await readFile(elsewhere, "utf8")).toBe("untouched");
  expect(await scratch.write("../../c", Buffer.from(""))).toBe(join(await scratch.path(), "c"));
});

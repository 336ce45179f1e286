import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { describe, expect, type TestContext, test } from "vitest";
import { explainFailure, Refusal } from "../../src/platform/files/file-problems.ts";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { mountMemory, type SmallDisk } from "../journal/small-disk.ts";
import { readTree } from "../rig/file-tree.ts";
import { type FileGround, makeFileGround } from "./file-ground.ts";
import { type FileStep, perform } from "./file-steps.ts";
import { buildFileWorker, runFileWorker } from "./start-file-worker.ts";

const files = createFileSystem();
const isRoot = process.getuid?.() === 0;
const somebody = 54_321;

buildFileWorker();

const changes: readonly FileStep[] = [
  ["replace", "file", "new"],
  ["replace", "new", "new"],
  ["remove", "file"],
  ["remove", "directory"],
  ["makeDirectory", "new"],
  ["makeLink", "new"],
  ["setMode", "file"],
  ["setMode", "directory"],
  ["rename", "file", "directory/file"],
];

describe("a disk", () => {
  function prepare(context: TestContext): SmallDisk {
    const disk = mountMemory(context);
    mkdirSync(join(disk.directory, "directory"), { recursive: true });
    writeFileSync(join(disk.directory, "file"), "old");
    return disk;
  }

  test("that is full keeps the old file, and nothing half-written", async (context) => {
    const disk = prepare(context);
    const root = disk.directory;
    disk.fill(100_000);
    const before = readTree(root);
    const bytes = Buffer.alloc(5_000_000);
    for (const path of ["file", "new"]) {
      expect(await files.replace({ root, path }, bytes, 0o644, ".temporary")).toEqual({
        kind: "unusable",
        message: `'${path}' can't be written: no space is left on the disk`,
      });
    }
    expect(readTree(root)).toEqual(before);
  });

  test("that is read-only says so, and can be read", async (context) => {
    const disk = prepare(context);
    const before = readTree(disk.directory);
    disk.makeReadOnly();
    for (const step of changes) {
      const answer = await perform(files, disk.directory, step);
      expect(answer).toMatch(/^unusable: '.*' can't be .*: the file system is read-only$/);
    }
    expect(await perform(files, disk.directory, ["read", "file"])).toBe("old");
    expect(readTree(disk.directory)).toEqual(before);
  });

  test("is no place to rename to from another one", async (context) => {
    const disk = prepare(context);
    const ground = makeFileGround();
    writeFileSync(ground.at("here"), "text");
    const before = [ground.tree(), readTree(disk.directory)];
    for (const path of ["file", "new"]) {
      expect(await files.rename({ root: ground.root, path: "here" }, { root: disk.directory, path })).toEqual({
        kind: "unusable",
        message: `'here' can't be renamed to '${path}': the two places lie on different file systems; copy it and then delete it`,
      });
    }
    expect([ground.tree(), readTree(disk.directory)]).toEqual(before);
  });
});

describe("without permission", () => {
  function prepare(): FileGround {
    const ground = makeFileGround();
    for (const directory of ["closed", "unwritable", "unlisted", "unlisted/directory"]) {
      mkdirSync(ground.at(directory));
      writeFileSync(ground.at(`${directory}/file`), "text");
      chmodSync(ground.at(`${directory}/file`), 0o644);
    }
    writeFileSync(ground.at("unwritable/hidden"), "text", { mode: 0 });
    mkdirSync(ground.at("unwritable/directory"));
    chmodSync(ground.at("unlisted/directory"), 0o755);
    chmodSync(ground.at("unlisted"), 0o711);
    chmodSync(ground.at("unwritable"), 0o555);
    chmodSync(ground.at("closed"), 0);
    return ground;
  }

  async function performAsSomebody(root: string, steps: readonly FileStep[]): Promise<readonly unknown[]> {
    // Root may do everything.
    return (await runFileWorker({ root, steps }, isRoot ? { uid: somebody } : {})).answers;
  }

  function reopen(ground: FileGround): void {
    for (const directory of ["closed", "unwritable", "unlisted"]) chmodSync(ground.at(directory), 0o755);
  }

  test("nothing is read or changed, and it is said what may not be done", async () => {
    const ground = prepare();
    const answers = await performAsSomebody(ground.root, [
      ["look", "closed/file"],
      ["read", "closed/file"],
      ["list", "closed"],
      ["read", "unwritable/hidden"],
      ["replace", "unwritable/file", "new"],
      ["replace", "unwritable/new", "new"],
      ["remove", "unwritable/file"],
      ["remove", "unwritable/directory"],
      ["makeDirectory", "unwritable/new"],
      ["makeLink", "unwritable/new"],
      ["rename", "unwritable/file", "unwritable/new"],
    ]);
    expect(answers).toEqual([
      "denied: 'closed/file' can't be looked at: permission denied",
      "denied: 'closed/file' can't be read: permission denied",
      "denied: 'closed' can't be listed: permission denied",
      "denied: 'unwritable/hidden' can't be read: permission denied",
      "denied: 'unwritable/file' can't be written: permission denied",
      "denied: 'unwritable/new' can't be written: permission denied",
      "denied: 'unwritable/file' can't be removed: permission denied",
      "denied: 'unwritable/directory' can't be removed: permission denied",
      "denied: 'unwritable/new' can't be made: permission denied",
      "denied: 'unwritable/new' can't be made: permission denied",
      "denied: 'unwritable/file' can't be renamed to 'unwritable/new': permission denied",
    ]);
    reopen(ground);
    const names = Object.keys(ground.tree()).filter((path) => path.startsWith("unwritable/"));
    expect(names).toEqual(["unwritable/", "unwritable/directory/", "unwritable/file", "unwritable/hidden"]);
  });

  test.runIf(isRoot)("to list a directory, what is known to be in it can be reached", async () => {
    const ground = prepare();
    chownSync(ground.at("unlisted/directory"), somebody, somebody);
    const answers = await performAsSomebody(ground.root, [
      ["list", "unlisted"],
      ["read", "unlisted/file"],
      ["list", "unlisted/directory"],
      ["replace", "unlisted/directory/new", "new"],
    ]);
    expect(answers).toEqual(["denied: 'unlisted' can't be listed: permission denied", "text", ["file"], "done"]);
  });
});

test.runIf(isRoot)(
  "the mode can be set of what is one's own, also where it can't be read, and of nothing else",
  async () => {
    const { root, at } = makeFileGround();
    for (const name of ["mine", "theirs"]) {
      writeFileSync(at(name), "text");
      mkdirSync(at(`${name}-directory`));
    }
    for (const name of ["mine", "mine-directory"]) {
      chownSync(at(name), somebody, somebody);
      chmodSync(at(name), 0);
    }
    chmodSync(at("theirs"), 0o644);
    const steps: readonly FileStep[] = [
      ["setMode", "mine", 0o640],
      ["setMode", "mine-directory", 0o750],
      ["setMode", "theirs", 0o666],
    ];
    const { answers } = await runFileWorker({ root, steps }, { uid: somebody });
    expect(answers).toEqual(["done", "done", "denied: 'theirs' can't be given another mode: permission denied"]);
    const modes = ["mine", "mine-directory", "theirs"].map((name) => (statSync(at(name)).mode & 0o777).toString(8));
    expect(modes).toEqual(["640", "750", "644"]);
  },
);

describe("a limit", () => {
  test("on open files is said, and nothing is left behind", async () => {
    const { root, at, tree } = makeFileGround();
    mkdirSync(at("directory"));
    writeFileSync(at("file"), "old");
    const before = tree();
    const steps: readonly FileStep[] = [["read", "file"], ["list", "directory"], ...changes];
    const { answers } = await runFileWorker({ root, steps, exhausted: true }, { first: "ulimit -n 64" });
    for (const answer of answers) expect(answer).toMatch(/^unusable: '.*' can't be .*: too many files are open$/);
    expect(answers).toHaveLength(steps.length);
    expect(tree()).toEqual(before);
  });

  test("on the size of files is said, and the old file stays", async () => {
    const { root, at, tree } = makeFileGround();
    writeFileSync(at("file"), "old");
    const steps: readonly FileStep[] = [["replace", "file", "x".repeat(10_000)]];
    const { answers } = await runFileWorker({ root, steps }, { first: "ulimit -f 4" });
    expect(answers).toEqual(["unusable: 'file' can't be written: it would be larger than a file may be"]);
    expect(tree()).toEqual({ file: "old" });
  });
});

describe("what the system refuses", () => {
  function failure(name: keyof typeof constants.errno): Error {
    const error = new Error(`${name}: open '/proc/self/fd/20/file'`);
    return Object.assign(error, { errno: -constants.errno[name], code: name, syscall: "open" });
  }
  const attempt = { path: "a/b", done: "written" };

  test.each([
    ["ENOENT", "missing", "it does not exist"],
    ["EEXIST", "exists", "it exists already"],
    ["EACCES", "denied", "permission denied"],
    ["EPERM", "denied", "permission denied"],
    ["ELOOP", "forbidden", "it is a symbolic link, and links are not followed"],
    ["EISDIR", "unusable", "it is a directory"],
    ["ENOTDIR", "unusable", "it is not a directory"],
    ["ENOTEMPTY", "unusable", "the directory is not empty"],
    ["ENOSPC", "unusable", "no space is left on the disk"],
    ["EDQUOT", "unusable", "the disk quota is used up"],
    ["EROFS", "unusable", "the file system is read-only"],
    ["EIO", "unusable", "the disk reports an error"],
    ["EBUSY", "unusable", "it is in use"],
    ["ETXTBSY", "unusable", "text file is busy"],
  ] as const)("%s is told in words that name the path", (name, kind, reason) => {
    const message = `'a/b' can't be written: ${reason}`;
    expect(explainFailure(failure(name), attempt)).toEqual({ kind, message });
  });

  test("and what we refuse ourselves is told as it is, but a bug is not taken for either", () => {
    const problem = { kind: "forbidden", message: "no" } as const;
    expect(explainFailure(new Refusal(problem.kind, problem.message), attempt)).toEqual(problem);
    const bug = new TypeError("not a function");
    expect(() => explainFailure(bug, attempt)).toThrow(bug);
  });
});

import fs, { mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { describe, expect, test, vi } from "vitest";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { type FileGround, makeFileGround } from "./file-ground.ts";
import { type FileStep, perform, temporary } from "./file-steps.ts";

/** Where the descriptors of this process lead that lie below a directory. */
function openBelow(directory: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(directory) ? [path] : [];
    } catch {
      // The one that lists them is gone by now.
      return [];
    }
  });
}

function layOut(): FileGround {
  const ground = makeFileGround();
  mkdirSync(ground.at("directory"));
  for (const path of ["file", "directory/file"]) writeFileSync(ground.at(path), "old");
  symlinkSync("directory", ground.at("link"));
  return ground;
}

function stepsAt(path: string): readonly FileStep[] {
  return [
    ["look", path],
    ["read", path],
    ["hash", path],
    ["readPieces", path],
    ["list", path],
    ["replace", path, "new"],
    ["makeDirectory", path],
    ["makeLink", path],
    ["setMode", path],
    ["rename", path, "other"],
    ["rename", "other", path],
    ["remove", path],
  ];
}

describe.runIf(process.platform === "linux").each(["linux", "darwin", "freebsd"] as const)("as on %s", (platform) => {
  const files = createFileSystem(platform);

  test.each(["file", "directory", "directory/file", "link", "link/file", "nothing", "no/such", "file/x", ""])(
    "nothing stays open, whatever comes of an operation at '%s'",
    async (path) => {
      for (const step of stepsAt(path)) {
        const ground = layOut();
        await perform(files, ground.root, step);
        expect(openBelow(ground.root), step[0]).toEqual([]);
      }
    },
  );
});

describe("what is to last through a crash of the system", () => {
  const files = createFileSystem();

  /** What lies below the root each time something has been made to last. */
  async function watchSyncs(ground: FileGround, step: FileStep): Promise<readonly Record<string, string>[]> {
    const { fsync } = fs;
    const seen: Record<string, string>[] = [];
    const spy = vi.spyOn(fs, "fsync").mockImplementation((fd, callback) => {
      seen.push(ground.tree());
      fsync(fd, callback);
    });
    // Who imports it by its name gets this one too.
    syncBuiltinESMExports();
    try {
      expect(await perform(files, ground.root, step)).toBe("done");
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
    return seen;
  }

  test("the bytes do before the name leads to them, and then the name", async () => {
    const ground = layOut();
    const before = ground.tree();
    const seen = await watchSyncs(ground, ["replace", "file", "new"]);
    expect(seen).toEqual([
      { ...before, [temporary]: "new" },
      { ...before, file: "new" },
    ]);
  });

  test.each<FileStep>([
    ["remove", "file"],
    ["makeDirectory", "directory/made"],
    ["makeLink", "directory/made"],
    ["setMode", "file"],
    ["setMode", "directory"],
    ["rename", "file", "directory/moved"],
  ])("%s does before it is done", async (...step) => {
    const ground = layOut();
    const seen = await watchSyncs(ground, step as FileStep);
    expect(seen.length).toBeGreaterThanOrEqual(step[0] === "rename" ? 2 : 1);
    expect(seen.at(-1)).toEqual(ground.tree());
  });
});

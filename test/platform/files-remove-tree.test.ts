import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFileSystem } from "../../src/platform/files/file-system.ts";

test.each(["linux", "darwin"] as const)(
  "a directory is removed with all that is in it, and nothing where its links lead: on %s",
  async (platform) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "frond-tree-")));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const directory of ["tree/a/b", "tree/empty", "outside"])
      mkdirSync(join(root, directory), { recursive: true });
    for (const file of ["tree/a/b/file", "tree/file", "outside/kept"]) writeFileSync(join(root, file), "");
    symlinkSync("../outside", join(root, "tree/link"));
    symlinkSync("outside", join(root, "way"));
    const files = createFileSystem(platform);
    expect(await files.removeTree({ root, path: "tree" })).toBeUndefined();
    expect(await files.removeTree({ root, path: "tree" })).toBeUndefined();
    expect(existsSync(join(root, "tree"))).toBe(false);
    expect(await files.removeTree({ root, path: "way/kept" })).toMatchObject({ kind: "forbidden" });
    expect(readdirSync(join(root, "outside"))).toEqual(["kept"]);
  },
);

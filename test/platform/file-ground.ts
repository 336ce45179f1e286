import { chmodSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { readTree } from "../rig/file-tree.ts";

/** A root to work below, and beside it what must never be touched. */
export interface FileGround {
  readonly root: string;
  readonly outside: string;
  /** Where something lies below the root. */
  at(path: string): string;
  /** Everything below the root. */
  tree(): Record<string, string>;
  /** Everything outside, with when it last changed. */
  canary(): unknown;
}

/** Removed with the test; anybody may look into it. */
export function makeFileGround(base: string = tmpdir()): FileGround {
  const directory = realpathSync(mkdtempSync(join(base, "frond-files-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  chmodSync(directory, 0o755);
  const root = join(directory, "root");
  const outside = join(directory, "outside");
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, "secret"), "secret");
  return {
    root,
    outside,
    at: (path) => join(root, path),
    tree: () => readTree(root),
    canary: () => {
      const tree = readTree(outside);
      return Object.entries({ ".": "", ...tree }).map(([path, contents]) => {
        const { ino, mode, mtimeMs, ctimeMs, nlink } = lstatSync(join(outside, path));
        return { path, contents, ino, mode, mtimeMs, ctimeMs, nlink };
      });
    },
  };
}

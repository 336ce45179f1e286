import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, type TestContext } from "vitest";
import { scratchDirectory } from "./scratch-directory.ts";

/** A file system of its own, with a state directory on it. */
export interface SmallDisk {
  readonly directory: string;
  /** Leaves about this many bytes. */
  fill(leave: number): void;
  /** Takes away what filled it. */
  empty(): void;
  makeReadOnly(): void;
  makeWritable(): void;
}

const megabytes = 48;

/** In memory. Skips the test where nothing can be mounted. */
export function mountMemory(context: TestContext): SmallDisk {
  return mountDisk(context, (place) => mount("-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", place));
}

/** With blocks that are smaller than pages of memory, so that a page can be without a place on the disk. */
export function mountSmallBlocks(context: TestContext): SmallDisk {
  return mountDisk(context, (place) => {
    const image = join(scratchDirectory(), "image");
    const file = openSync(image, "w");
    ftruncateSync(file, megabytes * 1024 * 1024);
    closeSync(file);
    execFileSync("mkfs.ext4", ["-q", "-b", "1024", "-m", "0", "-O", "^has_journal", image], { stdio: "pipe" });
    mount("-o", "loop", image, place);
  });
}

function mountDisk(context: TestContext, mountAt: (place: string) => void): SmallDisk {
  const place = join(scratchDirectory(), "disk");
  mkdirSync(place);
  try {
    mountAt(place);
  } catch (error) {
    context.skip(`no disk can be mounted here: ${String(error).split("\n")[0]}`);
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", place]));
  const filler = join(place, "filler");
  return {
    directory: join(place, "state"),
    fill(leave) {
      rmSync(filler, { force: true });
      const file = openSync(filler, "w");
      let size = 0;
      try {
        for (const block = Buffer.alloc(64 * 1024, 1); ; ) size += writeSync(file, block);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
      ftruncateSync(file, size - leave);
      closeSync(file);
    },
    empty: () => rmSync(filler),
    makeReadOnly: () => mount("-o", "remount,ro", place),
    makeWritable: () => mount("-o", "remount,rw", place),
  };
}

function mount(...args: readonly string[]): void {
  execFileSync("mount", args, { stdio: "pipe" });
}

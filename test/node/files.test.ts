import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFiles } from "../../src/node/files.ts";

const files = createFiles();
let directory: string;
let root: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "frond-files-"));
  root = join(directory, "root");
  await mkdir(join(root, "a", "b"), { recursive: true });
  await mkdir(join(directory, "outside"));
  await writeFile(join(directory, "outside", "secret"), "secret");
  await writeFile(join(root, "a", "b", "file"), "content");
  await writeFile(join(root, "empty"), "");
  await symlink(join(directory, "outside"), join(root, "linked-directory"));
  await symlink("a/b/file", join(root, "linked-file"));
  await symlink("nowhere", join(root, "dangling"));
  execFileSync("mkfifo", [join(root, "fifo")]);
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

async function read(path: string, maxBytes = 1000): Promise<string> {
  const result = await files.readBelow(root, path, maxBytes);
  return "kind" in result ? `${result.kind}: ${result.message}` : Buffer.from(result.bytes).toString();
}

describe("a file below the root", () => {
  test("is read, however its path is spelled", async () => {
    expect(await Promise.all(["a/b/file", "./a//b/./file", "a/b/file/"].map((path) => read(path)))).toEqual([
      "content",
      "content",
      "content",
    ]);
    expect(await read("empty")).toBe("");
  });

  test("is read up to the limit and not beyond", async () => {
    expect(await read("a/b/file", 7)).toBe("content");
    expect(await read("a/b/file", 6)).toBe("too-large: 'a/b/file' is larger than 6 bytes");
    expect(await read("empty", 0)).toBe("");
  });

  test("is read whole when it is large", async () => {
    const text = "0123456789".repeat(200_000);
    await writeFile(join(root, "large"), text);
    expect((await read("large", 2_000_000)) === text).toBe(true);
    expect(await read("large", 1_999_999)).toBe("too-large: 'large' is larger than 1,999,999 bytes");
  });

  test("is limited by what is read, not by the size it claims", async () => {
    const result = await files.readBelow("/proc/self", "environ", 10);
    expect(result).toMatchObject({ kind: "too-large" });
    const whole = await files.readBelow("/proc/self", "maps", 10_000_000);
    expect("bytes" in whole && whole.bytes.length > 1000).toBe(true);
  });
});

describe("refused is", () => {
  const refusals: [string, string, string][] = [
    [
      "going up",
      "a/../../outside/secret",
      "forbidden: 'a/../../outside/secret' goes up with '..', which is not allowed",
    ],
    ["an absolute path", "/etc/passwd", "forbidden: '/etc/passwd' is an absolute path; a relative one is needed"],
    ["a NUL character", "a\0b", "forbidden: the path contains a NUL character"],
    ["no path at all", "", "forbidden: '' names no file"],
    [
      "a linked directory",
      "linked-directory/secret",
      "forbidden: 'linked-directory' in 'linked-directory/secret' is a symbolic link, and links are not followed",
    ],
    [
      "a linked file",
      "linked-file",
      "forbidden: 'linked-file' in 'linked-file' is a symbolic link, and links are not followed",
    ],
    [
      "a dangling link",
      "dangling",
      "forbidden: 'dangling' in 'dangling' is a symbolic link, and links are not followed",
    ],
    ["a directory", "a/b", "forbidden: 'a/b' is a directory, not a file"],
    ["a FIFO, without waiting for its writer", "fifo", "forbidden: 'fifo' is not a regular file"],
    ["a missing file", "a/none", "missing: the file 'a/none' does not exist"],
    ["a missing directory", "none/file", "missing: the file 'none/file' does not exist"],
    ["a path through a file", "a/b/file/x", "missing: the file 'a/b/file/x' does not exist"],
  ];
  for (const [name, path, answer] of refusals) {
    test(name, async () => {
      expect(await read(path)).toBe(answer);
    });
  }

  test("the same where directories cannot be walked by descriptor", async () => {
    for (const platform of ["darwin", "freebsd"] as const) {
      const elsewhere = createFiles(platform);
      for (const [, path, answer] of refusals) {
        expect(await elsewhere.readBelow(root, path, 1000)).toMatchObject({ kind: answer.split(":")[0] });
      }
      expect(await elsewhere.readBelow(root, "a/b/file", 1000)).toEqual({ bytes: Buffer.from("content") });
    }
  });

  test("a missing root", async () => {
    const gone = join(directory, "gone");
    const message = `the directory '${gone}' does not exist or may not be read`;
    expect(await files.readBelow(gone, "file", 10)).toEqual({ kind: "missing", message });
  });
});

const racer = `
  const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
  process.stdout.write("racing");
  for (;;) {
    renameSync("root/raced", "root/real");
    symlinkSync("../outside", "root/raced");
    unlinkSync("root/raced");
    renameSync("root/real", "root/raced");
  }
`;

test("a link swapped in while the path is walked is never followed", async () => {
  await mkdir(join(root, "raced"));
  await writeFile(join(root, "raced", "secret"), "public");
  const child = spawn(process.execPath, ["-e", racer], { cwd: directory, stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(child.stdout, "data");
    const seen = { public: 0, missing: 0, forbidden: 0, other: 0 };
    const metEveryState = () => Math.min(seen.public, seen.missing, seen.forbidden) >= 50;
    const end = performance.now() + 1000;
    while (performance.now() < end || !metEveryState()) {
      const kind = (await read("raced/secret")).split(":")[0] as keyof typeof seen;
      seen[kind in seen ? kind : "other"]++;
    }
    expect(seen.other).toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
});

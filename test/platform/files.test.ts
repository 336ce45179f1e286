import { createHash } from "node:crypto";
import { linkSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { makeFileGround } from "./file-ground.ts";
import { type FileStep, perform } from "./file-steps.ts";

const files = createFileSystem();
const platforms = ["linux", "darwin", "freebsd"] as const;

function stepsAt(path: string): readonly FileStep[] {
  return [
    ["look", path],
    ["read", path],
    ["list", path],
    ["hash", path],
    ["readPieces", path],
    ["replace", path, "new"],
    ["remove", path],
    ["makeDirectory", path],
    ["makeLink", path],
    ["setMode", path],
    ["rename", path, "other"],
    ["rename", "file", path],
  ];
}

async function read(root: string, path: string, maxBytes: number): Promise<string> {
  const result = await files.read({ root, path }, maxBytes);
  return "kind" in result ? `${result.kind}: ${result.message}` : Buffer.from(result.bytes).toString();
}

describe("a file below the root", () => {
  test("is found, however its path is spelled", async () => {
    const { root, at } = makeFileGround();
    mkdirSync(at("a/b"), { recursive: true });
    writeFileSync(at("a/b/file"), "content");
    for (const path of ["a/b/file", "./a//b/./file", "a/b/file/"]) {
      expect(await perform(files, root, ["read", path])).toBe("content");
      expect(await perform(files, root, ["replace", path, "content"])).toBe("done");
      expect(await perform(files, root, ["list", "a/b/."])).toEqual(["file"]);
    }
  });

  test("is read in pieces", async () => {
    const { root, at } = makeFileGround();
    writeFileSync(at("file"), Buffer.alloc(2_500_000, "abc"), { mode: 0o640 });
    const sizes: number[] = [];
    const read = await files.readPieces({ root, path: "file" }, async (piece) => void sizes.push(piece.length));
    expect(read).toEqual({ size: 2_500_000, mode: 0o640 });
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2_500_000);
  });

  test("gets another mode, without the bits that lend the rights of somebody", async () => {
    const { root, at } = makeFileGround();
    writeFileSync(at("file"), "text");
    mkdirSync(at("directory"));
    for (const [name, mode] of [
      ["file", 0o4640],
      ["directory", 0o1750],
    ] as const) {
      expect(await perform(files, root, ["setMode", name, mode])).toBe("done");
      expect(statSync(at(name)).mode & 0o7777).toBe(mode & 0o1777);
    }
  });

  test("is read up to the limit and not beyond", async () => {
    const { root, at } = makeFileGround();
    writeFileSync(at("file"), "content");
    writeFileSync(at("empty"), "");
    expect(await read(root, "file", 7)).toBe("content");
    expect(await read(root, "file", 6)).toBe("too-large: 'file' is larger than 6 bytes");
    expect(await read(root, "file", Number.MAX_SAFE_INTEGER)).toBe("content");
    expect(await read(root, "empty", 0)).toBe("");
  });

  test("is read and written whole when it is large", async () => {
    const { root } = makeFileGround();
    const text = "0123456789".repeat(200_000);
    await files.replace({ root, path: "large" }, Buffer.from(text), 0o644, ".temporary");
    expect((await read(root, "large", 2_000_000)) === text).toBe(true);
    expect(await read(root, "large", 1_999_999)).toBe("too-large: 'large' is larger than 1,999,999 bytes");
  });

  test("is hashed piece by piece, whatever its size", async () => {
    const { root, at } = makeFileGround();
    for (const size of [0, 1, 1_000_000, 2_500_001]) {
      const bytes = Buffer.from(Array.from({ length: size }, (_, index) => index % 251));
      writeFileSync(at("file"), bytes, { mode: 0o640 });
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      expect(await files.hash({ root, path: "file" })).toEqual({ sha256, size, mode: 0o640 });
    }
  });

  test("is limited by what is read, not by the size it claims", async () => {
    const root = `/proc/${process.pid}`;
    expect(await files.read({ root, path: "environ" }, 10)).toMatchObject({ kind: "too-large" });
    const whole = await files.read({ root, path: "maps" }, 10_000_000);
    expect("bytes" in whole && whole.bytes.length > 1000).toBe(true);
  });

  test("that is a device is not opened", async () => {
    expect(await read("/dev", "null", 10)).toBe("forbidden: 'null' is not a regular file");
  });
});

describe.each(platforms)("as on %s, no operation takes", (platform) => {
  const elsewhere = createFileSystem(platform);

  test.each([
    ["a way up", "a/../../outside/secret", "'a/../../outside/secret' goes up with '..', which is not allowed"],
    ["a way up alone", "..", "'..' goes up with '..', which is not allowed"],
    ["an absolute path", "/etc/passwd", "'/etc/passwd' is an absolute path; a relative one is needed"],
    ["a NUL character", "a\0b", "the path contains a NUL character"],
    ["half a character", "a\ud800b", "'a\ud800b' is not a path: it contains half a character"],
  ])("%s", async (_, path, message) => {
    const ground = makeFileGround();
    writeFileSync(ground.at("file"), "text");
    const before = [ground.tree(), ground.canary()];
    for (const step of stepsAt(path)) {
      expect(await perform(elsewhere, ground.root, step)).toBe(`forbidden: ${message}`);
    }
    expect([ground.tree(), ground.canary()]).toEqual(before);
  });

  test("the root itself for a file, though it can be looked at and listed", async () => {
    const { root, at } = makeFileGround();
    writeFileSync(at("file"), "text");
    for (const path of ["", ".", "./"]) {
      const [look, , list, ...others] = stepsAt(path);
      expect(await perform(elsewhere, root, look as FileStep)).toMatchObject({ kind: "directory" });
      expect(await perform(elsewhere, root, list as FileStep)).toEqual(["file"]);
      for (const step of others)
        expect(await perform(elsewhere, root, step)).toBe(`forbidden: '${path}' names no file`);
    }
  });

  test("a link for the root, or on the way to it", async () => {
    const { root, at } = makeFileGround();
    mkdirSync(at("real/root"), { recursive: true });
    writeFileSync(at("real/root/file"), "text");
    symlinkSync("real", at("link"));
    symlinkSync("real/root", at("linked-root"));
    for (const linked of ["link/root", "linked-root"]) {
      for (const step of stepsAt("file")) {
        const reason = `the way to '${at(linked)}' leads through a symbolic link, and links are not followed`;
        expect(await perform(elsewhere, join(root, linked), step)).toBe(`forbidden: ${reason}`);
      }
    }
  });

  test("a missing root for an empty one", async () => {
    const gone = join(makeFileGround().root, "gone");
    for (const step of stepsAt("it")) {
      expect(await perform(elsewhere, gone, step)).toBe(`unusable: the directory '${gone}' does not exist`);
    }
  });

  test("a path below the root of the file system for a relative one, in its messages", async () => {
    const { root, at } = makeFileGround();
    writeFileSync(at("file"), "text");
    symlinkSync("file", at("link"));
    const path = (name: string): string => at(name).slice(1);
    const steps: readonly FileStep[] = [
      ["read", path("none")],
      ["read", path("link")],
      ["read", path("file/x")],
      ["list", path("file")],
      ["replace", path("link"), "new"],
      ["replace", path("none/x"), "new"],
      ["makeDirectory", path("link/x")],
      ["makeLink", path("link/x")],
      ["setMode", path("none")],
      ["setMode", path("link")],
      ["remove", path("file/x")],
      ["rename", path("none"), path("other")],
    ];
    for (const step of steps) {
      const answer = await perform(elsewhere, "/", step);
      expect(answer).toContain(`'/${step[1]}'`);
      expect(answer).not.toContain(`'${path("")}`);
    }
    expect(await perform(elsewhere, "/", ["rename", path("file"), path("link")])).toContain(at("link"));
    expect(await perform(elsewhere, root, ["read", "none"])).toBe("missing: the file 'none' does not exist");
  });

  test("a name of a temporary file that is a path, or the file's own", async () => {
    const { root, tree } = makeFileGround();
    const place = { root, path: "file" };
    for (const name of ["", ".", "a/b", "/a"]) {
      await expect(elsewhere.replace(place, Buffer.of(), 0o644, name)).rejects.toThrow(RangeError);
    }
    expect(await elsewhere.replace(place, Buffer.of(), 0o644, "file")).toMatchObject({ kind: "forbidden" });
    expect(tree()).toEqual({});
  });
});

describe.each(platforms)("as on %s, moving", (platform) => {
  const elsewhere = createFileSystem(platform);

  test("a directory takes along what is in it, over directories and roots", async () => {
    const { root, outside, at, tree } = makeFileGround();
    mkdirSync(at("a/b"), { recursive: true });
    mkdirSync(at("c"));
    writeFileSync(at("a/b/file"), "text");
    symlinkSync("file", at("a/b/link"));
    expect(await perform(elsewhere, root, ["rename", "a/b", "c/d"])).toBe("done");
    const secret = { root: outside, path: "secret" };
    expect(await elsewhere.rename(secret, { root, path: "c/d/file" })).toBeUndefined();
    const [a, c, d] = ["a/", "c/", "c/d/"].map((path) => ({ [path]: "directory" }));
    expect(tree()).toEqual({ ...a, ...c, ...d, "c/d/file": "secret", "c/d/link": "link to file" });
  });

  test("a directory into itself, or over a file, changes nothing", async () => {
    const { root, at, tree } = makeFileGround();
    mkdirSync(at("a/b"), { recursive: true });
    writeFileSync(at("file"), "text");
    const before = tree();
    const into = await perform(elsewhere, root, ["rename", "a", "a/b/c"]);
    expect(into).toBe("unusable: 'a' can't be renamed to 'a/b/c': that lies in it");
    const over = await perform(elsewhere, root, ["rename", "a", "file"]);
    expect(over).toBe("exists: 'a' can't be renamed to 'file': that exists already");
    expect(tree()).toEqual(before);
  });

  test("something to where it is leaves it there", async () => {
    const { root, at, tree } = makeFileGround();
    mkdirSync(at("directory"));
    writeFileSync(at("file"), "text");
    for (const path of ["directory", "file"]) {
      expect(await perform(elsewhere, root, ["rename", path, `./${path}`])).toBe("done");
    }
    expect(tree()).toEqual({ "directory/": "directory", file: "text" });
  });

  test("one name of a file to another of the same file is refused, because the system would do nothing", async () => {
    const { root, at, tree } = makeFileGround();
    writeFileSync(at("one"), "text");
    linkSync(at("one"), at("two"));
    const answer = await perform(elsewhere, root, ["rename", "one", "two"]);
    expect(answer).toBe("exists: 'one' and 'two' are the same file");
    expect(tree()).toEqual({ one: "text", two: "text" });
  });
});

describe.each(platforms)("as on %s, a name", (platform) => {
  const elsewhere = createFileSystem(platform);
  const everything = (name: string): readonly FileStep[] => [
    ["replace", name, "text"],
    ["look", name],
    ["read", name],
    ["rename", name, "other"],
    ["rename", "other", name],
    ["list", ""],
    ["remove", name],
    ["makeDirectory", name],
    ["list", name],
    ["remove", name],
    ["makeLink", name, name],
    ["look", name],
    ["remove", name],
  ];
  const file = { kind: "file", mode: 0o644, size: 4 };
  const answers = (name: string): readonly unknown[] => {
    const link = { kind: "link", target: name };
    return ["done", file, "text", "done", "done", [name], "done", "done", [], "done", "done", link, "done"];
  };

  test.each([
    " ",
    "-rf",
    "...",
    "..a",
    "*",
    "a\\b",
    "a\nb",
    "'\"$(x)",
    "\u0001\u007f",
    "grün",
    "gru\u0308n",
    "\u{1f98a}",
    "\ufffd",
    "\ufeff",
    "x".repeat(255),
    "ü".repeat(127),
    "a\udcff",
    "\udc80\udcff\u{1f98a}\udce4",
  ])("%j can be used everywhere", async (name) => {
    const { root, tree } = makeFileGround();
    const given: unknown[] = [];
    for (const step of everything(name)) given.push(await perform(elsewhere, root, step));
    expect(given).toEqual(answers(name));
    expect(tree()).toEqual({});
  });

  test("of any bytes is listed and used by the same spelling", async () => {
    const { root } = makeFileGround();
    const byte = fc.oneof(fc.integer({ min: 1, max: 255 }), fc.constantFrom(0x80, 0xc3, 0xa4, 0xed, 0xa0, 0xff, 0xf0));
    const name = fc
      .array(byte, { minLength: 1, maxLength: 12 })
      .map((bytes) => Buffer.from(bytes))
      .filter((bytes) => !bytes.includes("/") && ![".", ".."].includes(bytes.toString("latin1")));
    await fc.assert(
      fc.asyncProperty(name, async (bytes) => {
        writeFileSync(Buffer.concat([Buffer.from(`${root}/`), bytes]), "text");
        const listed = (await elsewhere.list({ root, path: "" })) as readonly string[];
        expect(listed).toHaveLength(1);
        const [spelled = ""] = listed;
        expect(await perform(elsewhere, root, ["read", spelled])).toBe("text");
        expect(await perform(elsewhere, root, ["replace", spelled, "new"])).toBe("done");
        expect(readdirSync(root, "buffer")).toEqual([bytes]);
        expect(await perform(elsewhere, root, ["remove", spelled])).toBe("done");
      }),
      { seed: 4, numRuns: 100 },
    );
  });

  test("too long for the file system is refused in words", async () => {
    const { root, at, tree } = makeFileGround();
    writeFileSync(at("file"), "text");
    const name = "x".repeat(256);
    for (const step of stepsAt(name)) {
      expect(await perform(elsewhere, root, step)).toMatch(/^unusable: .*a name in it is longer than the file system/);
    }
    expect(tree()).toEqual({ file: "text" });
  });
});

test("the names on the way may be longer together than a path can be", async () => {
  const { root } = makeFileGround();
  const name = "x".repeat(250);
  const ways = Array.from({ length: 20 }, (_, index) => Array.from({ length: index + 1 }, () => name).join("/"));
  for (const way of ways) expect(await perform(files, root, ["makeDirectory", way])).toBe("done");
  const deep = `${ways.at(-1)}/file`;
  expect(await perform(files, root, ["replace", deep, "text"])).toBe("done");
  expect(await perform(files, root, ["read", deep])).toBe("text");
  for (const path of [deep, ...ways.reverse()]) expect(await perform(files, root, ["remove", path])).toBe("done");
});

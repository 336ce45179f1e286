import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readTree } from "../rig/file-tree.ts";
import { runBlock } from "../rig/run-block.ts";
import { announcesChanges, prepareGround } from "./file-ground.ts";

test("a file is copied, bytes and mode, and the directories on the way are made", async () => {
  const { engine, at } = prepareGround();
  const bytes = Buffer.from([0, 0xff, 13, 10]);
  writeFileSync(at("private"), bytes, { mode: 0o600 });
  const { metadata, outputs } = await runBlock(engine, "CopyFile", { from: "private", to: "a/b/c" });
  expect(metadata.succeeded, String(metadata.message)).toBe(true);
  expect(outputs).toEqual({ path: at("a/b/c") });
  expect(readFileSync(at("a/b/c")).equals(bytes)).toBe(true);
  expect(readFileSync(at("private")).equals(bytes)).toBe(true);
  expect(statSync(at("a/b/c")).mode & 0o777).toBe(0o600);
});

describe("a directory", () => {
  test("is copied with what is in it, when that is said", async () => {
    const { engine, at } = prepareGround();
    mkdirSync(at("dir/empty"));
    mkdirSync(at("dir/deep/er"), { recursive: true });
    writeFileSync(at("dir/deep/er/ünï"), "text", { mode: 0o640 });
    const { metadata } = await runBlock(engine, "CopyFile", { from: "dir", to: "new/copy", recursive: true });
    expect(metadata.succeeded, String(metadata.message)).toBe(true);
    expect(readTree(at("new/copy"))).toEqual(readTree(at("dir")));
    expect(statSync(at("new/copy/deep/er/ünï")).mode & 0o777).toBe(0o640);
  });

  test("may be there already, as long as no file in it differs", async () => {
    const { engine, at } = prepareGround();
    mkdirSync(at("copy"));
    writeFileSync(at("copy/mine"), "mine");
    writeFileSync(at("dir/second"), "second");
    const copy = { from: "dir", to: "copy", recursive: true };
    await runBlock(engine, "CopyFile", copy);
    expect(readdirSync(at("copy"))).toEqual(["inner", "mine", "second"]);
    const again = await engine.run({ blocks: [{ id: "it", type: "CopyFile", inputs: copy }] });
    expect(again.response.status).toBe("success");
    expect(announcesChanges(again.events)).toBe(false);
    writeFileSync(at("copy/second"), "changed");
    rmSync(at("copy/inner"));
    const { metadata } = await runBlock(engine, "CopyFile", copy);
    const message = "'copy/second' exists already, and overwrite is false";
    expect(metadata).toMatchObject({ status: "completed", outcome: "failure", message });
    expect(readdirSync(at("copy"))).toEqual(["mine", "second"]);
    await runBlock(engine, "CopyFile", { ...copy, overwrite: true });
    expect(readFileSync(at("copy/second"), "utf8")).toBe("second");
  });

  test("with a link in it is not copied", async () => {
    const { engine, at, outside, tree } = prepareGround();
    symlinkSync(outside, at("dir/link"));
    const before = tree();
    const { metadata } = await runBlock(engine, "CopyFile", { from: "dir", to: "copy", recursive: true });
    const message = "'dir/link' is a symbolic link, and links are not copied";
    expect(metadata).toMatchObject({ status: "failed", message });
    expect(tree()).toEqual(before);
  });

  test("with a repository in it is not copied", async () => {
    const { engine, tree } = prepareGround();
    const before = tree();
    const { metadata } = await runBlock(engine, "CopyFile", { from: "repository", to: "copy", recursive: true });
    expect(metadata).toMatchObject({
      status: "failed",
      message: expect.stringContaining("only git itself may change"),
    });
    expect(tree()).toEqual(before);
  });
});

test.each([
  { from: "other", to: "file", says: "'file' exists already, and overwrite is false" },
  {
    from: "other",
    to: "dir",
    overwrite: true,
    says: "'dir' exists already and is a directory, which is never replaced",
  },
  {
    from: "dir",
    to: "file",
    recursive: true,
    overwrite: true,
    says: "'file' exists already and is a file, which a directory does not replace",
  },
  { from: "dir", to: "dir", recursive: true, says: "'dir' can't go to 'dir', which is the same place" },
  { from: "dir", to: "dir/copy", recursive: true, says: "'dir' can't go to 'dir/copy', which is inside it" },
  { from: ".", to: "copy", recursive: true, says: "which is inside it" },
  { from: "other", to: "no/such", create_parents: false, says: "there is no directory 'no'" },
])("what is there is left alone: $says", async ({ says, ...inputs }) => {
  const { engine, tree } = prepareGround();
  const before = tree();
  const { metadata } = await runBlock(engine, "CopyFile", inputs);
  expect(metadata).toMatchObject({ status: "completed", outcome: "failure", message: expect.stringContaining(says) });
  expect(tree()).toEqual(before);
});

test("a file that may be overwritten is, and gets the mode of the other", async () => {
  const { engine, at } = prepareGround();
  writeFileSync(at("private"), "mine", { mode: 0o600 });
  await runBlock(engine, "CopyFile", { from: "private", to: "file", overwrite: true });
  expect(readFileSync(at("file"), "utf8")).toBe("mine");
  expect(statSync(at("file")).mode & 0o777).toBe(0o600);
});

test("what is too large is left to a command", async () => {
  const { engine, at } = prepareGround();
  writeFileSync(at("large"), Buffer.alloc(100_000_001));
  const { metadata } = await runBlock(engine, "CopyFile", { from: "large", to: "copy" });
  expect(metadata).toMatchObject({
    outcome: "failure",
    message: "'large' holds more than 100,000,000 bytes; use a Shell block for it",
  });
});

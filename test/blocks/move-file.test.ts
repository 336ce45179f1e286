import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { runBlock } from "../rig/run-block.ts";
import { prepareGround } from "./file-ground.ts";

test("a file is moved, with its mode, and the directories on the way are made", async () => {
  const { engine, at } = prepareGround();
  writeFileSync(at("private"), "mine", { mode: 0o600 });
  const { metadata, outputs } = await runBlock(engine, "MoveFile", { from: "private", to: "a/b/c" });
  expect(metadata.succeeded, String(metadata.message)).toBe(true);
  expect(outputs).toEqual({ path: at("a/b/c") });
  expect(existsSync(at("private"))).toBe(false);
  expect(readFileSync(at("a/b/c"), "utf8")).toBe("mine");
  expect(statSync(at("a/b/c")).mode & 0o777).toBe(0o600);
});

test("a directory is moved with what is in it", async () => {
  const { engine, at } = prepareGround();
  await runBlock(engine, "MoveFile", { from: "dir", to: "elsewhere/" });
  expect(existsSync(at("dir"))).toBe(false);
  expect(readdirSync(at("elsewhere"))).toEqual(["inner"]);
});

test("of a link, the link is moved", async () => {
  const { engine, at } = prepareGround();
  await runBlock(engine, "MoveFile", { from: "link-to-file", to: "moved" });
  expect(readlinkSync(at("moved"))).toBe("file");
  expect(readFileSync(at("file"), "utf8")).toBe("file\n");
});

describe("what is there", () => {
  test("is replaced when that is said, if both are files", async () => {
    const { engine, at } = prepareGround();
    const { metadata } = await runBlock(engine, "MoveFile", { from: "other", to: "file", overwrite: true });
    expect(metadata.succeeded).toBe(true);
    expect(readFileSync(at("file"), "utf8")).toBe("other\n");
    expect(existsSync(at("other"))).toBe(false);
  });

  test.each([
    { from: "other", to: "file", overwrite: false, says: "'file' exists already, and overwrite is false" },
    {
      from: "other",
      to: "dir",
      overwrite: true,
      says: "'dir' exists already and is a directory, which is never replaced",
    },
    {
      from: "dir",
      to: "file",
      overwrite: true,
      says: "'file' exists already and is a file, which a directory does not replace",
    },
    { from: "file", to: "./file", overwrite: true, says: "'file' can't go to 'file', which is the same place" },
    { from: "dir", to: "dir/a/b", overwrite: true, says: "'dir' can't go to 'dir/a/b', which is inside it" },
    { from: "other", to: "no/such", create_parents: false, says: "there is no directory 'no'" },
  ])("is left alone: $says", async ({ says, ...inputs }) => {
    const { engine, tree } = prepareGround();
    const before = tree();
    const { metadata, outputs } = await runBlock(engine, "MoveFile", inputs);
    expect(metadata).toMatchObject({ status: "completed", outcome: "failure", message: says });
    expect(outputs).toEqual({ path: "" });
    expect(tree()).toEqual(before);
  });
});

test("a file goes to a name, not into a directory", async () => {
  const { engine } = prepareGround();
  const { metadata } = await runBlock(engine, "MoveFile", { from: "file", to: "dir/" });
  expect(metadata).toMatchObject({ status: "failed", message: "'dir/' names a directory; add the name of the file" });
});

test("a directory that holds a repository stays where it is", async () => {
  const { engine, at } = prepareGround();
  mkdirSync(at("above"));
  await runBlock(engine, "MoveFile", { from: "dir", to: "above/dir" });
  const { metadata } = await runBlock(engine, "MoveFile", { from: "repository", to: "above/repository" });
  expect(metadata).toMatchObject({ status: "failed", message: expect.stringContaining("only git itself may change") });
  expect(readdirSync(at("above"))).toEqual(["dir"]);
});

test.each(["source", "src"])("the name %s of other systems leads to ours", (name) => {
  const inputs = { [name]: "a", to: "b" };
  const { diagnostics } = createTestEngine().check({ blocks: [{ id: "it", type: "MoveFile", inputs }] });
  expect(diagnostics.map(({ code, fix }) => [code, fix])).toEqual([["unknown-input", "Write `from:`."]]);
});

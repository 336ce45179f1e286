import { existsSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { runBlock } from "../rig/run-block.ts";
import { announcesChanges, prepareGround } from "./file-ground.ts";

test("a directory is made, with those on the way", async () => {
  const { engine, at } = prepareGround();
  const { metadata, outputs } = await runBlock(engine, "MakeDir", { path: "a/ünï/c/" });
  expect(metadata.succeeded, String(metadata.message)).toBe(true);
  expect(outputs).toEqual({ path: at("a/ünï/c"), created: true });
  expect(statSync(at("a/ünï/c")).mode & 0o777).toBe(0o777 & ~process.umask());
});

test.each(["dir", ".", ".git"])("a directory that is there is fine: %s", async (path) => {
  const { engine } = prepareGround();
  const { state, events } = await engine.run({ blocks: [{ id: "it", type: "MakeDir", inputs: { path } }] });
  expect(state.root.record.blocks.it?.outputs.created).toBe(false);
  expect(state.root.record.blocks.it?.metadata.succeeded).toBe(true);
  expect(announcesChanges(events)).toBe(false);
});

test("those on the way are not made when that is not wanted", async () => {
  const { engine, at } = prepareGround();
  const { metadata } = await runBlock(engine, "MakeDir", { path: "a/b", parents: false });
  expect(metadata).toMatchObject({ outcome: "failure", message: "there is no directory 'a'" });
  expect(existsSync(at("a"))).toBe(false);
});

test("of many that make the same one, one has made it", async () => {
  const engine = createTestEngine();
  const { state } = await engine.run({
    blocks: [{ id: "it", type: "MakeDir", inputs: { path: "a/b" }, for_each: Array(20).fill(0), max_parallel: 20 }],
  });
  const made = Object.values(state.root.record.blocks.it?.blocks ?? {});
  expect(made.every(({ metadata }) => metadata.succeeded)).toBe(true);
  expect(made.filter(({ outputs }) => outputs.created)).toHaveLength(1);
});

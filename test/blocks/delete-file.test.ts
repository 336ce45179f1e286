import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { createTestEngine, explain } from "../rig/engine.ts";
import { createMachine } from "../rig/machine.ts";
import { runBlock } from "../rig/run-block.ts";
import { makeSparse } from "../rig/sparse-file.ts";
import { prepareGround } from "./file-ground.ts";

test("a file is deleted", async () => {
  const { engine, at } = prepareGround();
  const { outputs } = await runBlock(engine, "DeleteFile", { path: "file" });
  expect(outputs).toEqual({ path: at("file"), deleted: true });
  expect(existsSync(at("file"))).toBe(false);
});

test("of a link, the link is deleted and nothing else", async () => {
  const { engine, at, outside } = prepareGround();
  for (const path of ["link-to-file", "link-to-dir", "link-outside", "dangling"]) {
    const { outputs } = await runBlock(engine, "DeleteFile", { path, recursive: true });
    expect(outputs.deleted).toBe(true);
    expect(readdirSync(engine.workspace)).not.toContain(path);
  }
  expect(readFileSync(at("file"), "utf8")).toBe("file\n");
  expect(readdirSync(at("dir"))).toEqual(["inner"]);
  expect(readdirSync(outside)).toEqual(["file"]);
});

describe("what is missing", () => {
  test.each(["nothing", "no/such", "file/x"])("is fine when that is said: %s", async (path) => {
    const { engine, at } = prepareGround();
    const { metadata, outputs } = await runBlock(engine, "DeleteFile", { path, missing_ok: true });
    expect(metadata.succeeded, String(metadata.message)).toBe(true);
    expect(outputs).toEqual({ path: at(path), deleted: false });
  });

  test("is a failure otherwise", async () => {
    const { metadata } = await runBlock(createTestEngine(), "DeleteFile", { path: "nothing" });
    expect(metadata).toMatchObject({ outcome: "failure", message: "'nothing' does not exist" });
  });

  test("has a name in other systems, which leads to ours", () => {
    const inputs = { path: "x", force: true };
    const { diagnostics } = createTestEngine().check({ blocks: [{ id: "it", type: "DeleteFile", inputs }] });
    expect(explain(diagnostics)).toContain("dropped-input");
    expect(diagnostics[0]?.fix).toBe("Write `missing_ok: true`.");
  });
});

describe("a directory", () => {
  test("is deleted with everything in it, links and odd names too, when that is said", async () => {
    const { engine, at, outside } = prepareGround();
    mkdirSync(at("dir/a/b"), { recursive: true });
    writeFileSync(at("dir/a/b/c"), "c");
    writeFileSync(Buffer.from(`${at("dir")}/\xff.bin`, "latin1"), "bytes");
    symlinkSync(outside, at("dir/a/link"));
    const { metadata, outputs } = await runBlock(engine, "DeleteFile", { path: "dir", recursive: true });
    expect(metadata.succeeded, String(metadata.message)).toBe(true);
    expect(outputs.deleted).toBe(true);
    expect(existsSync(at("dir"))).toBe(false);
    expect(readdirSync(outside)).toEqual(["file"]);
  });

  test("needs that to be said, even when it is empty", async () => {
    const { engine, at } = prepareGround();
    mkdirSync(at("empty"));
    const { metadata } = await runBlock(engine, "DeleteFile", { path: "empty" });
    expect(metadata).toMatchObject({ outcome: "failure", message: expect.stringContaining("`recursive: true`") });
    expect((await runBlock(engine, "DeleteFile", { path: "empty", recursive: true })).outputs.deleted).toBe(true);
  });

  test("that holds a repository stays as it is", async () => {
    const { engine, tree } = prepareGround();
    const before = tree();
    const { metadata } = await runBlock(engine, "DeleteFile", { path: "repository", recursive: true });
    expect(metadata).toMatchObject({
      status: "failed",
      message: expect.stringContaining("only git itself may change"),
    });
    expect(tree()).toEqual(before);
  });

  test("that holds Frond's own state stays as it is", async () => {
    const machine = createMachine();
    rmSync(machine.stateDirectory, { recursive: true });
    const above = join(machine.workspace, "above");
    Object.assign(machine, { stateDirectory: join(above, "state") });
    mkdirSync(machine.stateDirectory, { recursive: true });
    const engine = createTestEngine({ machine });
    for (const path of ["above", machine.stateDirectory]) {
      const { metadata } = await runBlock(engine, "DeleteFile", { path, recursive: true });
      const message = expect.stringContaining("is in Frond's own state directory");
      expect(metadata).toMatchObject({ status: "failed", message });
      expect(existsSync(machine.stateDirectory)).toBe(true);
    }
    const { metadata } = await runBlock(engine, "MoveFile", { from: "above", to: "below" });
    expect(metadata.status).toBe("failed");
    expect(readdirSync(above)).toEqual(["state"]);
  });

  test("that holds too much is left to a command", async () => {
    const { engine, at } = prepareGround();
    mkdirSync(at("many"));
    for (let index = 0; index < 10_000; index++) writeFileSync(at(`many/${index}`), "");
    const many = await runBlock(engine, "DeleteFile", { path: "many", recursive: true });
    expect(many.metadata).toMatchObject({
      outcome: "failure",
      message: "'many' holds more than 10,000 entries; use a Shell block for it",
    });
    mkdirSync(at("large"));
    for (let index = 0; index < 11; index++) makeSparse(at(`large/${index}`), 10_000_000);
    const large = await runBlock(engine, "DeleteFile", { path: "large", recursive: true });
    expect(large.metadata).toMatchObject({
      outcome: "failure",
      message: "'large' holds more than 100,000,000 bytes; use a Shell block for it",
    });
    expect(readdirSync(at("large"))).toHaveLength(11);
  });
});

test("a file that is too large to be kept is deleted all the same, and never in memory as a whole", async () => {
  const { engine, at } = prepareGround();
  const read = vi.spyOn(engine.engine.platform.files, "read");
  const size = 50_000_001;
  writeFileSync(at("large"), "");
  truncateSync(at("large"), size);
  const { state, events } = await engine.run({ blocks: [{ id: "it", type: "DeleteFile", inputs: { path: "large" } }] });
  expect(state.root.record.blocks.it?.metadata).toMatchObject({ message: null, succeeded: true });
  expect(existsSync(at("large"))).toBe(false);
  const announced = events.find(({ type }) => type === "file-changed");
  const before = { kind: "file", size, sha256: createHash("sha256").update(Buffer.alloc(size)).digest("hex") };
  expect(announced).toMatchObject({ changes: [{ kind: "remove", before }] });
  expect(announced).not.toMatchObject({ changes: [{ before: { content: expect.anything() } }] });
  expect(Math.max(...read.mock.calls.map(([, most]) => most))).toBeLessThan(size);
});

import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTestEngine, explain, type TestEngine } from "../rig/engine.ts";
import { runBlock } from "../rig/run-block.ts";
import { announcesChanges } from "./file-ground.ts";

const modeOf = (engine: TestEngine, path: string): string =>
  (statSync(join(engine.workspace, path)).mode & 0o7777).toString(8);

test("a file is made, with the directories on the way", async () => {
  const engine = createTestEngine();
  const content = "# Title\r\nünï ☃, no newline at the end";
  const { metadata, outputs } = await runBlock(engine, "CreateFile", { path: "a/b/c.md", content });
  expect(metadata.succeeded, String(metadata.message)).toBe(true);
  const bytes = readFileSync(join(engine.workspace, "a/b/c.md"));
  expect(bytes.toString()).toBe(content);
  expect(outputs).toEqual({
    path: join(engine.workspace, "a/b/c.md"),
    size_bytes: bytes.length,
    created: true,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  });
  expect(modeOf(engine, "a/b/c.md")).toBe((0o666 & ~process.umask()).toString(8));
  expect(readdirSync(join(engine.workspace, "a/b"))).toEqual(["c.md"]);
});

test.each([
  { what: "an empty text", content: "", bytes: "" },
  { what: "a number", content: "${inputs.value}", value: 4.5, bytes: "4.5" },
  { what: "a truth", content: "${inputs.value}", value: false, bytes: "false" },
  { what: "a template", content: "n=${inputs.value}\n", value: [1], bytes: "n=[1]\n" },
  { what: "latin1", content: "é", encoding: "latin1", bytes: "\xe9" },
  { what: "base64", content: "AP9/\n gA==\n", encoding: "base64", bytes: "\0\xff\x7f\x80" },
])("the content can be $what", async ({ content, encoding = "utf-8", value = null, bytes }) => {
  const engine = createTestEngine();
  const { metadata } = await runBlock(engine, "CreateFile", { path: "f", content, encoding }, { value });
  expect(metadata.succeeded, String(metadata.message)).toBe(true);
  expect(readFileSync(join(engine.workspace, "f"), "latin1")).toBe(bytes);
});

test.each([
  { content: "☃", encoding: "latin1", says: "The content contains '☃', which latin-1 can't hold." },
  { content: "Ł", encoding: "cp1252", says: "The content contains 'Ł', which cp1252 can't hold." },
  { content: "é", encoding: "ascii", says: "The content contains 'é', which ascii can't hold." },
  { content: "AP9", encoding: "base64", fits: true },
  { content: "AP9/gA", encoding: "base64", fits: true },
  { content: "AP9/g", encoding: "base64", says: "The content is not base64." },
  { content: "AP9/gA=", encoding: "base64", says: "The content is not base64." },
  { content: "AP9/====", encoding: "base64", says: "The content is not base64." },
  { content: "AP9/==", encoding: "base64", says: "The content is not base64." },
  { content: "AP==AP9/", encoding: "base64", says: "The content is not base64." },
  { content: "not base64!", encoding: "base64", says: "The content is not base64." },
  { content: "half \ud83d", encoding: "utf-8", says: "The content contains half a character, which UTF-8 can't hold." },
])("a content that does not fit its encoding is never written: %j", async ({ content, encoding, says, fits }) => {
  const engine = createTestEngine();
  const inputs = { path: "f", content: "${inputs.content}", encoding };
  const { metadata } = await runBlock(engine, "CreateFile", inputs, { content });
  expect(metadata.succeeded).toBe(fits === true);
  if (says !== undefined) expect(metadata).toMatchObject({ status: "failed", message: says });
  expect(existsSync(join(engine.workspace, "f"))).toBe(fits === true);
});

test("a content may be longer than what is read by default", async () => {
  const engine = createTestEngine();
  const long = "a".repeat(10_000_001);
  const { outputs } = await runBlock(engine, "CreateFile", { path: "f", content: "${inputs.long}" }, { long });
  expect(outputs.size_bytes).toBe(10_000_001);
  expect(statSync(join(engine.workspace, "f")).size).toBe(10_000_001);
});

test("a content of megabytes can be base64", async () => {
  const engine = createTestEngine();
  const content = Buffer.alloc(10_000_001, "\xff").toString("base64");
  const inputs = { path: "f", content: "${inputs.content}", encoding: "base64" };
  const { metadata, outputs } = await runBlock(engine, "CreateFile", inputs, { content });
  expect(metadata.message).toBeNull();
  expect(outputs.size_bytes).toBe(10_000_001);
});

test("a content that is a map is no text", async () => {
  const inputs = { path: "f", content: "${inputs.value}" };
  const { metadata } = await runBlock(createTestEngine(), "CreateFile", inputs, { value: { a: 1 } });
  expect(metadata).toMatchObject({ status: "failed", message: expect.stringContaining("input 'content' must be") });
});

describe("a file that is there", () => {
  test("is replaced and keeps its mode", async () => {
    const engine = createTestEngine();
    writeFileSync(join(engine.workspace, "f"), "old", { mode: 0o600 });
    const { outputs } = await runBlock(engine, "CreateFile", { path: "f", content: "new" });
    expect(outputs).toMatchObject({ created: false, size_bytes: 3 });
    expect(readFileSync(join(engine.workspace, "f"), "utf8")).toBe("new");
    expect(modeOf(engine, "f")).toBe("600");
  });

  test("may be read-only: its directory decides", async () => {
    const engine = createTestEngine();
    writeFileSync(join(engine.workspace, "f"), "old", { mode: 0o444 });
    const { metadata } = await runBlock(engine, "CreateFile", { path: "f", content: "new" });
    expect(metadata.succeeded).toBe(true);
    expect(modeOf(engine, "f")).toBe("444");
  });

  test("is a failure when it may not be overwritten, even when it is the same", async () => {
    const engine = createTestEngine();
    writeFileSync(join(engine.workspace, "f"), "old");
    const { metadata, outputs } = await runBlock(engine, "CreateFile", { path: "f", content: "old", overwrite: false });
    expect(metadata).toMatchObject({
      status: "completed",
      outcome: "failure",
      message: "'f' exists already, and overwrite is false",
    });
    expect(outputs).toEqual({ path: join(engine.workspace, "f"), size_bytes: 0, created: false, sha256: "" });
  });

  test("needs no change when it is the same", async () => {
    const engine = createTestEngine();
    const file = join(engine.workspace, "f");
    writeFileSync(file, "same");
    chmodSync(file, 0o640);
    const inode = statSync(file).ino;
    const write = async (mode: string): Promise<boolean> => {
      const inputs = { path: "f", content: "same", mode };
      const { state, events } = await engine.run({ blocks: [{ id: "it", type: "CreateFile", inputs }] });
      expect(state.root.record.blocks.it?.outputs).toMatchObject({ created: false, size_bytes: 4 });
      return announcesChanges(events);
    };
    expect(await write("640")).toBe(false);
    expect(statSync(file).ino).toBe(inode);
    expect(await write("600")).toBe(true);
    expect(modeOf(engine, "f")).toBe("600");
  });
});

test("directories are not made when that is not wanted", async () => {
  const engine = createTestEngine();
  const inputs = { path: "no/such/f", content: "", create_parents: false };
  const { metadata } = await runBlock(engine, "CreateFile", inputs);
  expect(metadata).toMatchObject({ outcome: "failure", message: "there is no directory 'no/such'" });
  expect(existsSync(join(engine.workspace, "no"))).toBe(false);
});

test("a path that ends with a slash names no file", async () => {
  const { metadata } = await runBlock(createTestEngine(), "CreateFile", { path: "dir/", content: "" });
  expect(metadata).toMatchObject({ status: "failed", message: "'dir/' names a directory; add the name of the file" });
});

describe("permissions", () => {
  test.each(["mode: 640", 'mode: "640"', 'mode: "0640"', 'mode: "0o640"', "permissions: 640", "permissions: '0640'"])(
    "are octal digits, however written: %s",
    async (written) => {
      const engine = createTestEngine();
      const text = `{name: a, description: b, blocks: [{id: it, type: CreateFile, inputs: {path: f, content: "", ${written}}}]}`;
      await engine.run(text);
      expect(modeOf(engine, "f")).toBe("640");
    },
  );

  test.each([
    { written: "0o644", says: 'YAML makes 420 of 0o644, so write "644"' },
    { written: "0o755", says: 'YAML makes 493 of 0o755, so write "755"' },
    { written: "0o777", says: 'YAML makes 511 of 0o777, so write "777"' },
    { written: "888", says: 'must be three octal digits, like "644"' },
    { written: '"4755"', says: 'must be three octal digits, like "644"' },
    { written: '"rw-r--r--"', says: 'must be three octal digits, like "644"' },
    { written: "6", says: 'must be three octal digits, like "644"' },
  ])("$written is refused", ({ written, says }) => {
    const inputs = `{path: f, content: "", mode: ${written}}`;
    const { diagnostics } = createTestEngine().check(
      `{name: a, description: b, blocks: [{id: it, type: CreateFile, inputs: ${inputs}}]}`,
    );
    expect(explain(diagnostics)).toContain(says);
  });

  test("have two names, of which one is used", () => {
    const inputs = { path: "f", content: "", mode: 644, permissions: 644 };
    const { diagnostics } = createTestEngine().check({ blocks: [{ id: "it", type: "CreateFile", inputs }] });
    expect(diagnostics.map(({ code }) => code)).toEqual(["two-modes"]);
  });
});

test("blocks that make files in the same new directory at the same time do not get in each other's way", async () => {
  const engine = createTestEngine();
  const names = Array.from({ length: 40 }, (_, index) => `new/${index % 4}/deep/${index}`);
  const inputs = { path: "${each.value}", content: "${each.key}" };
  const { response } = await engine.run({
    blocks: [{ id: "it", type: "CreateFile", inputs, for_each: names, max_parallel: 40 }],
  });
  expect(response.status, JSON.stringify(response)).toBe("success");
  for (const [index, name] of names.entries()) {
    expect(readFileSync(join(engine.workspace, name), "utf8")).toBe(String(index));
  }
});

test("a block that is told to stop while it waits for another changes nothing", async () => {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "d"));
  const { locks } = engine.engine.platform;
  let release = (): void => {};
  const held = locks.run(
    join(engine.workspace, "d/f"),
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
    new AbortController().signal,
  );
  const run = await engine.start({ blocks: [{ id: "it", type: "CreateFile", inputs: { path: "d/f", content: "" } }] });
  await run.cancel();
  release();
  await held;
  const { state, events } = await run.settled;
  expect(state.root.record.blocks.it?.metadata).toMatchObject({ status: "failed", message: "cancelled" });
  expect(announcesChanges(events)).toBe(false);
  expect(readdirSync(join(engine.workspace, "d"))).toEqual([]);
});

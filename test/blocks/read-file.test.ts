import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Execution } from "../../src/engine/execution.ts";
import { createTestEngine, explain, type TestEngine } from "../rig/engine.ts";
import { runBlock } from "../rig/run-block.ts";
import { announcesChanges } from "./file-ground.ts";

async function read(
  bytes: string | Uint8Array,
  inputs: object = {},
  engine: TestEngine = createTestEngine(),
): Promise<Execution> {
  writeFileSync(join(engine.workspace, "f"), bytes);
  return runBlock(engine, "ReadFile", { path: "f", ...inputs });
}

test("a file is read as it is", async () => {
  const engine = createTestEngine();
  const text = "\uFEFFline\r\nünï ☃ \0 ${inputs.x} {{ y }}";
  const { metadata, outputs } = await read(text, {}, engine);
  expect(metadata.succeeded, String(metadata.message)).toBe(true);
  expect(outputs).toEqual({
    content: text,
    path: join(engine.workspace, "f"),
    size_bytes: Buffer.byteLength(text),
    found: true,
    sha256: createHash("sha256").update(text).digest("hex"),
  });
});

test("an empty file is found", async () => {
  expect((await read("")).outputs).toMatchObject({ content: "", size_bytes: 0, found: true });
});

test("a binary file is read as base64, and not as text", async () => {
  const bytes = Buffer.from([0x89, 0x50, 0x00, 0xff]);
  expect((await read(bytes, { mode: "binary" })).outputs).toMatchObject({ content: "iVAA/w==", size_bytes: 4 });
  expect((await read(bytes, { encoding: "latin1" })).outputs.content).toBe("\x89P\0\xff");
  const { metadata, outputs } = await read(bytes);
  expect(metadata).toMatchObject({
    status: "completed",
    outcome: "failure",
    message: "'f' is not UTF-8 text; use `mode: binary` or `encoding: latin-1`",
  });
  expect(outputs).toMatchObject({ content: "", found: true });
});

test.each([
  ["UTF8", "é☃", "c3a9e29883"],
  ["utf-8-sig", "é", "efbbbfc3a9"],
  ["us-ascii", "plain", "706c61696e"],
  ["ISO_8859-1", "é\x80", "e980"],
  ["latin-1", "ÿ", "ff"],
  ["cp1252", "€ “x”", "8020937894"],
  ["Windows-1251", "Да", "c4e0"],
  ["iso-8859-15", "€", "a4"],
  ["koi8-r", "Да", "e4c1"],
  ["utf-16", "é😀", "fffee9003dd800de"],
  ["UTF-16LE", "é", "e900"],
  ["utf_16_be", "é", "00e9"],
])("text is read and written as %s", async (encoding, content, hex) => {
  const engine = createTestEngine();
  const { outputs } = await read(Buffer.from(hex, "hex"), { encoding }, engine);
  expect(outputs.content).toBe(content);
  const made = await runBlock(engine, "CreateFile", { path: "made", content, encoding });
  expect(made.metadata.succeeded, String(made.metadata.message)).toBe(true);
  expect(readFileSync(join(engine.workspace, "made")).toString("hex")).toBe(hex);
});

test.each([
  ["ascii", [0x61, 0x80], "'f' is not ascii text"],
  ["iso-8859-6", [0xa1], "'f' is not iso-8859-6 text"],
  ["utf-16", [0x61], "'f' is not UTF-16 text"],
])("bytes that are no %s are a failure, and the file is found all the same", async (encoding, bytes, says) => {
  const { metadata, outputs } = await read(Uint8Array.from(bytes), { encoding });
  expect(metadata).toMatchObject({ status: "completed", outcome: "failure" });
  expect(metadata.message).toContain(says);
  expect(outputs).toMatchObject({ content: "", found: true });
});

test.each(["CreateFile", "ReadFile", "EditFile"])(
  "an encoding that %s does not know is refused with those it does",
  (type) => {
    const inputs = { path: "f", encoding: "ebcdic", ...(type === "ReadFile" ? {} : { content: "" }) };
    const { diagnostics } = createTestEngine().check({ blocks: [{ id: "it", type, inputs }] });
    expect(explain(diagnostics)).toContain("must be one of utf-8, utf-8-sig, utf-16");
  },
);

test("a directory is no file that was found", async () => {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "d"));
  const { metadata, outputs } = await runBlock(engine, "ReadFile", { path: "d" });
  expect(metadata).toMatchObject({ outcome: "failure", message: "'d' is a directory, not a file" });
  expect(outputs.found).toBe(false);
});

describe("the size", () => {
  test("may be 10 MB and no more, unless it says so", async () => {
    const engine = createTestEngine();
    expect((await read(Buffer.alloc(10_000_000, "a"), {}, engine)).outputs.size_bytes).toBe(10_000_000);
    const { metadata, outputs } = await read(Buffer.alloc(10_000_001, "a"), {}, engine);
    const message = "'f' is larger than 10,000,000 bytes; `max_size_mb` can allow more";
    expect(metadata).toMatchObject({ outcome: "failure", message });
    expect(outputs).toMatchObject({ content: "", found: true });
    const larger = await runBlock(engine, "ReadFile", { path: "f", max_size_mb: 11 });
    expect(larger.outputs.size_bytes).toBe(10_000_001);
  });

  test("can be a part of a megabyte", async () => {
    expect((await read("12345", { max_size_mb: 0.000_005 })).metadata.succeeded).toBe(true);
    const { metadata } = await read("123456", { max_size_mb: 0.000_005 });
    expect(metadata.message).toBe("'f' is larger than 5 bytes; `max_size_mb` can allow more");
  });
});

describe("a missing file", () => {
  test("is a failure when it is required", async () => {
    const { metadata, outputs } = await runBlock(createTestEngine(), "ReadFile", { path: "no/such" });
    expect(metadata).toMatchObject({ outcome: "failure", message: "the file 'no/such' does not exist" });
    expect(outputs.found).toBe(false);
  });

  test("is a success that says so when it is not", async () => {
    const engine = createTestEngine();
    const { metadata, outputs } = await runBlock(engine, "ReadFile", { path: "no/such", required: false });
    expect(metadata.succeeded).toBe(true);
    expect(outputs).toEqual({
      content: "",
      path: join(engine.workspace, "no/such"),
      size_bytes: 0,
      found: false,
      sha256: "",
    });
  });

  test("breaks no fewer rules when it is not required", async () => {
    const { metadata } = await runBlock(createTestEngine(), "ReadFile", { path: "../x", required: false });
    expect(metadata.status).toBe("failed");
  });

  test("can be asked for by conditions, which decide then", async () => {
    const { state } = await createTestEngine().run({
      blocks: [
        { id: "config", type: "ReadFile", inputs: { path: "config.json" } },
        { id: "use", type: "Shell", inputs: { command: "true" }, condition: "${blocks.config.found}" },
        { id: "defaults", type: "Shell", inputs: { command: "true" }, condition: "not ${blocks.config.found}" },
      ],
    });
    const { use, defaults } = state.root.record.blocks;
    expect([use?.metadata.status, defaults?.metadata.status]).toEqual(["skipped", "completed"]);
  });
});

test("reading changes nothing", async () => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "f"), "text");
  const { events } = await engine.run({ blocks: [{ id: "it", type: "ReadFile", inputs: { path: "f" } }] });
  expect(announcesChanges(events)).toBe(false);
});

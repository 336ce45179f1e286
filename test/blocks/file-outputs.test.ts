import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { runShell } from "../rig/shell-block.ts";

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each([
  { type: "str", text: "two\nlines\n", gives: "two\nlines" },
  { type: "str", text: "kept\n\n", gives: "kept\n" },
  { type: "str", text: "windows\r\n", gives: "windows" },
  { type: "str", text: "", gives: "" },
  { type: "int", text: " 42\n", gives: 42 },
  { type: "int", text: "-7", gives: -7 },
  { type: "int", text: "4.5", fails: "no whole number" },
  { type: "int", text: "9007199254740993", fails: "no whole number that can be kept exactly" },
  { type: "int", text: "0x10", fails: "no whole number" },
  { type: "float", text: "2.50\n", gives: 2.5 },
  { type: "float", text: "1e3", gives: 1000 },
  { type: "float", text: "0x10", fails: "no number" },
  { type: "float", text: "Infinity", fails: "no number" },
  { type: "float", text: "", fails: "no number" },
  { type: "bool", text: "true\n", gives: true },
  { type: "bool", text: "YES", gives: true },
  { type: "bool", text: "1", gives: true },
  { type: "bool", text: "no", gives: false },
  { type: "bool", text: "0", gives: false },
  { type: "bool", text: "maybe", fails: "neither true nor false" },
  { type: "json", text: '{"a": [1, null]}', gives: { a: [1, null] } },
  { type: "json", text: "null", gives: null },
  { type: "json", text: "{", fails: "not JSON" },
  { type: "list", text: "[1]", gives: [1] },
  { type: "list", text: "{}", fails: "not a list" },
  { type: "dict", text: '{"__proto__": 1, "a": 2}', gives: JSON.parse('{"__proto__": 1, "a": 2}') },
  { type: "dict", text: "[]", fails: "not a map" },
])("a file output of type $type that holds $text", async ({ type, text, gives, fails }) => {
  const engine = createTestEngine();
  const { metadata, outputs } = await runShell(
    engine,
    { command: "cat > out", stdin: text },
    { outputs: { it: { type, path: "out" } } },
  );
  if (fails !== undefined) {
    expect(metadata).toMatchObject({ status: "completed", outcome: "failure" });
    expect(metadata.message).toContain(`output 'it': the file`);
    expect(metadata.message).toContain(fails);
    expect(outputs).toMatchObject({ it: null, exit_code: 0 });
  } else {
    expect(metadata.succeeded, metadata.message ?? "").toBe(true);
    expect(plain(outputs.it)).toEqual(gives);
  }
});

const output = (path: string, more: object = {}): object => ({ outputs: { it: { type: "str", path, ...more } } });

test("a path is relative to the working directory, or under $SCRATCH, and may hold expressions", async () => {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "sub"));
  const read = async (command: string, path: string): Promise<unknown> => {
    const inputs = { command, working_dir: "sub" };
    return (await runShell(engine, inputs, output(path), { name: "named" })).outputs.it;
  };
  expect(await read("echo here > f", "f")).toBe("here");
  expect(await read("mkdir -p d/e; echo deep > d/e/f", "d/e/f")).toBe("deep");
  expect(await read("echo dot > f", "./f")).toBe("dot");
  expect(await read('echo scratch > "$SCRATCH/f"', "$SCRATCH/f")).toBe("scratch");
  expect(await read('echo braces > "$SCRATCH/f"', "$${SCRATCH}/f")).toBe("braces");
  expect(await read("echo expression > named.txt", "${inputs.name}.txt")).toBe("expression");
});

test("no other variable is expanded in a path", async () => {
  const { metadata } = await runShell(createTestEngine(), "true", output("$HOME/f"));
  expect(metadata.message).toBe("output 'it': '$HOME/f' can't be read: there is no directory '$HOME'");
});

test("a missing file is an operation failure, unless it need not be there", async () => {
  const engine = createTestEngine();
  const required = await runShell(engine, "echo said", output("nothing"));
  expect(required.metadata).toMatchObject({ status: "completed", outcome: "failure" });
  expect(required.metadata.message).toBe("output 'it': the file 'nothing' does not exist");
  expect(required.outputs).toMatchObject({ exit_code: 0, stdout: "said\n", it: null });
  const optional = await runShell(engine, "true", output("nothing", { required: false }));
  expect(optional.metadata.succeeded).toBe(true);
  expect(optional.outputs.it).toBeNull();
});

test("files are read when the command fails too, and its exit code is the reason", async () => {
  const { metadata, outputs } = await runShell(createTestEngine(), "echo partial > f; exit 4", output("f"));
  expect(metadata).toMatchObject({ outcome: "failure", message: "exit code 4" });
  expect(outputs).toMatchObject({ exit_code: 4, it: "partial" });
});

test("a file above 10 MiB FAILS the block, required or not", async () => {
  const engine = createTestEngine();
  for (const required of [true, false]) {
    const large = await runShell(engine, "head -c 10485761 /dev/zero > f", output("f", { required }));
    expect(large.metadata).toMatchObject({ status: "failed", outcome: "n/a" });
    expect(large.metadata.message).toContain("output 'it': 'f' is larger than 10,485,760 bytes");
  }
  const fits = await runShell(engine, "head -c 10485760 /dev/zero | tr '\\0' x > f", output("f"));
  expect(String(fits.outputs.it)).toHaveLength(10_485_760);
});

test.each([
  { what: "a symbolic link", command: "echo x > real; ln -s real f", path: "f", says: "symbolic link" },
  { what: "a link on the way", command: "mkdir d; echo x > d/f; ln -s d l", path: "l/f", says: "symbolic link" },
  { what: "a way up", command: "echo x > f", path: "sub/../f", says: "goes up with '..'" },
  { what: "an absolute path", command: "true", path: "/etc/hostname", says: "absolute path" },
  { what: "a FIFO", command: "mkfifo f", path: "f", says: "not a regular file" },
  { what: "a directory", command: "mkdir f", path: "f", says: "directory" },
  { what: "a way up from $SCRATCH", command: "true", path: "$SCRATCH/../f", says: "goes up with '..'" },
])("$what is refused, required or not, and FAILS the block", async ({ command, path, says }) => {
  for (const required of [true, false]) {
    const engine = createTestEngine();
    mkdirSync(join(engine.workspace, "sub"));
    const { metadata, outputs } = await runShell(engine, command, output("${inputs.path}", { required }), { path });
    expect(metadata).toMatchObject({ status: "failed", outcome: "n/a" });
    expect(metadata.message).toContain(says);
    expect(outputs).toEqual({ exit_code: -1, stdout: "", stderr: "", it: null });
  }
});

test("unsafe allows an absolute path, and lifts no other rule", async () => {
  const engine = createTestEngine();
  const outside = createTestEngine();
  writeFileSync(join(outside.workspace, "f"), "far away\n");
  const absolute = await runShell(engine, "true", output(join(outside.workspace, "f"), { unsafe: true }));
  expect(absolute.outputs.it).toBe("far away");
  const link = join(engine.workspace, "l");
  const linked = await runShell(engine, `ln -s ${outside.workspace}/f l`, output(link, { unsafe: true }));
  expect(linked.metadata).toMatchObject({ status: "failed" });
  expect(linked.metadata.message).toContain("symbolic link");
  const up = await runShell(engine, "true", output("${inputs.path}", { unsafe: true }), { path: "../f" });
  expect(up.metadata.message).toContain("goes up with '..'");
});

test("a path that resolves to nothing or to no text FAILS the block", async () => {
  const engine = createTestEngine();
  const { metadata } = await runShell(engine, "touch ran", output("${inputs.v}"), { v: 7 });
  expect(metadata).toMatchObject({
    status: "failed",
    message: "output 'it': its path must be a text, not the number 7.",
  });
  expect(existsSync(join(engine.workspace, "ran"))).toBe(false);
});

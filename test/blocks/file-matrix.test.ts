import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { createMachine } from "../rig/machine.ts";
import { runBlock } from "../rig/run-block.ts";
import { asOrdinaryUser, type Ground, prepareGround } from "./file-ground.ts";

/** Each file block on a path, in the order of the letters below. */
const calls: readonly { type: string; inputs(path: string): object }[] = [
  { type: "CreateFile", inputs: (path) => ({ path, content: "new" }) },
  { type: "EditFile", inputs: (path) => ({ path, content: "new" }) },
  { type: "ReadFile", inputs: (path) => ({ path }) },
  { type: "DeleteFile", inputs: (path) => ({ path }) },
  { type: "MoveFile", inputs: (path) => ({ from: path, to: "target" }) },
  { type: "MoveFile", inputs: (path) => ({ from: "other", to: path }) },
  { type: "CopyFile", inputs: (path) => ({ from: path, to: "target" }) },
  { type: "CopyFile", inputs: (path) => ({ from: "other", to: path }) },
  { type: "MakeDir", inputs: (path) => ({ path }) },
];

const outcomes = {
  s: "completed/success",
  /** The operation ran and failed. */
  f: "completed/failure",
  /** A rule is broken: the block can't run. */
  r: "failed/n/a",
} as const;

interface Situation {
  readonly what: string;
  readonly path: string | ((ground: Ground) => string);
  /** Create, edit, read, delete, move from, move to, copy from, copy to, make directory. */
  readonly gives: string;
  /** What every message says of it. */
  readonly says?: RegExp;
  readonly unsafe?: boolean;
}

const notFollowed = /is a symbolic link, and links are not followed$/;
const outside = /is outside the workspace '.*'\. Use a path inside it, or set `unsafe: true` on the block\.$/;

const closed = /'\.frond', where workflows are kept, which no block may change/;

const situations: readonly Situation[] = [
  { what: "nothing", path: "nothing", gives: "sfff fsfs s", says: /'nothing' does not exist$/ },
  { what: "nothing in no directory", path: "no/such", gives: "sfff fsfs s", says: /'no\/such' does not exist$/ },
  { what: "a file in the way", path: "file/x", gives: "ffff ffff f", says: /does not exist$|'file' is a file/ },
  { what: "a file", path: "file", gives: "ssss sfsf f", says: /exists already, and overwrite is false$|is a file/ },
  { what: "a directory", path: "dir", gives: "ffff sfff s", says: /'dir' (is|exists already and is) a directory/ },
  { what: "a name of many scripts", path: "ünï ☃", gives: "ssss sfsf f", says: /'ünï ☃'/ },
  { what: "a path with ..", path: "dir/../file", gives: "ssss sfsf f", says: /^'file'/ },
  { what: "a link to a file", path: "link-to-file", gives: "rrrs srrr r", says: notFollowed },
  { what: "a link to a directory", path: "link-to-dir", gives: "rrrs srrr r", says: notFollowed },
  { what: "a link to nothing", path: "dangling", gives: "rrrs srrr r", says: notFollowed },
  { what: "a link to outside", path: "link-outside", gives: "rrrs srrr r", says: notFollowed },
  { what: "a file behind a link", path: "link-to-dir/inner", gives: "rrrr rrrr r", says: notFollowed },
  { what: "nothing behind a link", path: "link-to-dir/no/x", gives: "rrrr rrrr r", says: notFollowed },
  { what: "a file outside behind a link", path: "link-outside/file", gives: "rrrr rrrr r", says: notFollowed },
  { what: "a link, unsafe", path: "link-to-file", unsafe: true, gives: "rrrs srrr r", says: notFollowed },
  { what: "behind a link, unsafe", path: "link-to-dir/x", unsafe: true, gives: "rrrr rrrr r", says: notFollowed },
  { what: "a FIFO", path: "fifo", gives: "rrrr rrrr r", says: /neither a file nor a directory$/ },
  { what: "the workspace", path: ".", gives: "rrfr rrfr s", says: /is the workspace itself|is a directory/ },
  {
    what: "the root of the file system, unsafe",
    path: "/",
    unsafe: true,
    gives: "rrfr rrfr s",
    says: /^'\/' (is the root of the file system\.|names a directory|is a directory)/,
  },
  { what: "a home directory", path: "~/x", gives: "rrrr rrrr r", says: /'~', which does not stand for your home/ },
  { what: "a home directory, unsafe", path: "~", unsafe: true, gives: "rrrr rrrr r", says: /or '\.\/~' for something/ },
  { what: "a directory called ~", path: "./~/x", gives: "sfff fsfs s", says: /'~\/x' does not exist$/ },
  { what: "a path that goes up", path: "../x", gives: "rrrr rrrr r", says: outside },
  { what: "an absolute path inside", path: ({ at }) => at("file"), gives: "ssss sfsf f", says: /^'file'/ },
  { what: "an absolute path outside", path: ({ outside }) => `${outside}/file`, gives: "rrrr rrrr r", says: outside },
  {
    what: "an absolute path outside, unsafe",
    path: ({ outside }) => `${outside}/file`,
    unsafe: true,
    gives: "ssss sfsf f",
    says: /^'\/.*\/file'/,
  },
  { what: ".git", path: ".git/config", gives: "rrsr rrsr r", says: /'\.git', which only git itself may change/ },
  { what: ".git, unsafe", path: ".git/config", unsafe: true, gives: "rrsr rrsr r", says: /only git itself/ },
  { what: ".git in capitals", path: ".GIT/x", gives: "rrfr rrfr r", says: /only git itself|does not exist/ },
  { what: "another's .git", path: "repository/.git/config", gives: "rrsr rrsr r", says: /only git itself/ },
  { what: ".frond", path: ".frond/workflows/own.yaml", gives: "rrsr rrsr r", says: closed },
  { what: ".frond, unsafe", path: ".frond/workflows/own.yaml", unsafe: true, gives: "rrsr rrsr r", says: closed },
  { what: ".frond in capitals", path: ".FROND/x", gives: "rrfr rrfr r", says: /no block may change|does not exist/ },
  { what: ".frond as Windows has it", path: "FROND~1/x", gives: "rrfr rrfr r", says: /no block may change|does not/ },
  {
    what: "another project's .frond",
    path: "a/b/.frond/x",
    gives: "rrfr rrfr r",
    says: /no block may change|does not/,
  },
  {
    what: "the state directory, unsafe",
    path: ({ machine }) => join(machine.stateDirectory, "x"),
    unsafe: true,
    gives: "rrfr rrfr r",
    says: /is in Frond's own state directory|does not exist/,
  },
];

test.each(situations)("$what gives each block what is documented", async ({ path, gives, says = /^$/, unsafe }) => {
  const letters = [...gives.replaceAll(" ", "")] as (keyof typeof outcomes)[];
  let ground = prepareGround();
  for (const [index, { type, inputs }] of calls.entries()) {
    const before = ground.tree();
    const given = inputs(typeof path === "string" ? path : path(ground));
    const { metadata } = await runBlock(ground.engine, type, unsafe === true ? { ...given, unsafe } : given);
    const message = String(metadata.message);
    expect(`${metadata.status}/${metadata.outcome}`, `${type} ${JSON.stringify(given)}: ${message}`).toBe(
      outcomes[letters[index] as keyof typeof outcomes],
    );
    if (metadata.succeeded) {
      if (unsafe !== true) expect(ground.tree()).toMatchObject({ file: before.file });
      ground = prepareGround();
    } else {
      expect(message, type).toMatch(says);
      expect(ground.tree(), type).toEqual(before);
    }
  }
});

test.each(["", "a\0b"])("a path that an expression makes %j is refused", async (path) => {
  for (const { type, inputs } of calls) {
    const { metadata } = await runBlock(createTestEngine(), type, inputs("${inputs.path}"), { path });
    expect(metadata.status, type).toBe("failed");
    expect(metadata.message, type).toMatch(/must not be empty|contains a NUL/);
  }
});

test("a path that no other program could open is refused", async () => {
  for (const { type, inputs } of calls) {
    const { metadata } = await runBlock(createTestEngine(), type, inputs(`${"x/".repeat(2048)}y`));
    expect(metadata.status, type).toBe("failed");
    expect(metadata.message, type).toMatch(/^The path 'x\/x\/.*\.\.\.' is longer than 4,095 bytes/);
  }
});

test("a place outside can be reached by relative paths when that is allowed", async () => {
  const { at, machine } = prepareGround();
  const child = { blocks: [{ id: "it", type: "ReadFile", inputs: { path: "../other", unsafe: true } }] };
  const nested = createTestEngine({ machine, workflows: { child } });
  const { state } = await nested.run({
    blocks: [{ id: "sub", type: "ExecuteWorkflow", inputs: { workflow: "child", workspace: "dir" } }],
  });
  expect(state.root.record.blocks.sub?.blocks.it?.outputs).toMatchObject({ content: "other\n", path: at("other") });
});

test("a workspace that is named by a link is what the link leads to", async () => {
  const machine = createMachine();
  mkdirSync(join(machine.workspace, "real"));
  symlinkSync("real", join(machine.workspace, "link"));
  const file = join(machine.workspace, "real", "sub", "file");
  const child = {
    blocks: [
      { id: "make", type: "CreateFile", inputs: { path: "sub/file", content: "made" } },
      { id: "read", type: "ReadFile", inputs: { path: file }, depends_on: ["make"] },
    ],
  };
  const engine = createTestEngine({ machine, workflows: { child } });
  const { response, state } = await engine.run({
    blocks: [{ id: "it", type: "ExecuteWorkflow", inputs: { workflow: "child", workspace: "link" } }],
  });
  expect(response.status).toBe("success");
  expect(readFileSync(file, "utf8")).toBe("made");
  expect(state.root.record.blocks.it?.blocks.make?.outputs.path).toBe(file);
  expect(state.root.record.blocks.it?.blocks.read?.outputs.content).toBe("made");
});

test("the state directory is out of bounds by its real path too, when the user names it by a link", async () => {
  const { machine, at } = prepareGround();
  rmSync(machine.stateDirectory, { recursive: true });
  mkdirSync(at("state"));
  symlinkSync("state", at("named"));
  Object.assign(machine, { stateDirectory: at("named") });
  const engine = createTestEngine({ machine });
  for (const [type, inputs] of [
    ["CreateFile", { path: "state/x", content: "" }],
    ["MakeDir", { path: "state/x" }],
    ["DeleteFile", { path: "state", recursive: true }],
  ] as const) {
    const { metadata } = await runBlock(engine, type, inputs);
    const message = expect.stringContaining("is in Frond's own state directory");
    expect(metadata, type).toMatchObject({ status: "failed", message });
  }
});

describe("what the user has no permission for is a failure of the operation", () => {
  test("a directory that may not be written to", async () => {
    const { engine, at, tree } = prepareGround();
    chmodSync(at("dir"), 0o555);
    const before = tree();
    const { stateDirectory } = engine.engine.platform;
    await asOrdinaryUser([engine.workspace, at("other"), at("dir"), at("dir/inner"), stateDirectory], async () => {
      for (const [type, inputs] of [
        ["CreateFile", { path: "dir/new", content: "" }],
        ["CreateFile", { path: "dir/deep/new", content: "" }],
        ["EditFile", { path: "dir/inner", content: "" }],
        ["DeleteFile", { path: "dir/inner" }],
        ["MoveFile", { from: "dir/inner", to: "target" }],
        ["MoveFile", { from: "other", to: "dir/new" }],
        ["CopyFile", { from: "other", to: "dir/new" }],
        ["MakeDir", { path: "dir/new" }],
      ] as const) {
        const { metadata } = await runBlock(engine, type, inputs);
        expect(metadata, type).toMatchObject({ status: "completed", outcome: "failure" });
        expect(metadata.message).toMatch(/'dir\/\w+'.*: permission denied$/);
      }
    });
    chmodSync(at("dir"), 0o755);
    expect(tree()).toEqual(before);
  });

  test("a file that may not be read", async () => {
    const { engine, at } = prepareGround();
    chmodSync(at("file"), 0o000);
    await asOrdinaryUser([engine.workspace, at("file")], async () => {
      for (const [type, inputs] of [
        ["ReadFile", { path: "file", required: false }],
        ["EditFile", { path: "file", content: "" }],
        ["CopyFile", { from: "file", to: "target" }],
      ] as const) {
        const { metadata, outputs } = await runBlock(engine, type, inputs);
        expect(metadata, type).toMatchObject({ status: "completed", outcome: "failure" });
        expect(metadata.message).toBe("'file' can't be read: permission denied");
        expect(outputs.found ?? true).toBe(true);
      }
    });
    writeFileSync(at("file"), "still ours");
  });
});

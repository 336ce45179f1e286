import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { chmod, chown } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mountMemory } from "../journal/small-disk.ts";
import { readTree } from "../rig/file-tree.ts";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { typeCommand } from "../rig/person.ts";
import { first, init, its, manifest, shared } from "./init-project.ts";

/** Where tools find what they keep in the home of whoever runs the tests. */
function toolHomes(): Record<string, string> {
  const { HOME = "", CARGO_HOME = join(HOME, ".cargo"), RUSTUP_HOME = join(HOME, ".rustup") } = process.env;
  const { PYENV_ROOT = join(HOME, ".pyenv") } = process.env;
  return { CARGO_HOME, RUSTUP_HOME, PYENV_ROOT, GOTOOLCHAIN: "local", GOFLAGS: "-mod=mod" };
}

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? "").split(":").some((directory) => existsSync(join(directory, program)));
}

/** Some are only there to fetch what they stand for. */
function works(program: string): boolean {
  const asked = program === "go" ? "version" : "--version";
  return spawnSync(program, [asked], { env: { ...process.env, ...toolHomes() }, stdio: "ignore" }).status === 0;
}

interface Fresh {
  readonly program?: string;
  readonly files: Readonly<Record<string, string>>;
  readonly template: string;
  readonly blocks: readonly string[];
  readonly missing?: readonly string[];
}

const npmInitTest = 'echo "Error: no test specified" && exit 1';

/** Projects as they are right after the command that makes them. */
const fresh: Readonly<Record<string, Fresh>> = {
  "an empty directory": { files: {}, template: "plain", blocks: ["files", "today", "report"] },
  "npm init": {
    program: "npm",
    files: { "package.json": manifest({ scripts: { test: npmInitTest } }) },
    template: "node",
    blocks: ["describe"],
    missing: ["package.json has no lint, test or build script yet: add one, and a block that runs it."],
  },
  "a package with scripts": {
    program: "npm",
    files: {
      "package.json": manifest({
        scripts: {
          lint: "node --check a.js",
          "type-check": "true",
          test: '[ "$CI" = true ]',
          build: "true",
          dev: "false",
        },
      }),
      "a.js": "",
    },
    template: "node",
    blocks: ["lint", "type_check", "test", "build"],
  },
  "a package.json that is broken": {
    program: "node",
    files: { "package.json": '{ "name": ' },
    template: "node",
    blocks: ["describe"],
    missing: ["package.json is not valid JSON: the workflow fails until it is."],
  },
  "a Python project without tests": {
    program: "python3",
    files: { "pyproject.toml": '[project]\nname = "fern"\nversion = "1"\n', "fern.py": "print(1)\n" },
    template: "python",
    blocks: ["compile"],
    missing: ["There are no tests yet (tests/test_*.py): add some, and a block that runs them."],
  },
  "a Python project with tests": {
    program: "python3",
    files: {
      "setup.py": "",
      "tests/test_one.py": "import unittest\n\nclass One(unittest.TestCase):\n    def test_it(self): pass\n",
      ".venv/lib/broken.py": "def (",
    },
    template: "python",
    blocks: ["compile", "test"],
  },
  "cargo init": {
    program: "cargo",
    files: {
      "Cargo.toml": '[package]\nname = "fern"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/main.rs": "fn main() {}\n",
    },
    template: "rust",
    blocks: isInstalled("cargo-fmt") ? ["format", "build", "test"] : ["build", "test"],
  },
  "go mod init": {
    program: "go",
    files: { "go.mod": "module example.com/fern\n" },
    template: "go",
    blocks: ["build"],
    missing: ["There are no .go files yet: add `go vet ./...` and `go test ./...` when there are."],
  },
  "a Go program": {
    program: "go",
    files: { "go.mod": "module example.com/fern\n", "main.go": "package main\n\nfunc main() {}\n" },
    template: "go",
    blocks: ["build", "vet", "test"],
  },
  "a Makefile with targets": {
    program: "make",
    files: { Makefile: "all:\n\tfalse\nCC := cc\nbuild: \n\ttrue\ntest::\n\ttrue\n.PHONY: lint\n" },
    template: "make",
    blocks: ["test", "build"],
  },
  "a Makefile without a target that is known": {
    program: "make",
    files: { Makefile: "fern:\n\ttouch fern\n" },
    template: "make",
    blocks: ["make"],
  },
};

describe.each(Object.entries(fresh))("in %s", (_, { program, files, template, blocks, missing = [] }) => {
  test("the first workflow fits, is valid and trusted, passes its test and says what is missing", async () => {
    const frond = createFrond(files);
    const made = await init(frond);
    const absent =
      program === undefined || isInstalled(program) ? [] : [expect.stringContaining(`${program} is not on`)];
    expect(made).toMatchObject({ template, trusted: true, workflow: "check", missing: [...absent, ...missing] });
    expect(made.made).toEqual([first, its, ...shared]);
    expect((await frond.run(["validate", first, its, "--strict"])).stdout).toMatch(/^ok .*\nok .*\n$/);
    expect([...frond.read(first).matchAll(/^ {2}- id: (\w+)$/gm)].map(([, id]) => id)).toEqual(blocks);
    const tested = await frond.run(["test"]);
    expect([tested.code, tested.stdout]).toEqual([0, expect.stringContaining("2 passed")]);
  });

  const isThere = program === undefined || works(program);
  const fails = missing.some((lack) => lack.includes("fails"));
  test.skipIf(!isThere)(`it runs ${fails ? "red, as was said" : "green"} (needs ${program ?? "nothing"})`, async () => {
    const frond = createFrond(files);
    await init(frond);
    const { reply } = await frond.json(["run", "check"], { env: toolHomes() });
    expect(reply).toMatchObject({ status: fails ? "failure" : "success" });
  });
});

test("a program that is not there is said to be missing", async () => {
  const frond = createFrond({ "package.json": manifest({ packageManager: "pnpm@9.1.0", scripts: { test: "x" } }) });
  const { reply } = await frond.json(["init"], { env: { PATH: "/nowhere" } });
  expect(reply).toMatchObject({ missing: ["pnpm is not on your PATH. Install it: npm install --global pnpm"] });
});

test("of a project that is of several kinds the first is taken, or the one that is asked for", async () => {
  const files = { "package.json": manifest({ scripts: { test: "true" } }), Makefile: "test:\n\ttrue\n" };
  const { stdout } = await createFrond(files).run(["init"]);
  expect(stdout).toContain("for Node.js (package.json):");
  expect(stdout).toContain("It could also be: --template make.");
  expect(await init(createFrond(files), "--template", "make")).toMatchObject({ template: "make" });
  const refused = await createFrond(files).run(["init", "--template", "rust"]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("This is no Rust project.")]);
});

test("editors find the schemas that the files name, and git ignores them", async () => {
  const frond = createFrond();
  await init(frond);
  for (const [file, args] of [
    [first, ["schema"]],
    [its, ["schema", "--tests"]],
  ] as const) {
    const [, schema = ""] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(frond.read(file)) ?? [];
    const found = readFileSync(join(frond.directory, ".frond/workflows", schema), "utf8");
    expect(found).toBe((await frond.run(args)).stdout);
  }
  expect(frond.read(".frond/.gitignore")).toMatch(/^\/schema\/$/m);
});

describe("what is there", () => {
  test("a second time changes nothing, not even times, and says the same next commands", async () => {
    const frond = createFrond({ "package.json": manifest({ scripts: { test: "true" } }) });
    const args = ["init", "--agent", "cursor", "codex"];
    const once = await frond.run(args);
    const before = readTree(frond.directory);
    const times = [first, ".cursor/mcp.json"].map((file) => statSync(join(frond.directory, file)).mtimeMs);
    const twice = await frond.run(args);
    expect(twice.code).toBe(0);
    expect(twice.stdout).toContain("It has workflows already: check.");
    expect(twice.stdout).toContain(
      "Left as they are: .frond/.gitignore, .frond/schema/, .cursor/mcp.json, .codex/config.toml.",
    );
    const next = ({ stdout }: { readonly stdout: string }): string => stdout.slice(stdout.indexOf("Next:"));
    expect(next(twice)).toBe(next(once));
    expect(readTree(frond.directory)).toEqual(before);
    expect([first, ".cursor/mcp.json"].map((file) => statSync(join(frond.directory, file)).mtimeMs)).toEqual(times);
  });

  test("a workflow that somebody else put there is neither changed nor trusted", async () => {
    const theirs = workflow("theirs", [shell("a", "touch bad")]);
    const frond = createFrond({ ".frond/workflows/theirs.yaml": theirs });
    const { stdout } = await frond.run(["init"]);
    expect(stdout).toContain("It has workflows already: theirs.");
    expect(stdout).toContain("Next:\n  frond run theirs\n  frond validate .frond/workflows/theirs.yaml\n");
    expect(existsSync(join(frond.directory, first))).toBe(false);
    expect((await frond.run(["run", "theirs"])).code).toBe(2);
    expect(frond.read(".frond/workflows/theirs.yaml")).toBe(theirs);
  });

  test("a name that another workflow has is not taken", async () => {
    const frond = createFrond();
    mkdirSync(join(frond.home, ".frond/workflows"), { recursive: true });
    writeFileSync(join(frond.home, ".frond/workflows/check.yaml"), workflow("check", [shell("a", "true")]));
    expect(await init(frond)).toMatchObject({ workflow: "check-2" });
    expect((await frond.run(["run", "check-2"])).code).toBe(0);
  });

  test("a schema of another version stays, with the command that renews it", async () => {
    const frond = createFrond({ ".frond/schema/test.schema.json": "{}\n" });
    const { stdout } = await frond.run(["init"]);
    const [, renew = ""] = /Renew it: (.*)$/m.exec(stdout) ?? [];
    expect(frond.read(".frond/schema/test.schema.json")).toBe("{}\n");
    expect((await typeCommand(frond, renew)).code).toBe(0);
    expect((await frond.run(["init"])).stdout).not.toContain("Renew");
  });
});

test.each([["."], ["my project"]])("the three next commands can be typed, literally: in %s", async (directory) => {
  const frond = createFrond({ [`${directory}/package.json`]: manifest({ scripts: { test: "true" } }) });
  const { stdout } = await frond.run(["init", directory], { env: { EDITOR: "touch -t 200001010000" } });
  const [run = "", tests = "", edit = ""] = stdout
    .slice(stdout.indexOf("Next:\n") + 6)
    .trim()
    .split(/\n */);
  const typed = { directory: frond.directory };
  expect((await typeCommand(frond, run, typed)).stdout).toContain("success");
  expect((await typeCommand(frond, tests, typed)).stdout).toContain("2 passed");
  expect((await typeCommand(frond, edit, typed)).code).toBe(0);
  expect(statSync(join(frond.directory, directory, first)).mtime.getFullYear()).toBeLessThan(2001);
});

test("in a narrow terminal no line of the report is wider than it", async () => {
  const frond = createFrond();
  const { stdout } = await frond.startInTerminal(["init", "--agent", "claude-code"], { columns: 60, rows: 20 }).ended;
  const report = stdout.slice(stdout.indexOf("\n") + 1);
  expect(Math.max(...report.split(/\r?\n/).map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(report).toContain("lets Claude Code");
});

test("a directory that is missing is made, with nothing around it", async () => {
  const frond = createFrond();
  expect((await init(frond, "new")).made).toContain(first);
  expect(existsSync(join(frond.directory, "new", first))).toBe(true);
  const deep = await frond.run(["init", "a/b"]);
  expect([deep.code, deep.stderr]).toEqual([2, expect.stringContaining("'a/b' can't be used: it does not exist.")]);
});

describe("is refused with what to do", () => {
  test("a file in the place of a directory", async () => {
    const frond = createFrond({ file: "", "x/.frond": "" });
    const file = await frond.run(["init", "file"]);
    expect([file.code, file.stderr]).toEqual([2, expect.stringContaining("'file' is not a directory.")]);
    const own = await frond.run(["init", "x"]);
    expect(own.code).toBe(1);
    expect(own.stderr).toContain(".frond is there already, and is no directory.");
    expect(own.stderr).toContain("fix: Move it away.");
    expect((await frond.json(["init", "x"])).reply).toMatchObject({ made: [], errors: [{ code: "not-a-directory" }] });
  });

  const isRoot = process.getuid?.() === 0;
  test.skipIf(isRoot)("a directory that may not be written (needs a user who is not root)", async () => {
    const frond = createFrond();
    await chmod(frond.directory, 0o555);
    const { code, stderr } = await frond.run(["init"]);
    await chmod(frond.directory, 0o755);
    expect([code, stderr]).toEqual([1, expect.stringContaining("permission")]);
  });

  test.skipIf(!isRoot)("a directory of somebody else is not trusted (needs root)", async () => {
    const frond = createFrond();
    await chown(frond.directory, 54_321, 54_321);
    const { code, stdout } = await frond.run(["init"]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("It is not trusted, because it belongs to another user."),
    ]);
    expect((await frond.run(["run", "check"])).code).toBe(2);
  });

  test("a disk that is full", async (context) => {
    const disk = mountMemory(context);
    const frond = createFrond();
    disk.fill(0);
    const { code, stderr } = await frond.run(["init", disk.directory]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("no space is left on the disk")]);
  });

  test("an agent that has no file in projects", async () => {
    const { code, stderr } = await createFrond().run(["init", "--agent", "claude-desktop"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Allowed choices are claude-code, cursor")]);
  });
});

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Execution } from "../../src/engine/execution.ts";
import { createSandbox } from "../../src/platform/sandbox/sandbox.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { createRepository, git } from "../rig/git-repository.ts";
import { isAlive } from "../rig/is-alive.ts";
import { useIsolation } from "../rig/isolation.ts";
import { createMachine } from "../rig/machine.ts";
import { runShell } from "../rig/shell-block.ts";
import { waitFor } from "../rig/wait-for.ts";

await useIsolation();

const isolated = { effects: "isolated" };

function run(engine: TestEngine, command: string, more: object = {}): Promise<Execution> {
  return runShell(engine, { command, strict: true }, { ...isolated, ...more });
}

/** What is in a directory: by path, the bytes of files, where links lead, and modes of directories. */
function treeOf(directory: string, below = ""): Record<string, string> {
  const tree: Record<string, string> = {};
  // Names are bytes, and not all of them are text.
  const bytesOf = (path: string): Buffer => Buffer.from(join(directory, path), "latin1");
  for (const name of readdirSync(bytesOf(below), "latin1").sort()) {
    if (name === ".git" || name === ".scratch") continue;
    const path = below === "" ? name : `${below}/${name}`;
    const stats = lstatSync(bytesOf(path));
    const mode = (stats.mode & 0o777).toString(8);
    if (stats.isSymbolicLink()) tree[path] = `-> ${readlinkSync(bytesOf(path))}`;
    else if (stats.isFile()) tree[path] = `${mode} ${readFileSync(bytesOf(path), "utf8")}`;
    else Object.assign(tree, { [path]: `${mode} directory` }, treeOf(directory, path));
  }
  return tree;
}

function write(engine: TestEngine, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(engine.workspace, path, ".."), { recursive: true });
    writeFileSync(join(engine.workspace, path), text);
  }
}

/** What is left of isolated workspaces. */
function leftIn(engine: TestEngine): readonly string[] {
  const directory = join(engine.engine.platform.stateDirectory, "isolated");
  return existsSync(directory) ? readdirSync(directory) : [];
}

const before = { a: "one", "dir/b": "two", "dir/deep/c": "three", "other/d": "four" };

/** Each command, run in a workspace of its own, leaves what it leaves in the workspace itself. */
const commands: Readonly<Record<string, string>> = {
  "makes a file": "echo new > new; mkdir -p far/away; echo x > far/away/x",
  "edits a file": "echo more >> a; sed -i s/two/TWO/ dir/b",
  "removes a file": "rm a dir/deep/c",
  "removes a directory": "rm -r dir",
  "changes modes": "chmod 600 a; chmod 755 dir/b; chmod 711 other",
  "renames a file": "mv a z; mv dir/b other/b",
  "renames a directory": "mv dir moved",
  "makes links": "ln -s a link; ln -s /nowhere/at/all dir/broken; ln -sfn dir other/d",
  "makes a directory anew": "rm -r dir; mkdir dir; echo x > dir/only",
  "makes an empty directory": "mkdir -m 750 empty; rm -r other; mkdir other",
  "puts a directory where a file was": "rm a; mkdir a; echo x > a/x",
  "puts a file where a directory was": "rm -r dir; echo x > dir",
  "swaps two directories": "mv dir t; mv other dir; mv t other",
  "writes odd names": "echo 1 > 'a b'; echo 2 > $'line\\nbreak'; echo 3 > $'\\xff'; echo 4 > 'a:b,c\\d'",
  "writes the same bytes": "cat a > t; cat t > a; rm t; touch a dir other/d",
};

describe("an isolated command", () => {
  test.for(Object.entries(commands))("%s", async ([, command]) => {
    const [real, engine] = [createTestEngine(), createTestEngine()];
    for (const one of [real, engine]) {
      write(one, before);
      chmodSync(join(one.workspace, "dir/b"), 0o640);
    }
    const { status } = spawnSync("bash", ["-ec", command], { cwd: real.workspace });
    expect(status).toBe(0);
    const { metadata } = await run(engine, command);
    expect(metadata.error).toBe(null);
    expect(treeOf(engine.workspace)).toEqual(treeOf(real.workspace));
    expect(leftIn(engine)).toEqual([]);
  });

  test("is where it thinks it is, as who it was, with the files that are there", async () => {
    const engine = createTestEngine({ environment: { "odd.name": "1" } });
    write(engine, before);
    const { outputs } = await run(engine, "pwd -P; id -u; cat dir/b a; env | grep odd.name");
    const user = String(process.getuid?.());
    expect(outputs.stdout).toBe([engine.workspace, user, "twooneodd.name=1", ""].join("\n"));
  });

  test("leaves nothing when it fails", async () => {
    const engine = createTestEngine();
    write(engine, before);
    const tree = treeOf(engine.workspace);
    const { metadata, outputs } = await run(engine, "rm -r dir; echo new > a; echo told; exit 3");
    expect(metadata).toMatchObject({ outcome: "failure" });
    expect(outputs).toMatchObject({ exit_code: 3, stdout: "told\n" });
    expect(treeOf(engine.workspace)).toEqual(tree);
    expect(leftIn(engine)).toEqual([]);
  });

  test("succeeds by the exit code that is expected of it", async () => {
    const engine = createTestEngine();
    const expected = { expect: { exit_code: [0, 3] } };
    expect((await run(engine, "echo x > a; exit 3", expected)).metadata.succeeded).toBe(true);
    expect((await run(engine, "echo x > b; exit 4", expected)).metadata.succeeded).toBe(false);
    expect((await run(engine, "echo x > c", { expect: { exit_code: [3] } })).metadata.succeeded).toBe(false);
    expect(Object.keys(treeOf(engine.workspace))).toEqual(["a"]);
  });

  test("leaves nothing when its time is over", async () => {
    const engine = createTestEngine();
    write(engine, before);
    const tree = treeOf(engine.workspace);
    const { metadata } = await run(engine, "rm -r dir; sleep 60", { timeout: 0.3 });
    expect(metadata.error).toContain("longer than its limit");
    expect(treeOf(engine.workspace)).toEqual(tree);
    expect(leftIn(engine)).toEqual([]);
  });

  test("leaves nothing when it is cancelled", async () => {
    const engine = createTestEngine();
    write(engine, before);
    const tree = treeOf(engine.workspace);
    let hasBegun = false;
    const block = { id: "it", type: "Shell", inputs: { command: "rm -r dir; echo begun; sleep 60" }, ...isolated };
    const started = await engine.start({ blocks: [block] }, { onOutput: () => (hasBegun = true) });
    await waitFor("the command", () => hasBegun);
    await started.cancel();
    const { state } = await started.settled;
    expect(state.root.record.blocks.it).toMatchObject({
      metadata: { error: "cancelled" },
      outputs: { stdout: "begun\n", exit_code: -1 },
    });
    expect(treeOf(engine.workspace)).toEqual(tree);
    expect(leftIn(engine)).toEqual([]);
  });

  test("reports its changes as changes of files, with what they replace", async () => {
    const engine = createTestEngine();
    write(engine, before);
    const command = "echo more > a; rm dir/b; chmod 700 other";
    const block = { id: "it", type: "Shell", inputs: { command }, ...isolated };
    const { events } = await engine.run({ blocks: [block] });
    const changed = events.filter((event) => event.type === "file-changed");
    expect(changed.flatMap(({ changes }) => changes)).toMatchObject([
      { kind: "write", at: { path: "a" }, before: { kind: "file", kept: true } },
      { kind: "remove", at: { path: "dir/b" }, before: { kind: "file", kept: true } },
      { kind: "set-mode", at: { path: "other" }, after: 0o700 },
    ]);
  });

  test("reports nothing when it has changed nothing", async () => {
    const engine = createTestEngine();
    write(engine, before);
    const block = { id: "it", type: "Shell", inputs: { command: "cat a > /dev/null; echo x > t; rm t" }, ...isolated };
    const { events } = await engine.run({ blocks: [block] });
    expect(events.filter((event) => event.type === "file-changed")).toEqual([]);
  });

  test("gives outputs from files that it has made", async () => {
    const engine = createTestEngine();
    const { outputs, metadata } = await run(engine, "echo 5 > n; echo 6 > $SCRATCH/m", {
      outputs: { n: { type: "int", path: "n" }, m: { type: "int", path: "$SCRATCH/m" } },
    });
    expect(metadata.error).toBe(null);
    expect(outputs).toMatchObject({ n: 5, m: 6 });
  });

  test("runs in a directory that a link leads to, in its own workspace", async () => {
    const engine = createTestEngine();
    write(engine, before);
    symlinkSync(join(engine.workspace, "dir"), join(engine.workspace, "link"));
    const failing = await runShell(engine, { command: "echo x > made; exit 1", working_dir: "link" }, isolated);
    expect(failing.metadata.outcome).toBe("failure");
    expect(existsSync(join(engine.workspace, "dir/made"))).toBe(false);
    const given = { where: "link" };
    const inputs = { command: "pwd -P; echo x > made", working_dir: "${inputs.where}" };
    const { outputs } = await runShell(engine, inputs, isolated, given);
    expect(outputs.stdout).toBe(`${join(engine.workspace, "dir")}\n`);
    expect(existsSync(join(engine.workspace, "dir/made"))).toBe(true);
    const outside = await runShell(engine, inputs, isolated, { where: "/" });
    expect(outside.metadata.error).toContain("outside the workspace");
  });

  test("is told from a program that there is none of", async () => {
    const engine = createTestEngine();
    const { metadata } = await runShell(engine, { args: ["no-such-program", "x"] }, isolated);
    expect(metadata.error).toBe("there is no program 'no-such-program' on PATH");
  });

  test("keeps nothing in the background", async () => {
    const engine = createTestEngine();
    const { metadata } = await runShell(engine, { command: "sleep 60 &", keep_background: true }, isolated);
    expect(metadata.error).toContain("can't be isolated");
  });

  test("is waited for with all that it has started, also what has left its session", async () => {
    const engine = createTestEngine();
    const daemon = "setsid sh -c 'echo $$ > pid; trap \"\" TERM; while :; do echo x >> growing; sleep 0.01; done' &";
    const { metadata } = await run(engine, `${daemon} until test -s growing; do sleep 0.01; done`);
    expect(metadata.error).toBe(null);
    const pid = Number(readFileSync(join(engine.workspace, "pid"), "utf8"));
    expect(isAlive(pid)).toBe(false);
    const { size } = statSync(join(engine.workspace, "growing"));
    expect(size).toBeGreaterThan(0);
  });
});

describe("in a sandbox", () => {
  test("an isolated command is kept from the rest of the machine as well", async (context) => {
    const engine = createTestEngine();
    const found = await createSandbox(engine.engine.platform.environment, "/nowhere").find();
    if (!found.ok) context.skip(found.error);
    write(engine, before);
    const tree = treeOf(engine.workspace);
    const command = "rm -r dir; echo x > new; touch /etc/frond-test || echo read-only; cat a";
    const failing = await runShell(engine, { command: `${command}; exit 1` }, { ...isolated, sandbox: true });
    expect(failing.outputs.stdout).toBe("read-only\none");
    expect(treeOf(engine.workspace)).toEqual(tree);
    const { metadata } = await runShell(engine, { command }, { ...isolated, sandbox: true });
    expect(metadata.error).toBe(null);
    expect(Object.keys(treeOf(engine.workspace))).toEqual(["a", "new", "other", "other/d"]);
  });
});

describe("side by side", () => {
  test("isolated commands do not see each other", async () => {
    const engine = createTestEngine();
    write(engine, { a: "one" });
    // Each waits in the scratch directory, which they share, until both have written, and again until both have looked.
    const meet = (own: string, other: string): string =>
      `touch $SCRATCH/${own}; until test -e $SCRATCH/${other}; do sleep 0.01; done`;
    const command = (own: string, other: string): string =>
      `echo ${own} > ${own}; echo ${own} > same-$((1)).${own}; ${meet(own, other)}; ls; ` +
      meet(`${own}-looked`, `${other}-looked`);
    const block = (id: string, other: string): object => {
      return { id, type: "Shell", inputs: { command: command(id, other) }, ...isolated };
    };
    const { response, state } = await engine.run({ blocks: [block("x", "y"), block("y", "x")] });
    expect(response.status).toBe("success");
    const { x, y } = state.root.record.blocks;
    expect(x?.outputs.stdout).toBe("a\nsame-1.x\nx\n");
    expect(y?.outputs.stdout).toBe("a\nsame-1.y\ny\n");
    expect(Object.keys(treeOf(engine.workspace))).toEqual(["a", "same-1.x", "same-1.y", "x", "y"]);
  });

  test.for([
    ["edits", "echo theirs > a"],
    ["removes", "rm a"],
    ["replaces", "echo theirs > t; mv t a"],
  ])("who %s what an isolated command changes keeps their own", async ([, theirs]) => {
    const engine = createTestEngine();
    write(engine, { ...before, free: "five" });
    const command =
      "echo mine > a; echo mine > b; touch $SCRATCH/ready; until test -e $SCRATCH/go; do sleep 0.01; done";
    const other = `until test -e $SCRATCH/ready; do sleep 0.01; done; ${theirs}; touch $SCRATCH/go`;
    const { state } = await engine.run({
      blocks: [
        { id: "mine", type: "Shell", inputs: { command }, ...isolated },
        { id: "theirs", type: "Shell", inputs: { command: other } },
      ],
    });
    const { mine } = state.root.record.blocks;
    expect(mine?.metadata.outcome).toBe("failure");
    expect(mine?.metadata.error).toContain("nothing of what it did was kept: 'a' was changed by somebody else");
    const tree = treeOf(engine.workspace);
    expect(tree.b).toBe(undefined);
    expect(tree.a?.slice(4)).toBe(theirs === "rm a" ? undefined : "theirs\n");
  });

  test("who makes the same, or puts something into what is removed, keeps their own", async () => {
    const engine = createTestEngine();
    write(engine, before);
    const command = "echo mine > new; rm -r dir; touch $SCRATCH/ready; until test -e $SCRATCH/go; do sleep 0.01; done";
    const other =
      "until test -e $SCRATCH/ready; do sleep 0.01; done; echo theirs > new; echo theirs > dir/new; touch $SCRATCH/go";
    const { state } = await engine.run({
      blocks: [
        { id: "mine", type: "Shell", inputs: { command }, ...isolated },
        { id: "theirs", type: "Shell", inputs: { command: other } },
      ],
    });
    expect(state.root.record.blocks.mine?.metadata.error).toContain("'dir/new', 'new' was changed by somebody else");
    expect(treeOf(engine.workspace)).toMatchObject({
      new: "644 theirs\n",
      "dir/new": "644 theirs\n",
      "dir/b": "644 two",
    });
  });
});

describe("git", () => {
  test("can be read in an isolated command, and is not changed by it", async () => {
    const engine = createTestEngine({ environment: { HOME: "/nonexistent" } });
    write(engine, before);
    createRepository(engine.workspace);
    const read = await run(engine, "echo more >> a; rm dir/b; git status --porcelain; git log --format=%s");
    expect(read.outputs.stdout).toBe(" M a\n D dir/b\nFirst\n");
    expect(git(engine.workspace, "status", "--porcelain")).toBe(" M a\n D dir/b");
    const commit = await run(engine, "echo again >> a; git commit -qam x");
    expect(commit.metadata.outcome).toBe("failure");
    expect(String(commit.outputs.stderr)).toContain("Read-only file system");
    expect(git(engine.workspace, "log", "--format=%s")).toBe("First");
  });

  test("a repository that an isolated command makes can't be kept", async () => {
    const engine = createTestEngine({ environment: { HOME: "/nonexistent" } });
    const { metadata } = await run(engine, "git init -q inner; echo x > inner/x");
    expect(metadata.error).toContain("'inner/.git' was changed, which can't be undone");
    expect(treeOf(engine.workspace)).toEqual({});
  });

  test("that of a worktree, which lies elsewhere, is not changed either", async () => {
    const engine = createTestEngine({ environment: { HOME: "/nonexistent" } });
    write(engine, before);
    createRepository(engine.workspace);
    git(engine.workspace, "worktree", "add", "--quiet", "tree", "-b", "new");
    const machine = Object.assign(createMachine(), { workspace: join(engine.workspace, "tree") });
    const inside = createTestEngine({ environment: { HOME: "/nonexistent" }, machine });
    const { outputs } = await run(inside, "git status --porcelain; git commit -q --allow-empty -m x");
    expect(String(outputs.stderr)).toContain("Read-only file system");
    expect(git(engine.workspace, "log", "--format=%s", "new")).toBe("First");
  });
});

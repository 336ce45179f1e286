import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { listAllProcesses } from "../platform/find-supervisors.ts";
import { useBubblewrap } from "../rig/bubblewrap.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { createRepository } from "../rig/git-repository.ts";
import { runShell } from "../rig/shell-block.ts";
import { waitFor } from "../rig/wait-for.ts";

await useBubblewrap();

const sandboxed = { sandbox: true };

/** Not in /tmp, of which every sandbox has one of its own. */
function createDirectory(parent = "/var/tmp"): string {
  const directory = realpathSync(mkdtempSync(join(parent, "frond-sandbox-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** What the command printed, when it succeeded; else why not. */
async function printed(engine: TestEngine, command: string, more: object = sandboxed): Promise<string> {
  const { outputs, metadata } = await runShell(engine, { command, strict: true }, more);
  return metadata.succeeded ? String(outputs.stdout).trimEnd() : String(metadata.error);
}

describe("files", () => {
  test("a sandboxed command writes in the workspace and in $SCRATCH, and nowhere else", async () => {
    const engine = createTestEngine();
    const outside = createDirectory();
    expect(await printed(engine, "mkdir a; echo in > a/file; echo in > $SCRATCH/file; cat a/file $SCRATCH/file")).toBe(
      "in\nin",
    );
    expect(readFileSync(join(engine.workspace, "a/file"), "utf8")).toBe("in\n");
    for (const place of [outside, "/etc", "/usr/bin", "/proc/sys/kernel", "/sys/kernel"]) {
      expect(await printed(engine, `echo out > ${place}/hostname`)).toMatch(/exit code 1: .*(Read-only|Permission)/);
    }
    expect(readdirSync(outside)).toEqual([]);
  });

  test("a sandboxed command can read what others can, but not write to it", async () => {
    const outside = createDirectory();
    writeFileSync(join(outside, "file"), "as it was\n");
    const engine = createTestEngine();
    expect(await printed(engine, `cat ${outside}/file`)).toBe("as it was");
    expect(await printed(engine, `rm ${outside}/file`)).toContain("Read-only file system");
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("as it was\n");
  });

  test("a sandboxed command has a /tmp and a home of its own", async () => {
    const home = createDirectory();
    writeFileSync(join(home, ".token"), "canary");
    const inTmp = createDirectory(tmpdir());
    const engine = createTestEngine({ environment: { HOME: home } });
    expect(await printed(engine, `ls -A ~; test ! -e ${inTmp}; touch ~/made /tmp/made; ls ~`)).toBe("made");
    expect([existsSync("/tmp/made"), readdirSync(home)]).toEqual([false, [".token"]]);
  });

  test("what is on PATH, or in FROND_SANDBOX_READ, can be read although it lies in the home", async () => {
    const home = createDirectory();
    for (const directory of ["bin", "lib", "other"]) mkdirSync(join(home, directory));
    writeFileSync(join(home, "bin/tool"), '#!/bin/sh\ncat "$HOME/lib/text"\nls "$HOME"\n', { mode: 0o755 });
    writeFileSync(join(home, "lib/text"), "text\n");
    const PATH = `${home}/bin:${process.env.PATH}`;
    const engine = createTestEngine({ environment: { HOME: home, PATH, FROND_SANDBOX_READ: "~/lib" } });
    expect(await printed(engine, "tool")).toBe("text\nbin\nlib");
    expect(await printed(engine, "touch ~/bin/x")).toContain("Read-only file system");
  });

  test("a workflow can't choose what of the home is readable", async () => {
    const home = createDirectory();
    mkdirSync(join(home, ".ssh"));
    const engine = createTestEngine({ environment: { HOME: home } });
    const env = {
      PATH: `${home}/.ssh:${process.env.PATH}`,
      FROND_SANDBOX_READ: home,
      HOME: "/",
      TMPDIR: home,
      SCRATCH: home,
    };
    const record = await runShell(engine, { command: `ls -A ${home}; touch ${home}/x`, env }, sandboxed);
    expect(record.outputs.stdout).toBe("");
    expect(readdirSync(home)).toEqual([".ssh"]);
  });

  test("a working directory that is named through a link is found where it really is", async () => {
    const engine = createTestEngine();
    mkdirSync(join(engine.workspace, "real"));
    const link = join(createDirectory(tmpdir()), "link");
    symlinkSync(join(engine.workspace, "real"), link);
    const record = await runShell(engine, { command: "pwd -P; touch here", working_dir: link }, sandboxed);
    expect(record.outputs.stdout).toBe(`${engine.workspace}/real\n`);
    expect(readdirSync(join(engine.workspace, "real"))).toEqual(["here"]);
  });

  test("a sandboxed command sees nothing of Frond's own data", async () => {
    const engine = createTestEngine();
    const state = engine.engine.platform.stateDirectory;
    mkdirSync(join(state, "logs"), { recursive: true });
    expect(await printed(engine, `ls -A ${state} || echo hidden`)).toMatch(/^(hidden)?$/);
  });

  test("sockets of services outside can't be reached", async () => {
    const engine = createTestEngine();
    expect(await printed(engine, "ls -A /run /var/run/ | sort -u | tr -d '\\n'")).toBe("/run:/var/run/:");
  });
});

describe("git", () => {
  const git = (directory: string, ...args: readonly string[]): string =>
    spawnSync("git", args, { cwd: directory, encoding: "utf8" }).stdout;

  function createRepository(): TestEngine {
    const engine = createTestEngine();
    git(engine.workspace, "init", "-q");
    git(engine.workspace, "config", "user.email", "a@example.com");
    git(engine.workspace, "config", "user.name", "A");
    return engine;
  }

  test("a sandboxed command commits, but changes neither hooks nor settings", async () => {
    const engine = createRepository();
    expect(await printed(engine, "echo x > file; git add file; git commit -qm one; git log --format=%s")).toBe("one");
    expect(git(engine.workspace, "log", "--format=%s")).toBe("one\n");
    const before = readFileSync(join(engine.workspace, ".git/config"), "utf8");
    for (const attempt of [
      "echo 'echo owned' > .git/hooks/pre-commit",
      "git config core.fsmonitor ./owned",
      "echo >> .git/config",
      "echo x > new; mv new .git/config",
      "mv .git/hooks old",
      "mv .git old; cp -r old .git",
      "rm -rf .git/hooks/*; rm -rf .git/config",
      "umount .git/config || mount -o remount,rw .git/hooks",
      "unshare -rm sh -c 'umount .git/config; echo owned >> .git/config'",
    ]) {
      expect(await printed(engine, attempt), attempt).toMatch(/exit code \d+: /);
    }
    expect(readFileSync(join(engine.workspace, ".git/config"), "utf8")).toBe(before);
    expect(existsSync(join(engine.workspace, ".git/hooks/pre-commit"))).toBe(false);
  });

  test("a sandboxed command makes no hooks where there are none", async () => {
    const engine = createRepository();
    rmSync(join(engine.workspace, ".git/hooks"), { recursive: true, force: true });
    expect(await printed(engine, "mkdir -p .git/hooks; touch .git/hooks/pre-commit")).toContain(
      "Read-only file system",
    );
    expect(readdirSync(join(engine.workspace, ".git/hooks"))).toEqual([]);
  });

  test("a sandboxed command adds no workflow to the project", async () => {
    const engine = createTestEngine();
    mkdirSync(join(engine.workspace, ".frond/workflows"), { recursive: true });
    expect(await printed(engine, "touch .frond/workflows/x.yaml")).toContain("Read-only file system");
  });
});

describe("network", () => {
  async function createPort(): Promise<number> {
    const server = createServer((socket) => socket.end("hello\n")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }
  const connect = (port: number): string => `exec 4<>/dev/tcp/127.0.0.1/${port} && cat <&4`;

  test("a sandboxed command has no network, unless it is the host's", async () => {
    const engine = createTestEngine();
    const command = connect(await createPort());
    expect(await printed(engine, command, {})).toBe("hello");
    expect(await printed(engine, command)).toContain("Connection refused");
    expect(await printed(engine, command, { sandbox: { network: "none" } })).toContain("Connection refused");
    expect(await printed(engine, command, { sandbox: { network: "host" } })).toBe("hello");
  });

  test("nothing further in lifts what is said around it", async () => {
    const port = await createPort();
    const host = { sandbox: { network: "host" } };
    const it = { id: "it", type: "Shell", inputs: { command: connect(port) } };
    const calling = (workflow: string): object => ({ id: "call", type: "ExecuteWorkflow", inputs: { workflow } });
    const engine = createTestEngine({
      workflows: { plain: { blocks: [it] }, wide: { ...host, blocks: [{ ...it, ...host }] } },
    });
    const reached = async (more: object, blocks: readonly object[], limits?: object): Promise<boolean> => {
      const { response } = await engine.run({ ...more, blocks }, limits);
      return response.status === "success";
    };
    const touchOutside = { ...it, inputs: { command: "touch /var/tmp/frond-outside" } };
    expect(await reached(sandboxed, [it])).toBe(false);
    expect(await reached(host, [it])).toBe(true);
    expect(await reached(host, [{ ...it, ...sandboxed }])).toBe(false);
    expect(await reached(host, [touchOutside])).toBe(false);
    expect(await reached({}, [calling("wide")])).toBe(true);
    expect(await reached(sandboxed, [calling("wide")])).toBe(false);
    expect(await reached(sandboxed, [calling("plain")])).toBe(false);
    expect(await reached({}, [{ ...it, for_each: [1, 2] }])).toBe(true);
    expect(await reached(sandboxed, [{ ...it, for_each: [1, 2] }])).toBe(false);
    expect(await reached({}, [calling("wide")], { sandbox: { network: "none" } })).toBe(false);
    expect(existsSync("/var/tmp/frond-outside")).toBe(false);
  });
});

test("a child workflow in a directory of its own writes there and in $SCRATCH, and not around", async () => {
  const command = "echo in > own; echo in > $SCRATCH/x; echo out > ../out";
  const inner = { sandbox: true, blocks: [{ id: "it", type: "Shell", inputs: { command } }] };
  const engine = createTestEngine({ workflows: { inner } });
  mkdirSync(join(engine.workspace, "sub"));
  const { state } = await engine.run({
    blocks: [
      { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner", workspace: "sub" } },
      { id: "read", type: "Shell", inputs: { command: "cat $SCRATCH/x" }, depends_on: ["call"] },
    ],
  });
  expect(state.root.record.blocks.read?.outputs.stdout).toBe("in\n");
  expect([readdirSync(engine.workspace), readdirSync(join(engine.workspace, "sub"))]).toEqual([["sub"], ["own"]]);
});

test("values, standard input, file outputs and exit codes are as without a sandbox", async () => {
  const engine = createTestEngine();
  const command = 'printf %s "${inputs.v}" > $SCRATCH/v; cat; echo oops >&2; exit 3';
  const more = { ...sandboxed, outputs: { v: { path: "$SCRATCH/v" } } };
  const hostile = 'it\'s $(touch owned) "`x`"\n';
  const record = await runShell(engine, { command, stdin: "given" }, more, { v: hostile });
  expect(record).toMatchObject({
    metadata: { status: "completed", outcome: "failure", error: "exit code 3: oops" },
    outputs: { exit_code: 3, stdout: "given", stderr: "oops\n", v: hostile.trimEnd() },
  });
  expect(existsSync(join(engine.workspace, "owned"))).toBe(false);
});

test("what a block says of the environment is for its command, not for the program that makes the sandbox", async () => {
  const engine = createTestEngine();
  const env = { LD_DEBUG: "libs", LD_DEBUG_OUTPUT: join(engine.workspace, "loaded"), EMPTY: "", PLAIN: "it's\n$x" };
  const record = await runShell(
    engine,
    { command: 'printf "[%s]" "$EMPTY" "$PLAIN"; tr "\\0" " " < /proc/1/cmdline', env },
    sandboxed,
  );
  expect(record.outputs.stdout).toMatch(/^\[\]\[it's\n\$x\].*bwrap --args \d -- /);
  const loaded = readdirSync(engine.workspace).map((file) => readFileSync(join(engine.workspace, file), "utf8"));
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.join("")).not.toContain("bwrap");
});

test("a time limit ends everything in the sandbox", async () => {
  const engine = createTestEngine();
  const marker = `300.${process.pid}`;
  const command = `setsid sleep ${marker} & sleep ${marker}`;
  const record = await runShell(engine, command, { ...sandboxed, timeout: "300ms" });
  expect(record.metadata).toMatchObject({ status: "failed", error: "ran longer than its limit of 300ms" });
  const isLeft = (): boolean => listAllProcesses().some(({ commandLine }) => commandLine.includes(marker));
  await waitFor("nothing of it is left", () => !isLeft());
});

describe("without bubblewrap that works", () => {
  /** PATH with a shell and little else. */
  function createPath(bwrap?: string): string {
    const directory = createDirectory();
    for (const program of ["bash", "touch"]) {
      const file = spawnSync("which", [program], { encoding: "utf8" }).stdout.trim();
      symlinkSync(file, join(directory, program));
    }
    if (bwrap !== undefined) writeFileSync(join(directory, "bwrap"), `#!/bin/bash\n${bwrap}\n`, { mode: 0o755 });
    return directory;
  }

  async function refusal(PATH: string): Promise<string> {
    const engine = createTestEngine({ environment: { PATH } });
    const record = await runShell(engine, "touch ran", sandboxed);
    expect(record.metadata.status).toBe("failed");
    expect(readdirSync(engine.workspace)).toEqual([]);
    return String(record.metadata.error);
  }

  test("a command that asks for a sandbox fails with what is missing and how to get it, and does not run", async () => {
    expect(await refusal(createPath())).toBe(
      "a sandbox is made with bubblewrap, but there is no 'bwrap' on PATH. Install it, on Debian and Ubuntu with: apt-get install bubblewrap",
    );
  });

  test("a bubblewrap that may not make namespaces is a failure that says so, and the command does not run", async () => {
    const path = createPath("echo 'bwrap: No permissions to create new namespace' >&2; exit 1");
    expect(await refusal(path)).toMatch(
      /^bubblewrap \('.*\/bwrap'\) can't make a sandbox here: bwrap: No permissions to create new namespace\. It needs user namespaces: /,
    );
  });
});

describe("git of the worktree blocks", () => {
  test("a hook of the workspace's own repository runs in the sandbox that the workflow asks for", async () => {
    const engine = createTestEngine();
    const outside = createDirectory();
    createRepository(engine.workspace);
    const program = `#!/bin/sh\necho ran >> "${engine.workspace}/ran"; echo out > "${outside}/file"; true\n`;
    mkdirSync(join(engine.workspace, ".git/hooks"), { recursive: true });
    writeFileSync(join(engine.workspace, ".git/hooks/post-checkout"), program, { mode: 0o755 });
    const { response } = await engine.run({
      sandbox: true,
      blocks: [{ id: "it", type: "CreateWorktree", inputs: { path: "tree", branch: "new" } }],
    });
    expect(response.status, JSON.stringify(response)).toBe("success");
    expect(readFileSync(join(engine.workspace, "ran"), "utf8")).toBe("ran\n");
    expect(readdirSync(outside)).toEqual([]);
  });

  test("worktrees are made and removed in a sandbox", async () => {
    const engine = createTestEngine();
    createRepository(engine.workspace);
    const { response } = await engine.run({
      sandbox: true,
      blocks: [
        { id: "make", type: "CreateWorktree", inputs: { path: "tree", branch: "new" } },
        { id: "remove", type: "RemoveWorktree", inputs: { path: "tree" }, depends_on: ["make"] },
      ],
    });
    expect(response.status, JSON.stringify(response)).toBe("success");
    expect(existsSync(join(engine.workspace, "tree"))).toBe(false);
  });
});

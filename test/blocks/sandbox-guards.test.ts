import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { useBubblewrap } from "../rig/bubblewrap.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { createRepository, git } from "../rig/git-repository.ts";
import { runShell } from "../rig/shell-block.ts";
import { waitFor } from "../rig/wait-for.ts";

await useBubblewrap();

const sandboxed = { sandbox: true };

/** Both outputs of a command, whatever became of it. */
async function said(engine: TestEngine, command: string, more: object = sandboxed): Promise<string> {
  const { outputs, metadata } = await runShell(engine, { command }, more);
  return `${outputs.stdout}${outputs.stderr}` || String(metadata.error ?? "");
}

function openRepository(): TestEngine {
  const engine = createTestEngine();
  createRepository(engine.workspace);
  return engine;
}

describe("where there is none yet", () => {
  test("a sandboxed command makes no .frond and no .git, and neither is there afterwards", async () => {
    const engine = createTestEngine();
    for (const name of [".frond", ".git"]) {
      for (const attempt of [
        `mkdir -p ${name}/workflows`,
        `touch ${name}/x`,
        `mkdir evil; mv -T evil ${name}`,
        `rm -rf ${name}`,
        `mv ${name} other`,
        `ln -sfT /etc ${name}`,
      ]) {
        expect(await said(engine, attempt), attempt).toMatch(/Read-only file system|busy|cannot/);
      }
    }
    expect(await said(engine, "git init")).toMatch(/Read-only file system/);
    expect(readdirSync(engine.workspace)).toEqual(["evil"]);
  });

  test("several at once leave nothing behind either", async () => {
    const engine = createTestEngine();
    const blocks = [{ id: "it", type: "Shell", inputs: { command: "mkdir .git/x .frond/x" }, for_each: "${range(8)}" }];
    const { response } = await engine.run({ ...sandboxed, blocks });
    expect(response.status).toBe("failure");
    expect(readdirSync(engine.workspace)).toEqual([]);
  });

  test("an empty .git or .frond of the user's is still there afterwards, also after several at once", async () => {
    const engine = createTestEngine();
    for (const name of [".git", ".frond"]) mkdirSync(join(engine.workspace, name));
    expect(await said(engine, "touch .git/x .frond/x")).toMatch(/Read-only file system/);
    const blocks = [{ id: "it", type: "Shell", inputs: { command: "mkdir .git/x .frond/x" }, for_each: "${range(8)}" }];
    await engine.run({ ...sandboxed, blocks });
    expect(readdirSync(engine.workspace, { recursive: true }).sort()).toEqual([".frond", ".git"]);
  });

  test("a repository of the user's that comes while a command runs stays", async () => {
    const engine = createTestEngine();
    const run = runShell(engine, "touch began; until [ -e go ]; do sleep 0.02; done; ls -A .git", sandboxed);
    await waitFor("it runs", () => existsSync(join(engine.workspace, "began")));
    git(engine.workspace, "init", "--quiet");
    writeFileSync(join(engine.workspace, "go"), "");
    expect((await run).metadata.succeeded).toBe(true);
    expect(git(engine.workspace, "status", "--short")).toBe("?? began\n?? go");
  });
});

describe("what git reads", () => {
  test("a sandboxed command leads git to no other settings with commondir", async () => {
    const engine = openRepository();
    const evil = 'mkdir -p evil/objects evil/refs; printf "[core]\\n\\tfsmonitor = touch ran\\n" > evil/config';
    await said(engine, `${evil}; echo ../evil > .git/commondir`);
    expect(await said(engine, "echo ../evil > new; mv new .git/commondir")).toMatch(/busy|Read-only/);
    expect(await said(engine, "rm -f .git/commondir")).toMatch(/busy|Read-only/);
    git(engine.workspace, "status");
    expect(existsSync(join(engine.workspace, "ran"))).toBe(false);
    expect(existsSync(join(engine.workspace, ".git/commondir"))).toBe(false);
    expect(readdirSync(join(engine.workspace, ".git"))).not.toContain("frond-sandbox");
  });

  test("git works in a sandbox and outside at the same time as without one", async () => {
    const engine = openRepository();
    const identity = "git config --global user.name x; git config --global user.email x@example.org";
    const command = `${identity}; touch began; until [ -e go ]; do sleep 0.02; done; git add go; git commit -qm two; git worktree list; git gc -q; git log --format=%s`;
    const run = runShell(engine, { command, strict: true }, sandboxed);
    await waitFor("it runs", () => existsSync(join(engine.workspace, "began")));
    expect(git(engine.workspace, "worktree", "list")).toMatch(
      new RegExp(`^${engine.workspace} +[0-9a-f]+ \\[main\\]$`),
    );
    git(engine.workspace, "worktree", "add", "-q", "-b", "new", "tree");
    expect(git(join(engine.workspace, "tree"), "status", "--short")).toBe("");
    writeFileSync(join(engine.workspace, "go"), "");
    const { outputs, metadata } = await run;
    expect(metadata).toMatchObject({ succeeded: true });
    expect(outputs.stdout).toMatch(/two\nFirst\n$/);
    expect(git(engine.workspace, "log", "--format=%s")).toBe("two\nFirst");
  });

  test("a sandboxed command changes no pointer of a worktree outside, nor a submodule's settings", async () => {
    const engine = openRepository();
    const outside = mkdtempSync("/var/tmp/frond-worktree-");
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    git(engine.workspace, "worktree", "add", "-q", "-b", "new", join(outside, "tree"));
    mkdirSync(join(engine.workspace, ".git/modules/sub"), { recursive: true });
    writeFileSync(join(engine.workspace, ".git/modules/sub/config"), "");
    for (const attempt of [
      "echo ../evil > .git/worktrees/tree/commondir",
      "echo evil > .git/worktrees/tree/gitdir",
      "mv .git/worktrees/tree other",
      "mv .git/worktrees other",
      "rm -rf .git/worktrees/tree/commondir",
      "echo x > .git/modules/sub/config",
      "mkdir .git/modules/other",
    ]) {
      expect(await said(engine, attempt), attempt).toMatch(/busy|Read-only file system/);
    }
    const kept = (name: string): string => readFileSync(join(engine.workspace, ".git/worktrees/tree", name), "utf8");
    expect([kept("commondir"), kept("gitdir")]).toEqual(["../..\n", `${outside}/tree/.git\n`]);
  });

  test("a sandboxed command makes no settings that git obeys later, when it first needs them", async () => {
    const engine = openRepository();
    git(engine.workspace, "worktree", "add", "-q", "-b", "new", "tree");
    for (const attempt of [
      "git init -q --bare .git/modules/sub",
      "git config --file .git/config.worktree core.fsmonitor 'touch ran'",
      "git config --file .git/worktrees/tree/config.worktree core.fsmonitor 'touch ran'",
    ]) {
      expect(await said(engine, attempt), attempt).toMatch(/busy|Read-only file system/);
    }
    git(engine.workspace, "sparse-checkout", "set", "--no-cone", "/*");
    git(engine.workspace, "status");
    expect(existsSync(join(engine.workspace, "ran"))).toBe(false);
  });

  test("a sandboxed command changes nothing of a repository that .git only names", async () => {
    const engine = createTestEngine();
    git(engine.workspace, "init", "--quiet", "--bare", ".bare");
    writeFileSync(join(engine.workspace, ".git"), "gitdir: ./.bare\n");
    for (const attempt of [
      "git config core.fsmonitor x",
      "echo x >> .bare/config",
      "mv .bare other",
      "echo x > .bare/hooks/pre-commit",
      "echo 'gitdir: ./evil' > .git",
      "echo .. > .bare/commondir",
    ]) {
      expect(await said(engine, attempt), attempt).toMatch(/busy|Read-only file system/i);
    }
    expect(readFileSync(join(engine.workspace, ".git"), "utf8")).toBe("gitdir: ./.bare\n");
  });
});

describe("sockets", () => {
  /** Outside of the directories that a sandbox hides. */
  async function listen(): Promise<string> {
    const directory = mkdtempSync("/var/tmp/frond-socket-");
    const path = join(directory, "socket");
    const server = createServer((socket) => socket.end("hello\n")).listen(path);
    onTestFinished(() => {
      server.close();
      rmSync(directory, { recursive: true, force: true });
    });
    await once(server, "listening");
    return path;
  }

  const connect = (path: string): string =>
    `node -e 'require("node:net").connect("${path}").on("data", (text) => process.stdout.write(text)).on("error", (error) => console.log(error.code))'`;

  test("a sandboxed command without network reaches no Unix socket, wherever its path lies", async () => {
    const path = await listen();
    const engine = createTestEngine();
    expect(await said(engine, connect(path), {})).toBe("hello\n");
    expect(await said(engine, connect(path), { sandbox: { network: "host" } })).toBe("hello\n");
    expect(await said(engine, connect(path))).toBe("EAFNOSUPPORT\n");
  });

  test("programs still talk to their own processes and to ports of the sandbox", async () => {
    const engine = createTestEngine();
    const pairs = `node -e 'require("node:child_process").execFile("echo", ["pair"], (_, out) => process.stdout.write(out))'`;
    expect(await said(engine, pairs)).toBe("pair\n");
    const ports = `node -e 'const net = require("node:net"); const server = net.createServer((s) => s.end("port\\n")).listen(0, "127.0.0.1", () => net.connect(server.address().port, "127.0.0.1").on("data", (d) => { process.stdout.write(d); server.close(); }))'`;
    expect(await said(engine, ports)).toBe("port\n");
  });

  test.each([
    ["a socket of datagrams in a pair", "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)"],
    ["a raw one", "socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)"],
    ["a socket to the machine around a virtual one", "socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)"],
  ])("%s is not to be had", async (_, call) => {
    if (spawnSync("python3", ["-c", "import socket"]).status !== 0) return;
    const command = `python3 -c 'import socket; ${call}' 2>&1 | tail -n 1`;
    const path = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).stdout.trim();
    const engine = createTestEngine({ environment: { FROND_SANDBOX_READ: join(path, "../..") } });
    expect(await said(engine, command.replace("python3", path))).toContain("Address family not supported");
  });
});

test("nothing that made the sandbox is open in it", async () => {
  const engine = createTestEngine();
  // Output goes to pipes without a name; what the engine itself was started with is replaced by nothing.
  const command = "readlink /proc/$$/fd/* | grep -vE '^/dev/null$|^pipe:|/frond-[^/]*/[0-9]+ \\(deleted\\)$'; echo end";
  expect(await said(engine, command)).toBe("end\n");
});

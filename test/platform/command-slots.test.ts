import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProcessRequest } from "../../src/block/ports.ts";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { isAlive } from "../rig/is-alive.ts";
import { waitFor } from "../rig/wait-for.ts";
import { bashRequest, runRequest, started } from "./run-request.ts";
import { hasSlots } from "./ways-to-start.ts";

const slotted = createProcesses({ slots: "always", graceMs: 500 });
const direct = createProcesses({ slots: "never", graceMs: 500 });
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "frond-slots-"));
});

afterAll(async () => {
  await Promise.all([slotted.close(0), direct.close(0)]);
  await rm(directory, { recursive: true });
});

const bash = async (command: string, parts: Partial<ProcessRequest> = {}) =>
  started(await slotted.run(bashRequest(command, parts)));

/** If there should be no slot after all, these tests are not its place. */
const harm = (signal: string): string => `[ $PPID != ${process.pid} ] && kill -${signal} $PPID`;

const parentOf = async (processes: typeof slotted): Promise<number> =>
  Number(started(await processes.run(bashRequest("echo $PPID"))).stdout.text);

describe.runIf(hasSlots)("a command in a slot", () => {
  test("is started by the slot, and the next one by the same", async () => {
    const slot = await parentOf(slotted);
    expect(slot).not.toBe(process.pid);
    expect(readFileSync(`/proc/${slot}/cmdline`, "latin1")).toContain("frond-slot");
    expect(await parentOf(slotted)).toBe(slot);
    expect(await parentOf(direct)).toBe(process.pid);
  });

  test("is in a directory that is held while it is entered, as one without a slot is", async () => {
    mkdirSync(join(directory, "inner"), { recursive: true });
    const look = (processes: typeof slotted, cwd: string) =>
      processes.run(bashRequest('echo $PPID; pwd; echo "$PWD"; pwd -P', { cwd, within: directory }));
    const [ours, theirs] = [
      started(await look(slotted, join(directory, "inner"))),
      started(await look(direct, join(directory, "inner"))),
    ];
    const [parent, ...places] = ours.stdout.text.split("\n");
    expect(Number(parent)).toBe(await parentOf(slotted));
    expect(places).toEqual(theirs.stdout.text.split("\n").slice(1));
    expect(await look(slotted, tmpdir())).toEqual(await look(direct, tmpdir()));
    expect(await look(slotted, tmpdir())).toMatchObject({ started: false });
  });

  test.each(["bash", "/bin/bash"])("finds everything as a command that is started without one (%s)", async (file) => {
    const looks = [
      "cat /proc/self/limits",
      "grep -E '^(Umask|Sig[PBIC]|Shd|Cap|NoNew|Seccomp|Groups|Uid|Gid|Cpus|Mems)' /proc/self/status",
      "cut -d ' ' -f 7,18,19 /proc/self/stat",
      // Descriptors, without the one that lists them.
      "for fd in /proc/$$/fd/*; do case $(readlink $fd) in pipe:* | *fifo* | *frond-*) echo ${fd##*/} output ;; *) echo ${fd##*/} $(readlink $fd) ;; esac; done",
      "read -r stat </proc/$$/stat; set -- ${stat##*) }; echo leads $(($3 == $$)) $(($4 == $$))",
      'echo "$0" $- $SHLVL; pwd; ulimit -a; nice; cat /proc/self/oom_score_adj; trap -p; set -o',
    ];
    const env = {
      PATH: process.env.PATH ?? "",
      EMPTY: "",
      QUOTES: `'"\\`,
      LINES: "a\nb\n",
      LETTERS: "é→",
      "odd-name.x": "1",
      "BASH_FUNC_greet%%": "() {  echo hello\n}",
    };
    const script = `${looks.join("\n")}\ngreet\nenv -0 | sort -z | tr '\\0' '|'`;
    const request = bashRequest(script, { file, env, fd3: "text" });
    const [one, other] = [await slotted.run(request), await direct.run(request)].map((result) => started(result));
    expect(one).toEqual(other);
    expect(one?.stdout.text).toContain("leads 1 1");
    expect(one?.stdout.text).toContain("hello\n");
  });

  test("ends as a command that is started without one", async () => {
    const codes = [0, 1, 126, 127, 130, 137, 141, 143, 255].map((code) => `exit ${code}`);
    const signals = ["TERM", "KILL", "INT", "PIPE", "ABRT", "SEGV", "HUP"].map(
      (name) => `ulimit -c 0; kill -${name} $$`,
    );
    const groups = ["kill 0; sleep 9", "kill -- -$$; sleep 9", "kill -9 0", "trap 'exit 3' TERM; kill 0"];
    for (const command of [...codes, ...signals, ...groups, "exec false", "trap 'exit 4' EXIT; exit 5"]) {
      const results = [await slotted.run(bashRequest(command)), await direct.run(bashRequest(command))];
      expect([command, results[0]]).toEqual([command, results[1]]);
    }
  });

  test("says as well why it can't start", async () => {
    for (const request of [
      { file: "frond-no-such" },
      { file: "/etc/passwd" },
      { file: "true", cwd: join(directory, "gone") },
      { file: join(directory, "no-such") },
      { file: directory },
      { file: "/bin/true", cwd: "/etc/passwd" },
    ]) {
      const results = [await slotted.run(runRequest(request)), await direct.run(runRequest(request))];
      expect(results[0]).toMatchObject({ started: false });
      expect(results[0]).toEqual(results[1]);
    }
  });

  test("may be a text without a first line that names its shell, and is never taken from its directory by name alone", async () => {
    const script = join(directory, "frond-script");
    writeFileSync(script, "echo $0 $# $1", { mode: 0o755 });
    for (const request of [
      { file: script, args: ["a b"] },
      { file: "./frond-script", args: [""], cwd: directory },
      { file: "frond-script", cwd: directory },
      { file: "frond-script", args: ["x"], env: { PATH: `/none:${directory}` } },
    ]) {
      const results = [await slotted.run(runRequest(request)), await direct.run(runRequest(request))];
      expect(results[0]).toEqual(results[1]);
      expect(results[0]).toMatchObject({ started: request.env !== undefined || request.file !== "frond-script" });
    }
  });

  test("can't start where its directory was deleted since the last, and can when it is there again", async () => {
    const cwd = join(directory, "comes-and-goes");
    mkdirSync(cwd);
    expect((await bash("pwd", { cwd })).stdout.text).toBe(`${cwd}\n`);
    rmSync(cwd, { recursive: true });
    const result = await slotted.run(bashRequest("pwd", { cwd }));
    expect(result).toEqual({ started: false, message: `the working directory '${cwd}' does not exist` });
    mkdirSync(cwd);
    expect((await bash("pwd", { cwd })).stdout.text).toBe(`${cwd}\n`);
  });

  test("leaves nothing of its variables in the slot or to the next", async () => {
    const PATH = process.env.PATH ?? "";
    const slot = Number((await bash("echo $PPID", { env: { PATH, TOKEN: "kanari-1" }, fd3: "kanari-2" })).stdout.text);
    const shown = ["environ", "cmdline", "maps"].map((name) => readFileSync(`/proc/${slot}/${name}`, "latin1")).join();
    expect(shown).not.toContain("kanari");
    const next = await bash("echo $PPID; env; cat /proc/$PPID/environ; ls -l /proc/$PPID/fd");
    expect(next.stdout.text).toMatch(new RegExp(`^${slot}\n`));
    expect(next.stdout.text).not.toContain("kanari");
  });

  test("is one of fifty at once, of which no byte is lost or mixed", async () => {
    const { signal } = new AbortController();
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const results = await Promise.all(
      numbers.map((n) => bash(`for i in {1..2000}; do echo line $i of ${n}; done; echo e${n} >&2`, { signal })),
    );
    for (const [n, { exitCode, stdout, stderr }] of results.entries()) {
      const lines = Array.from({ length: 2000 }, (_, index) => `line ${index + 1} of ${n}\n`);
      expect([exitCode, stdout.text === lines.join(""), stderr.text]).toEqual([0, true, `e${n}\n`]);
    }
  });
});

describe.runIf(hasSlots)("a command can't harm others by what it does to its slot", () => {
  test("it kills the slot: it is ended itself, and never said to have succeeded", async () => {
    const result = await bash(`sleep 300 & echo $! $$ $PPID; ${harm("KILL")}; sleep 300; exit 0`);
    expect(result).toMatchObject({ exitCode: 137, signal: "SIGKILL" });
    expect(result.stdout.text.trim().split(" ").map(Number).map(isAlive)).toEqual([false, false, false]);
    expect((await bash("echo on")).stdout.text).toBe("on\n");
  });

  test("it stops the slot: it can be cancelled, and the others go on", async () => {
    const cancel = new AbortController();
    const stopped = bash(`echo $PPID; ${harm("STOP")}; sleep 300`, {
      signal: cancel.signal,
      onOutput: () => void setImmediate(() => cancel.abort()),
    });
    expect((await bash("echo on")).stdout.text).toBe("on\n");
    const { exitCode, stdout } = await stopped;
    expect(exitCode).toBeGreaterThan(128);
    const slot = Number(stdout.text);
    await waitFor("the slot is gone", () => !isAlive(slot));
  });

  test("it fakes the slot's reply: there is nothing that it could write to", async () => {
    // Higher numbers may belong to those who have started the tests.
    const fake =
      "for n in {3..20}; do for fd in /proc/$PPID/fd/$n /proc/$$/fd/$n; do echo e0 >$fd; done; echo e0 >&$n; done";
    const result = await bash(`{ ls /proc/$PPID/fd; } >&2; { ${fake}; } 2>/dev/null; sleep 0.1; exit 9`);
    expect(result).toMatchObject({ exitCode: 9, signal: null, stdout: { text: "" } });
    expect(result.stderr.text).toContain("3\n4\n");
    expect(await bash("exit 0")).toMatchObject({ exitCode: 0 });
  });

  test("it closes all descriptors, or takes all there are", async () => {
    expect(await bash('for n in {0..20}; do eval "exec $n<&-"; done; exit 7')).toMatchObject({ exitCode: 7 });
    const all = 'ulimit -n 64; for n in {3..63}; do eval "exec $n</dev/null"; done; exit 8';
    expect(await bash(all)).toMatchObject({ exitCode: 8 });
    expect((await bash("echo on")).stdout.text).toBe("on\n");
  });

  test("it changes its directory, variables, umask and limits: the next has its own", async () => {
    await bash("cd /; umask 0; export LEFT=1; ulimit -n 20; ulimit -S -c 0; trap '' TERM PIPE; exec 3</dev/null");
    const look = bashRequest("pwd; umask; echo [$LEFT]; ulimit -n; trap -p; ls /proc/$$/fd");
    expect(started(await slotted.run(look)).stdout.text).toBe(started(await direct.run(look)).stdout.text);
  });

  test("it leaves behind what holds its output: that is ended, or writes to nobody", async () => {
    const escaped = join(directory, "escaped");
    const stray = `setsid bash -c 'echo $$ >${escaped}; while echo stray; do sleep 0.01; done' &`;
    await bash(`${stray} until [ -s ${escaped} ]; do sleep 0.01; done`);
    const pid = Number(readFileSync(escaped, "utf8"));
    try {
      for (let n = 0; n < 5; n++) expect((await bash(`sleep 0.02; echo ${n}`)).stdout.text).toBe(`${n}\n`);
    } finally {
      if (isAlive(pid)) process.kill(pid, "SIGKILL");
    }
    const left = await bash("sleep 300 & echo $!");
    await waitFor("the leftover is ended", () => !isAlive(Number(left.stdout.text)));
  });

  test("it can't be started: a slot that is stopped holds up no cancel and no end of Frond", async () => {
    const processes = createProcesses({ slots: "always", graceMs: 50 });
    process.kill(await parentOf(processes), "SIGSTOP");
    const cancel = new AbortController();
    const waiting = processes.run(bashRequest("echo never", { signal: cancel.signal }));
    cancel.abort();
    expect(await waiting).toEqual({ started: false, message: "'bash' was cancelled before it started" });
    process.kill(await parentOf(processes), "SIGSTOP");
    await processes.close(600_000);
  });
});

test.runIf(hasSlots)("slots are made only when enough commands have come, and end with Frond", async () => {
  const processes = createProcesses();
  const parents: number[] = [];
  for (let n = 0; n < 8; n++) parents.push(await parentOf(processes));
  expect(parents.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => process.pid));
  const slot = parents[7] as number;
  expect(slot).not.toBe(process.pid);
  await processes.close(0);
  await waitFor("the slot is gone", () => !isAlive(slot));
});

test("with slots off there are none", async () => {
  for (let n = 0; n < 6; n++) expect(await parentOf(direct)).toBe(process.pid);
});

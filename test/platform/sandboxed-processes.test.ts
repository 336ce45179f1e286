import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Processes, ProcessRequest } from "../../src/block/ports.ts";
import { createEnvironment } from "../../src/platform/environment.ts";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { createSandbox } from "../../src/platform/sandbox/sandbox.ts";
import { useBubblewrap } from "../rig/bubblewrap.ts";
import { waitFor } from "../rig/wait-for.ts";
import { listAllProcesses } from "./find-supervisors.ts";
import { bashRequest, runRequest, started } from "./run-request.ts";

await useBubblewrap();

const workspace = realpathSync(mkdtempSync(join(tmpdir(), "frond-enclosed-")));
const sandbox = createSandbox(createEnvironment(process.env), join(workspace, "state"));
/** Far beyond the limit of a test: whoever waits for the grace fails. */
const patient = createProcesses({ graceMs: 600_000, sandbox });
const hasty = createProcesses({ graceMs: 200, sandbox });

afterAll(async () => {
  await Promise.all([patient.close(0), hasty.close(0)]);
  rmSync(workspace, { recursive: true });
});

function enclosed(command: string, parts: Partial<ProcessRequest> = {}): ProcessRequest {
  return bashRequest(command, { cwd: workspace, sandbox: { workspace, network: "none" }, ...parts });
}

test("a bubblewrap that is installed while we run is found then", async () => {
  const { variables, findProgram } = createEnvironment(process.env);
  let isInstalled = false;
  const environment = { variables, findProgram: (name: string) => (isInstalled ? findProgram(name) : undefined) };
  const later = createSandbox(environment, join(workspace, "state"));
  expect(await later.find()).toMatchObject({ ok: false });
  isInstalled = true;
  expect(await later.find()).toMatchObject({ ok: true });
});

/** Process ids mean nothing outside of the sandbox, so what is looked for there is an argument nobody else has. */
let markers = 0;
function newMarker(): string {
  return `300.${process.pid}${++markers}`;
}

function isRunning(marker: string): boolean {
  return listAllProcesses().some(({ commandLine }) => commandLine.split("\0").includes(marker));
}

async function cancelWhenReady(processes: Processes, command: string, parts: Partial<ProcessRequest> = {}) {
  const cancel = new AbortController();
  const onOutput = (_: string, chunk: Uint8Array): void => {
    if (Buffer.from(chunk).includes("ready")) cancel.abort();
  };
  return started(await processes.run(enclosed(command, { signal: cancel.signal, onOutput, ...parts })));
}

describe("a command in a sandbox", () => {
  test("gives its exit code, both outputs, and reads its standard input and its values", async () => {
    const command = "cat /dev/fd/3; cat /dev/stdin; echo oops > /dev/stderr; exit 7";
    const result = started(await patient.run(enclosed(command, { stdin: "given\n", fd3: "values\n" })));
    expect(result).toMatchObject({ exitCode: 7, signal: null });
    expect([result.stdout.text, result.stderr.text]).toEqual(["values\ngiven\n", "oops\n"]);
  });

  test.runIf(existsSync("/dev/shm"))("can work in shared memory, and sees nothing else of it", async () => {
    const [here, other] = ["here", "other"].map((name) => mkdtempSync(`/dev/shm/frond-enclosed-${name}-`)) as [
      string,
      string,
    ];
    onTestFinished(() => {
      for (const path of [here, other]) rmSync(path, { recursive: true });
    });
    const parts = { cwd: here, sandbox: { workspace: here, network: "none" } } as const;
    const result = started(await patient.run(enclosed("echo made > file; ls /dev/shm", parts)));
    expect(result).toMatchObject({ exitCode: 0, stdout: { text: `${basename(here)}\n` } });
    expect(readdirSync(here)).toEqual(["file"]);
  });

  test("that is ended by signal N has the exit code 128 + N", async () => {
    expect(started(await patient.run(enclosed("kill -9 $$")))).toMatchObject({ exitCode: 137 });
  });

  test("whose program is missing, or whose working directory is hidden, does not start and says so", async () => {
    const limits = { sandbox: { workspace, network: "none" }, cwd: workspace } as const;
    expect(await patient.run(runRequest({ file: "no-such-program", ...limits }))).toEqual({
      started: false,
      message: "there is no program 'no-such-program' in the sandbox",
    });
    const hidden = mkdtempSync(join(tmpdir(), "frond-hidden-"));
    expect(await patient.run(enclosed("true", { cwd: hidden }))).toEqual({
      started: false,
      message: `the working directory '${hidden}' is not in the sandbox`,
    });
    rmSync(hidden, { recursive: true });
  });

  test("does not start where a NUL byte would add to what bubblewrap is told", async () => {
    const env = { PATH: process.env.PATH ?? "", X: `\0--bind\0/\0/` };
    expect(await patient.run(enclosed("true", { env }))).toEqual({
      started: false,
      message: "a path or the environment contains a NUL byte",
    });
  });

  test("puts its temporary files where it can write them", async () => {
    const env = { PATH: process.env.PATH ?? "", TMPDIR: "/usr" };
    const { stdout } = started(await patient.run(enclosed('touch "$TMPDIR/x" && echo "$TMPDIR"', { env })));
    expect(stdout.text).toBe("/tmp\n");
    mkdirSync(join(workspace, "own"));
    const own = { ...env, TMPDIR: join(workspace, "own") };
    expect(started(await patient.run(enclosed('echo "$TMPDIR"', { env: own }))).stdout.text).toBe(`${workspace}/own\n`);
  });

  test("runs nowhere else when there is no sandbox for it", async () => {
    const result = await createProcesses().run(enclosed("touch ran"));
    expect(result).toEqual({ started: false, message: "'bash' should run in a sandbox, and none can be made" });
  });

  test("does not run through a bubblewrap that lies in the workspace", async () => {
    const bin = join(workspace, "node_modules/.bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "bwrap"), `#!/bin/sh\ntouch ${workspace}/ran\n`, { mode: 0o755 });
    const environment = createEnvironment({ PATH: `${bin}:${process.env.PATH}` });
    const processes = createProcesses({ sandbox: createSandbox(environment, "/nowhere") });
    const result = await processes.run(enclosed("touch ran"));
    expect(result).toMatchObject({ started: false, message: expect.stringContaining("is in the workspace") });
    expect(existsSync(join(workspace, "ran"))).toBe(false);
    await processes.close(0);
  });
});

describe("the end of a command in a sandbox", () => {
  test("is the end of all it has started, also in a session of its own", async () => {
    const marker = newMarker();
    const result = await patient.run(enclosed(`setsid sleep ${marker} & sleep ${marker} & echo started`));
    expect(started(result)).toMatchObject({ exitCode: 0, stdout: { text: "started\n" } });
    await waitFor("nothing of it is left", () => !isRunning(marker));
  });

  test("comes with a cancel, for what has left the session too", async () => {
    const marker = newMarker();
    const command = `setsid sleep ${marker} & sleep ${marker} & echo ready; sleep ${marker}`;
    expect(await cancelWhenReady(patient, command)).toMatchObject({ exitCode: 143 });
    await waitFor("nothing of it is left", () => !isRunning(marker));
  });

  test("leaves it the grace to clean up and end as it likes", async () => {
    const command = "trap 'echo cleaned; exit 3' TERM; echo ready; while :; do sleep 0.01; done";
    const result = await cancelWhenReady(patient, command);
    expect(result).toMatchObject({ exitCode: 3, signal: null });
    expect(result.stdout.text).toContain("cleaned");
  });

  test("comes when the grace is over, for one that ignores TERM", async () => {
    const marker = newMarker();
    const command = `trap '' TERM; (exec sleep ${marker}) & echo ready; while :; do sleep ${marker}; done`;
    expect(await cancelWhenReady(hasty, command)).toMatchObject({ exitCode: 137 });
    expect(isRunning(marker)).toBe(false);
  });

  test("comes at once when it is cancelled at whatever moment of its beginning", async () => {
    const marker = newMarker();
    // From before bubblewrap has done anything to when the command runs.
    for (let round = 0; round < 24; round++) {
      const cancel = new AbortController();
      const onStarted = (): void => void setTimeout(() => cancel.abort(), round / 2);
      await patient.run(enclosed(`exec sleep ${marker}`, { signal: cancel.signal, onStarted }));
      expect(isRunning(marker)).toBe(false);
    }
  });

  test("leaves what runs in the background alone where it is to be kept, until that is ended", async () => {
    const marker = newMarker();
    const command = `sleep ${marker} & echo started`;
    started(await patient.run(enclosed(command, { keepBackground: true, owner: "keeper" })));
    await waitFor("it to run", () => isRunning(marker));
    await patient.endBackground("keeper");
    expect(isRunning(marker)).toBe(false);
  });
});

describe("when the engine is killed", () => {
  let engine: string;
  beforeAll(async () => {
    engine = join(workspace, "engine.mjs");
    const entry = new URL("enclosing-engine.ts", import.meta.url).pathname;
    await build({ entryPoints: [entry], outfile: engine, bundle: true, platform: "node", format: "esm" });
  });

  test("nothing of a sandbox is left, though it ignore TERM and leave the session", async () => {
    const marker = newMarker();
    const command = `trap '' TERM; setsid sleep ${marker} & echo ready; while :; do sleep ${marker}; done`;
    const child = spawn(process.execPath, [engine, workspace, command], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    await waitFor("the command to run", () => isRunning(marker));
    child.kill("SIGKILL");
    await waitFor("nothing of it is left", () => !isRunning(marker));
  });

  test("what the engine was started with open is not open in a sandbox", () => {
    const outside = mkdtempSync("/var/tmp/frond-outside-");
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    const inheriting = 'exec 100<"$0" 500<"$0"; exec "$@"';
    const command = "for fd in 100 500; do touch /proc/self/fd/$fd/file; done; echo ran";
    const args = ["-c", inheriting, outside, process.execPath, engine, workspace, command];
    expect(spawnSync("bash", args, { encoding: "utf8" }).stdout).toContain("ran");
    expect(readdirSync(outside)).toEqual([]);
  });
});

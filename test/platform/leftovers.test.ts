import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ProcessIdentity } from "../../src/block/ports.ts";
import { identifyProcess } from "../../src/platform/processes/process-identity.ts";
import { readProcess } from "../../src/platform/processes/process-table.ts";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { isAlive } from "../rig/is-alive.ts";
import { waitFor } from "../rig/wait-for.ts";
import { findSupervisors } from "./find-supervisors.ts";
import { bashRequest, started } from "./run-request.ts";
import { waysToStart } from "./ways-to-start.ts";

describe.each(waysToStart)("commands %s", (_, way) => {
  /** Far beyond the limit of a test: whoever waits for the grace fails. */
  const patient = createProcesses({ ...way, graceMs: 600_000 });
  const hasty = createProcesses({ ...way, graceMs: 200 });
  let directory: string;
  let engineFile: string;
  let left: number[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "frond-leftovers-"));
    engineFile = join(directory, "engine.mjs");
    const entry = new URL("orphaning-engine.ts", import.meta.url).pathname;
    await build({ entryPoints: [entry], outfile: engineFile, bundle: true, platform: "node", format: "esm" });
  });

  afterEach(() => {
    for (const pid of left.filter(isAlive)) process.kill(pid, "SIGKILL");
    left = [];
  });

  afterAll(async () => {
    await Promise.all([patient.close(0), hasty.close(0)]);
    await rm(directory, { recursive: true });
  });

  interface Leftover {
    readonly identity: ProcessIdentity;
    /** What the command printed. */
    readonly pids: readonly number[];
  }

  /** Lets an engine and its supervisor die together when its command has printed `count` process ids. */
  async function leaveBehind(command: string, count: number): Promise<Leftover> {
    const engine = spawn(process.execPath, [engineFile, command, way.slots], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void engine.kill("SIGKILL"));
    const lines: string[] = [];
    for await (const line of createInterface(engine.stdout)) if (lines.push(line) > count) break;
    // Halted first, because it would start another supervisor.
    engine.kill("SIGSTOP");
    for (const pid of findSupervisors(engine.pid as number)) process.kill(pid, "SIGKILL");
    engine.kill("SIGKILL");
    await once(engine, "exit");
    const [identity = "", ...printed] = lines;
    left = printed.map(Number);
    return { identity: JSON.parse(identity), pids: left };
  }

  test("a command tells what it is known by as soon as it runs", async () => {
    const cancel = new AbortController();
    let identity: ProcessIdentity | undefined;
    let sameNow: ProcessIdentity | undefined;
    const request = bashRequest("echo $$; exec sleep 300", {
      signal: cancel.signal,
      onStarted(told) {
        identity = told;
      },
      onOutput() {
        sameNow = identifyProcess(identity?.pid ?? 0);
        cancel.abort();
      },
    });
    const { stdout } = started(await patient.run(request));
    expect(stdout.text).toBe(`${identity?.pid}\n`);
    expect(identity).toEqual(sameNow);
    expect(identity?.startTime).not.toBe("");
  });

  describe.runIf(process.platform === "linux")("of an engine that has died with its supervisor", () => {
    test("a command that still runs is ended with all it has started", async () => {
      const { identity, pids } = await leaveBehind("set -m; sleep 300 & echo $!; echo $$; wait", 2);
      expect(pids.map(isAlive)).toEqual([true, true]);
      await patient.endLeftovers([identity, identity]);
      expect(pids.map(isAlive)).toEqual([false, false]);
    });

    test("a command that ignores TERM is killed", async () => {
      const { identity, pids } = await leaveBehind("trap '' TERM; echo $$; while :; do sleep 300; done", 1);
      await hasty.endLeftovers([identity]);
      expect(pids.map(isAlive)).toEqual([false]);
    });

    test("what a command has left in the background is ended, also what shows no mark of the engine", async () => {
      const command = "set -m; env -i sleep 300 & echo $!; sleep 300 & echo $!; exit";
      const { identity, pids } = await leaveBehind(command, 2);
      await waitFor("the leader has gone", () => readProcess(identity.pid) === undefined);
      await patient.endLeftovers([{ ...identity, startTime: identity.startTime.replace("pid:[", "pid:[1") }]);
      expect(pids.map(isAlive)).toEqual([true, true]);
      await patient.endLeftovers([identity]);
      expect(pids.map(isAlive)).toEqual([false, false]);
    });

    test("nothing is ended when the id belongs to a process that started at another time, or may belong to another machine", async () => {
      const { identity, pids } = await leaveBehind("sleep 300 & echo $!; echo $$; wait", 2);
      const [ticks = "", boot = "", ...namespace] = identity.startTime.split(" ");
      const others = [
        [Number(ticks) + 1, boot, ...namespace],
        [ticks, boot.replaceAll(/\w/g, "0"), ...namespace],
        [ticks, boot, "pid:[1]"],
        [],
      ].map((parts) => ({ pid: identity.pid, startTime: parts.join(" ") }));
      await patient.endLeftovers(others);
      expect(pids.map(isAlive)).toEqual([true, true]);
      await patient.endLeftovers([identity]);
    });
  });

  describe.runIf(process.platform === "linux")("in a session whose leader has gone", () => {
    test("nothing is ended that carries the mark of an engine that lives", async () => {
      let identity: ProcessIdentity | undefined;
      const onStarted = (told: ProcessIdentity) => {
        identity = told;
      };
      const result = await patient.run(bashRequest("sleep 300 & echo $!", { keepBackground: true, onStarted }));
      await patient.endLeftovers([identity as ProcessIdentity]);
      expect(isAlive(Number(started(result).stdout.text))).toBe(true);
      await patient.endBackground("run-1");
    });

    test("nothing is ended that carries no mark", async () => {
      const leader = spawn("bash", ["-c", "sleep 300 >/dev/null & echo $!; read"], { detached: true });
      const identity = identifyProcess(leader.pid as number);
      const [line] = await once(leader.stdout, "data");
      const pid = Number(String(line));
      onTestFinished(() => void process.kill(pid, "SIGKILL"));
      leader.stdin.end();
      await once(leader, "exit");
      await patient.endLeftovers([identity]);
      expect(isAlive(pid)).toBe(true);
    });
  });
});

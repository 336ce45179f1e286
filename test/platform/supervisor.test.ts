import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { isAlive } from "../rig/is-alive.ts";
import { waitFor } from "../rig/wait-for.ts";
import { findSupervisors, type ListedProcess, listAllProcesses } from "./find-supervisors.ts";
import { bashRequest, started } from "./run-request.ts";
import { waysToStart } from "./ways-to-start.ts";

describe.each(waysToStart)("commands %s", (_, way) => {
  let directory: string;
  let engine: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "frond-supervisor-"));
    engine = join(directory, "engine.mjs");
    const entry = new URL("dying-engine.ts", import.meta.url).pathname;
    await build({ entryPoints: [entry], outfile: engine, bundle: true, platform: "node", format: "esm" });
  });

  afterAll(async () => {
    await rm(directory, { recursive: true });
  });

  /** Starts an engine, kills it as soon as its command has printed `count` process ids, and returns those. */
  async function killEngineRunning(command: string, count: number): Promise<number[]> {
    const child = spawn(process.execPath, [engine, way.slots, command], { stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    for await (const chunk of child.stdout) {
      printed += chunk;
      if (printed.split("\n").length > count) break;
    }
    child.kill("SIGKILL");
    if (child.signalCode === null) await once(child, "exit");
    return printed.trim().split("\n").map(Number);
  }

  test("when the engine is killed, its commands end", async () => {
    const pids = await killEngineRunning("sleep 300 & echo $!; echo $$; sleep 300", 2);
    expect(pids).toHaveLength(2);
    await waitFor("the whole group is gone", () => !pids.some(isAlive));
  });

  test("when the engine is killed, commands that ignore TERM end too", async () => {
    const pids = await killEngineRunning("trap '' TERM; echo $$; while :; do sleep 300; done", 1);
    expect(pids).toHaveLength(1);
    await waitFor("the command is killed", () => !pids.some(isAlive));
  });

  test.runIf(process.platform === "linux")(
    "when the engine is killed, what has left its process group ends too",
    async () => {
      const stubborn = "(trap '' TERM; echo $BASHPID; while :; do sleep 300; done) &";
      const command = `set -m; sleep 300 & echo $!; ${stubborn} timeout 300 bash -c 'echo $$; exec sleep 300'; echo done`;
      const pids = await killEngineRunning(command, 3);
      expect(pids).toHaveLength(3);
      await waitFor("every group is gone", () => !pids.some(isAlive));
    },
  );

  /** Resolves to those that take their places; to none once that is not to be expected any more. */
  async function killSupervisors(engineId: number, hasGivenUp: () => boolean = () => false): Promise<number[]> {
    const killed = findSupervisors(engineId);
    for (const pid of killed) process.kill(pid, "SIGKILL");
    let others: number[] = [];
    await waitFor("another supervisor", () => {
      others = findSupervisors(engineId).filter((pid) => !killed.includes(pid));
      return others.length > 0 || hasGivenUp();
    });
    return others;
  }

  describe.runIf(process.platform === "linux")("the supervisor", () => {
    test.each(["now", "untold"])("ends a command whose engine dies in the moment of its start (%s)", async (dies) => {
      const marker = `frond-test-${process.pid}-${dies}`;
      const child = spawn(process.execPath, [engine, way.slots, `: ${marker}; while :; do sleep 300; done`, dies]);
      await once(child, "exit");
      const isMarked = ({ commandLine }: ListedProcess) => commandLine.includes(marker);
      await waitFor("no process carries the mark", () => !listAllProcesses().some(isMarked));
    });

    test("is one for all commands and ends with the last of them", async () => {
      const processes = createProcesses(way);
      await Promise.all([1, 2, 3].map(() => processes.run(bashRequest("true"))));
      expect(findSupervisors(process.pid)).toHaveLength(1);
      await processes.close(1000);
      expect(findSupervisors(process.pid)).toHaveLength(0);
    });

    test("is replaced when it has gone, by one that ends what runs when the engine is killed", async () => {
      const child = spawn(process.execPath, [engine, way.slots, "echo $$; sleep 300"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [printed] = (await once(child.stdout, "data")) as [Buffer];
      const others = await killSupervisors(child.pid ?? 0);
      expect(others).toHaveLength(1);
      child.kill("SIGKILL");
      await waitFor("the command is gone", () => !isAlive(Number(printed)));
    });

    test("is not needed: when it goes again and again, the user is told once and commands still run", async () => {
      const warnings: string[] = [];
      const processes = createProcesses({ ...way, onWarning: (message) => warnings.push(message) });
      await processes.run(bashRequest("true"));
      while ((await killSupervisors(process.pid, () => warnings.length > 0)).length > 0) expect(warnings).toEqual([]);
      expect(started(await processes.run(bashRequest("echo still"))).stdout.text).toBe("still\n");
      await processes.close(1000);
      expect(warnings).toEqual([
        "Commands will go on running if Frond is killed, because the process that would end them has gone.",
      ]);
    });
  });
});

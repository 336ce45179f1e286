import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { isAlive } from "../rig/is-alive.ts";
import { waitFor } from "../rig/wait-for.ts";
import { findSupervisors, listAllProcesses } from "./find-supervisors.ts";
import { hasSlots } from "./ways-to-start.ts";

const processes = createProcesses({ graceMs: 600_000 });
let directory: string;
let engineFile: string;
let awaitingFile: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "frond-slot-kills-"));
  engineFile = join(directory, "engine.mjs");
  awaitingFile = join(directory, "awaiting.mjs");
  await bundle(new URL("orphaning-engine.ts", import.meta.url), engineFile);
  await bundle(new URL("awaiting-engine.ts", import.meta.url), awaitingFile);
});

afterAll(async () => {
  await processes.close(0);
  await rm(directory, { recursive: true });
});

async function bundle(entry: URL, outfile: string): Promise<void> {
  await build({ entryPoints: [entry.pathname], outfile, bundle: true, platform: "node", format: "esm" });
}

const kills = [
  ["engine"],
  ["slot"],
  ["supervisor"],
  ["engine", "slot"],
  ["engine", "supervisor"],
  ["slot", "supervisor"],
  ["engine", "slot", "supervisor"],
] as const;

test.runIf(hasSlots).each(kills.map((killed) => [killed.join(", "), killed] as const))(
  "whoever of engine, slot and supervisor is killed (%s), nothing is left",
  async (_, names) => {
    const killed: readonly string[] = names;
    const command = "sleep 300 & echo $!; set -m; sleep 300 & echo $!; echo $$; wait";
    const engine = spawn(process.execPath, [engineFile, command, "always"], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void engine.kill("SIGKILL"));
    const lines: string[] = [];
    for await (const line of createInterface(engine.stdout)) if (lines.push(line) > 3) break;
    const [identity = "", ...pids] = lines;
    const slots = listAllProcesses()
      .filter(({ parent, commandLine }) => parent === engine.pid && commandLine.includes("frond-slot"))
      .map(({ pid }) => pid);
    expect(slots).toHaveLength(1);
    const supervisors = findSupervisors(engine.pid as number);
    // Halted first, so that it has no time to do anything about it.
    if (killed.includes("engine")) engine.kill("SIGSTOP");
    if (killed.includes("supervisor")) for (const pid of supervisors) process.kill(pid, "SIGKILL");
    if (killed.includes("slot")) for (const pid of slots) process.kill(pid, "SIGKILL");
    if (killed.includes("engine")) {
      engine.kill("SIGKILL");
      await once(engine, "exit");
    }
    // With its supervisor an engine leaves commands running, and whoever takes over its runs ends them.
    if (killed.includes("engine") && killed.includes("supervisor"))
      await processes.endLeftovers([JSON.parse(identity)]);
    // A supervisor that was killed alone is replaced: only the end of the engine ends its commands.
    if (names.length === 1 && names[0] === "supervisor") {
      await waitFor("another supervisor", () =>
        findSupervisors(engine.pid as number).some((pid) => !supervisors.includes(pid)),
      );
      engine.kill("SIGKILL");
    }
    await waitFor("all of it is gone", () => ![...pids.map(Number), ...slots].some(isAlive));
  },
);

test.runIf(hasSlots).each(["", "sleep 0.1; "])(
  "a command whose slot is killed is told of, also where nothing else is waited for (%j before)",
  async (before) => {
    const command = `${before}read -r name </proc/$PPID/comm; [ "$name" = frond-slot ] && kill -KILL $PPID; sleep 300`;
    const engine = spawn(process.execPath, [awaitingFile, command], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void engine.kill("SIGKILL"));
    let printed = "";
    for await (const chunk of engine.stdout) printed += chunk;
    expect(JSON.parse(printed)).toMatchObject({ started: true, exitCode: 137, signal: "SIGKILL" });
  },
);

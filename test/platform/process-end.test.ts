import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Processes, ProcessRequest } from "../../src/block/ports.ts";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { isAlive } from "../rig/is-alive.ts";
import { waitFor } from "../rig/wait-for.ts";
import { bashRequest, started } from "./run-request.ts";
import { waysToStart } from "./ways-to-start.ts";

describe.each(waysToStart)("commands %s", (_, way) => {
  /** Far beyond the limit of a test: whoever waits for the grace fails. */
  const patient = createProcesses({ ...way, graceMs: 600_000 });
  const hasty = createProcesses({ ...way, graceMs: 200 });
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "frond-end-"));
  });

  afterAll(async () => {
    await Promise.all([patient.close(0), hasty.close(0)]);
    await rm(directory, { recursive: true });
  });

  function pidsIn(text: string): number[] {
    return text.split("\n").filter(Boolean).map(Number);
  }

  /** Runs a command that prints process ids and then `ready`, and cancels it at that. */
  async function cancelWhenReady(processes: Processes, command: string, parts: Partial<ProcessRequest> = {}) {
    const cancel = new AbortController();
    let seen = "";
    const request = bashRequest(command, {
      signal: cancel.signal,
      onOutput(_, chunk) {
        seen += Buffer.from(chunk);
        if (seen.includes("ready")) cancel.abort();
      },
      ...parts,
    });
    const result = started(await processes.run(request));
    return { result, pids: pidsIn(seen.replace("ready", "")) };
  }

  describe("cancel", () => {
    test("ends the whole group without waiting for the grace, and keeps what was printed", async () => {
      const { result, pids } = await cancelWhenReady(patient, "sleep 300 & echo $!; echo $$; echo ready; sleep 300");
      expect(result).toMatchObject({ exitCode: 143, signal: "SIGTERM" });
      expect(result.stdout.text).toContain("ready");
      expect(pids.map(isAlive)).toEqual([false, false]);
    });

    test("kills what ignores TERM when the grace is over", async () => {
      const { result, pids } = await cancelWhenReady(
        hasty,
        "trap '' TERM; sleep 300 & echo $!; echo $$; echo ready; while :; do sleep 300; done",
      );
      expect(result).toMatchObject({ exitCode: 137, signal: "SIGKILL" });
      expect(pids.map(isAlive)).toEqual([false, false]);
    });

    test("waits for a child that ignores TERM after its parent has gone", async () => {
      const command = "(trap '' TERM; echo $BASHPID; echo ready; while :; do sleep 300; done) & wait";
      const { result, pids } = await cancelWhenReady(hasty, command);
      expect(result.exitCode).toBe(143);
      expect(pids.map(isAlive)).toEqual([false]);
    });

    test("lets a command clean up and end as it likes", async () => {
      const command = "trap 'echo cleaned; exit 3' TERM; echo ready; while :; do sleep 0.01; done";
      const { result } = await cancelWhenReady(patient, command);
      expect(result).toMatchObject({ exitCode: 3, signal: null });
      expect(result.stdout.text).toContain("cleaned");
    });

    test.runIf(process.platform === "linux")("ends a stopped command", async () => {
      const cancel = new AbortController();
      let printed = "";
      const onOutput = (_: string, chunk: Uint8Array) => {
        printed += Buffer.from(chunk);
      };
      const running = patient.run(bashRequest("echo $$; kill -STOP $$", { signal: cancel.signal, onOutput }));
      await waitFor("the command has stopped", () => {
        const [pid] = pidsIn(printed);
        return pid !== undefined && /\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
      });
      cancel.abort();
      expect(started(await running).exitCode).toBe(143);
    });

    test("also ends what would be kept in the background", async () => {
      const command = "sleep 300 & echo $!; echo ready; wait";
      const { pids } = await cancelWhenReady(patient, command, { keepBackground: true });
      expect(pids.map(isAlive)).toEqual([false]);
    });
  });

  const onLinux = describe.runIf(process.platform === "linux");
  /** Two ways to leave the process group without leaving the session; both print the id of what has left. */
  const leavers = [
    ["timeout", "timeout 300 bash -c 'echo $$; echo ready; exec sleep 300'; echo done"],
    ["job control", "set -m; sleep 300 & echo $!; echo ready; wait"],
  ] as const;

  onLinux("a process that has left its group", () => {
    for (const [way, command] of leavers) {
      test(`by ${way} is ended when its command is cancelled`, async () => {
        const { pids } = await cancelWhenReady(patient, command);
        expect(pids.map(isAlive)).toEqual([false]);
      });
    }

    test("is killed when it ignores TERM", async () => {
      const command = "set -m; (trap '' TERM; echo $BASHPID; echo ready; while :; do sleep 300; done) & wait";
      const { pids } = await cancelWhenReady(hasty, command);
      expect(pids.map(isAlive)).toEqual([false]);
    });

    for (const [output, redirect] of [
      ["with its output open", ""],
      ["with its output closed", ">/dev/null 2>&1"],
    ]) {
      test(`is ended when its command has left it running ${output}`, async () => {
        const result = started(await patient.run(bashRequest(`set -m; sleep 300 ${redirect} & echo $!`)));
        const [pid = 0] = pidsIn(result.stdout.text);
        await waitFor("the leftover is ended", () => !isAlive(pid));
      });
    }

    test("is kept on request until its owner's end", async () => {
      const keep = { keepBackground: true, owner: "left" };
      const result = started(await patient.run(bashRequest("set -m; sleep 300 & echo $!", keep)));
      const [pid = 0] = pidsIn(result.stdout.text);
      expect(isAlive(pid)).toBe(true);
      await patient.endBackground("left");
      expect(isAlive(pid)).toBe(false);
    });
  });

  describe("what a command leaves running", () => {
    test("does not hold up its result and is ended", async () => {
      const result = started(await patient.run(bashRequest("sleep 300 & echo $!")));
      expect(result.exitCode).toBe(0);
      const [pid = 0] = pidsIn(result.stdout.text);
      await waitFor("the leftover is ended", () => !isAlive(pid));
    });

    test("is killed when it ignores TERM", async () => {
      const leftover = "trap '' TERM; echo $BASHPID; touch trapped; while :; do sleep 300; done";
      const command = `(${leftover}) & until [ -e trapped ]; do sleep 0.01; done`;
      const result = started(await hasty.run(bashRequest(command, { cwd: directory })));
      const [pid = 0] = pidsIn(result.stdout.text);
      await waitFor("the leftover is killed", () => !isAlive(pid));
    });

    test("is kept on request until its owner's end", async () => {
      const keep = { keepBackground: true, owner: "mine" };
      const result = started(await patient.run(bashRequest("sleep 300 & echo $!", keep)));
      const [pid = 0] = pidsIn(result.stdout.text);
      await patient.endBackground("somebody else's");
      expect(isAlive(pid)).toBe(true);
      await patient.endBackground("mine");
      expect(isAlive(pid)).toBe(false);
    });

    test("can go on writing when it is kept", async () => {
      const command = "(until [ -e go ]; do sleep 0.01; done; echo more && touch written) &";
      await patient.run(bashRequest(command, { cwd: directory, keepBackground: true }));
      await writeFile(join(directory, "go"), "");
      await waitFor("the kept process has written", () => existsSync(join(directory, "written")));
    });

    test.runIf(process.platform === "linux")("is not waited for when it is only a zombie nobody reaps", async () => {
      // The child `true` stays a zombie of the group, because its parent leaves the group and never asks for it.
      const command = "sh -c 'true & echo $$; exec setsid sleep 300' & until grep -q sleep /proc/$!/comm; do :; done";
      const result = started(await patient.run(bashRequest(command, { keepBackground: true, owner: "zombie" })));
      const [escaped = 0] = pidsIn(result.stdout.text);
      try {
        await patient.endBackground("zombie");
        expect(isAlive(escaped)).toBe(true);
      } finally {
        process.kill(escaped, "SIGKILL");
      }
    });
  });

  describe("close", () => {
    test("ends what runs and what was left, and starts nothing any more", async () => {
      const processes = createProcesses({ ...way, graceMs: 600_000 });
      const kept = started(await processes.run(bashRequest("sleep 300 & echo $!", { keepBackground: true })));
      let closing: Promise<void> | undefined;
      const command = "trap '' TERM; echo $$; while :; do sleep 300; done";
      const running = await processes.run(
        bashRequest(command, {
          onOutput: () => {
            closing ??= processes.close(100);
          },
        }),
      );
      await closing;
      const { exitCode, stdout } = started(running);
      expect(exitCode).toBe(137);
      expect(pidsIn(kept.stdout.text + stdout.text).map(isAlive)).toEqual([false, false]);
      expect(await processes.run(bashRequest("true"))).toEqual({
        started: false,
        message: "'bash' was not started because Frond is shutting down",
      });
    });

    test("asked again with less grace, it hurries", async () => {
      const processes = createProcesses(way);
      let closing: Promise<unknown> | undefined;
      const command = "trap '' TERM; echo $$; while :; do sleep 300; done";
      const result = await processes.run(
        bashRequest(command, {
          onOutput: () => {
            closing ??= Promise.all([processes.close(600_000), processes.close(0)]);
          },
        }),
      );
      await closing;
      expect(started(result).exitCode).toBe(137);
    });

    test("is immediate when nothing was ever started", async () => {
      await createProcesses(way).close(600_000);
    });
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { waitFor } from "../../../test/rig/wait-for.ts";
import { findSession, readProcess } from "./process-table.ts";

let leader: number | undefined;

afterEach(() => {
  for (const { id } of findSession(leader ?? -1, false) ?? []) process.kill(id, "SIGKILL");
});

/** Starts the leader of a session and gives the ids its script prints, on one line. */
async function startSession(script: string): Promise<number[]> {
  const child = spawn("bash", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  leader = child.pid;
  const [line] = await once(child.stdout, "data");
  return String(line).trim().split(" ").map(Number);
}

describe.runIf(process.platform === "linux")("the processes of a session", () => {
  test("are found in all its groups, whether it is young or old", async () => {
    const ids = await startSession("set -m; sleep 300 & sleep 300 & echo $$ $! $(jobs -p); wait");
    const expected = [...new Set(ids)].sort((a, b) => a - b);
    expect(expected).toHaveLength(3);
    for (const isYoung of [true, false]) {
      const found = findSession(leader as number, isYoung) ?? [];
      expect(found.map(({ id }) => id).sort((a, b) => a - b)).toEqual(expected);
      expect(new Set(found.map(({ group }) => group)).size).toBe(3);
    }
  });

  test("are found after the leader's end", async () => {
    const [left = 0] = await startSession("set -m; sleep 300 >/dev/null & echo $!");
    await waitFor("the leader has gone", () => readProcess(leader as number) === undefined);
    expect(findSession(leader as number, true)).toEqual([{ id: left, group: left, session: leader }]);
  });

  test("are told from others however a program is named", async () => {
    const [named = 0] = await startSession(
      "exec -a x bash -c 'printf \") R 1 1 1\" >/proc/$$/comm; echo $$; read <&1'",
    );
    expect(readProcess(named)).toEqual({ id: named, group: leader, session: leader });
  });

  test("are none when all have ended", async () => {
    await startSession("echo 1");
    await waitFor("the leader has gone", () => readProcess(leader as number) === undefined);
    expect(findSession(leader as number, true)).toEqual([]);
    expect(findSession(leader as number, false)).toEqual([]);
  });
});

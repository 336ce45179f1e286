import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { createBlobs } from "../../src/platform/files/blobs.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { unwrap } from "../rig/unwrap.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "frond-blobs-kill-")));
const program = join(place, "worker.mjs");

beforeAll(async () => {
  const entry = new URL("blob-worker.ts", import.meta.url).pathname;
  await build({ entryPoints: [entry], outfile: program, bundle: true, platform: "node", format: "esm" });
  return () => rmSync(place, { recursive: true, force: true });
});

const shared = "shared";
const sha256 = createHash("sha256").update(shared).digest("hex");
const runs = ["run_1", "run_2", "run_3"];
/** Each step is a process. */
const stride = scaled({ slice: 9, long: 1 });

/** Everything but directories. */
function filesIn(directory: string): readonly string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test("whenever a process is killed, what a run uses stays, and the rest can be cleared away", async () => {
  let step = 1;
  for (let isFinished = false; !isFinished; step += stride) {
    const directory = join(place, `blobs-${step}`);
    const { stdout, signal } = spawnSync(process.execPath, [program, directory, String(step)], { encoding: "utf8" });
    isFinished = stdout.endsWith("finished\n");
    expect(signal).toBe(isFinished ? null : "SIGKILL");
    const done = new Set(stdout.split("\n"));
    const uses = (runId: string): boolean =>
      (done.has(`end put ${runId}`) || done.has(`end use ${runId}`)) && !done.has(`begin remove ${runId}`);
    const users = runs.filter(uses);
    const blobs = createBlobs(directory, { mostBytes: 1e6 });
    if (users.length > 0) {
      expect(Buffer.from((await blobs.get(sha256)) ?? []).toString(), `killed before step ${step}`).toBe(shared);
    }
    // Whoever goes on finds a place where everything can be done.
    unwrap(await blobs.put("run_4", Buffer.from(shared)));
    for (const runId of runs) blobs.remove(runId);
    await blobs.sweep();
    expect(Buffer.from((await blobs.get(sha256)) ?? []).toString()).toBe(shared);
    expect(new Set(filesIn(directory)), `killed before step ${step}`).toEqual(new Set([sha256]));
    blobs.remove("run_4");
    await blobs.sweep();
    expect(filesIn(directory), `killed before step ${step}`).toEqual([]);
  }
  expect(step).toBeGreaterThan(50);
});

/** A process that does all that the worker does, again and again for a while. */
async function spawnTogether(directory: string, prefix: string): Promise<void> {
  const loop = `for i in 1 2 3 4 5; do "$0" "$1" "$2" 0 "$3" || exit 1; done`;
  const child = spawn("sh", ["-c", loop, process.execPath, program, directory, prefix], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  expect(await once(child, "exit")).toEqual([0, null]);
}

test("many processes put and remove the same at once, and none loses what it uses", {
  timeout: longTimeout,
}, async () => {
  const directory = join(place, "together");
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const blobs = createBlobs(directory, { mostBytes: 1e6 });
  const others = Array.from({ length: 4 }, (_, index) => spawnTogether(directory, `run_${index}x`));
  for (let round = 0; round < 40; round++) {
    const runId = `run_own${round}`;
    unwrap(await blobs.put(runId, Buffer.from(shared)));
    expect(Buffer.from((await blobs.get(sha256)) ?? []).toString()).toBe(shared);
    await blobs.sweep();
    expect(Buffer.from((await blobs.get(sha256)) ?? []).toString()).toBe(shared);
    blobs.remove(runId);
  }
  await Promise.all(others);
  for (const runId of blobs.runs()) blobs.remove(runId);
  await blobs.sweep();
  expect(filesIn(directory)).toEqual([]);
});

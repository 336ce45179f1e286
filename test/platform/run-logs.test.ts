import { execFile } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { LogPart } from "../../src/block/ports.ts";
import { createRunLogs } from "../../src/platform/files/run-logs.ts";
import { mountMemory } from "../journal/small-disk.ts";
import { describeRunLogs, fullMarker, key, shown, write } from "./run-logs-contract.ts";

describeRunLogs({
  name: "in files",
  createStore() {
    const parent = mkdtempSync(join(tmpdir(), "frond-logs-"));
    onTestFinished(() => rmSync(parent, { recursive: true }));
    return () => createRunLogs(join(parent, "logs"));
  },
});

let directory: string;
let file: string;
let problems: string[];
let logs: ReturnType<typeof createRunLogs>;

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), "frond-logs-")), "logs");
  file = join(directory, "run_1", "0a1b.1.log");
  problems = [];
  logs = createRunLogs(directory, { onProblem: (message) => problems.push(message) });
});

afterEach(() => {
  rmSync(join(directory, ".."), { recursive: true });
});

test("a log exists from its first byte on and is for its owner only", () => {
  const log = logs.open("run_1", key);
  log.write("stdout", new Uint8Array());
  expect(existsSync(directory)).toBe(false);
  write(log, ["stdout", "x"]);
  log.close();
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, "run_1")).mode & 0o777).toBe(0o700);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a log that could not be written further says so where it ends, and is read up to there", async (context) => {
  const disk = mountMemory(context);
  mkdirSync(disk.directory);
  const full = createRunLogs(disk.directory, { onProblem: (message) => problems.push(message) });
  const log = full.open("run_1", key);
  write(log, ["stdout", "before\n"]);
  disk.fill(8 * 1024);
  write(log, ["stdout", "x".repeat(64 * 1024)], ["stdout", "after\n"]);
  log.close();
  const { chunks } = await full.read("run_1", key);
  const text = chunks.map(({ bytes }) => Buffer.from(bytes).toString()).join("");
  expect(text).toBe("before\n\n... the log ends here: it could not be written ...\n");
  expect(problems).toEqual([expect.stringMatching(/logged no further in .*ENOSPC/)]);
});

describe("reading", () => {
  test("stops before a frame that is not whole yet, wherever it is cut", async () => {
    const log = logs.open("run_1", key);
    write(log, ["stdout", "whole"]);
    const { position } = await logs.read("run_1", key);
    write(log, ["stderr", "o 3 5\nabc"]);
    log.close();
    const whole = readFileSync(file);
    for (let length = whole.length - 1; length >= position; length--) {
      truncateSync(file, length);
      expect(await logs.read("run_1", key)).toMatchObject({ chunks: [{ stream: "stdout" }], position });
    }
    appendFileSync(file, whole.subarray(position));
    expect(shown(await logs.read("run_1", key, position))).toEqual([["stderr", "o 3 5\nabc"]]);
  });

  test("never throws, whatever the file holds", async () => {
    mkdirSync(join(directory, "run_1"), { recursive: true });
    const pieces = fc.constantFrom(
      "o 3 5\nabc",
      "e 1 1\nx",
      "o 999999999 1\n",
      "o -1 1\n",
      "x 1 1\n",
      "o 1",
      "\n",
      "\0",
    );
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.array(pieces).map((all) => Buffer.from(all.join(""))),
    );
    await fc.assert(
      fc.asyncProperty(garbage, fc.nat(80), async (bytes, from) => {
        writeFileSync(file, bytes);
        const { chunks, position } = await logs.read("run_1", key, from);
        expect(position).toBeGreaterThanOrEqual(from);
        for (const chunk of chunks) expect(chunk.bytes.length).toBeLessThanOrEqual(bytes.length);
      }),
      { seed: 7, numRuns: 500 },
    );
    rmSync(file);
    mkdirSync(file);
    expect(await logs.read("run_1", key, 3)).toEqual({ chunks: [], position: 3 });
  });
});

test("a log that goes on in another process goes on after its last whole frame", async () => {
  const log = logs.open("run_1", key);
  write(log, ["stdout", "before"], ["stdout", "cut off"]);
  log.close();
  truncateSync(file, statSync(file).size - 3);
  for (const text of ["after", "and on"]) {
    const next = createRunLogs(directory).open("run_1", key);
    write(next, ["stdout", text]);
    next.close();
  }
  expect(shown(await logs.read("run_1", key))).toEqual([
    ["stdout", "before"],
    ["stdout", "after"],
    ["stdout", "and on"],
  ]);
});

describe("a log has at most 10 MB", () => {
  function textOf(part: LogPart): string {
    return part.chunks.map(({ bytes }) => Buffer.from(bytes).toString()).join("");
  }

  test.each([40, 1000, 65_536, 30_000_000])(
    "and then says so once, when written %i bytes at a time",
    async (length) => {
      const log = logs.open("run_1", key);
      const chunk = Buffer.alloc(length, "x");
      for (let written = 0; written < 12_000_000; written += length) log.write("stdout", chunk);
      log.close();
      const text = textOf(await logs.read("run_1", key));
      expect(text.replaceAll("x", "")).toBe(fullMarker.replaceAll("x", ""));
      expect(text.endsWith(fullMarker)).toBe(true);
      expect(Math.abs(statSync(file).size - 10_000_000)).toBeLessThan(100);
      expect(problems).toEqual([]);
    },
  );
});

describe("a log that can't be written", () => {
  test("is given up, which is said once, and reading shows what there was", async () => {
    const program = join(directory, "..", "log.mjs");
    const entry = new URL("logging-engine.ts", import.meta.url).pathname;
    await build({ entryPoints: [entry], outfile: program, bundle: true, platform: "node", format: "esm" });
    // No file may become larger than 2 KiB, so the third chunk is cut off in the middle.
    const limited = 'ulimit -f 2; exec "$0" "$@"';
    const chunk = "x".repeat(900);
    const args = ["-c", limited, process.execPath, program, directory, chunk, chunk, chunk, chunk];
    const { stdout } = await promisify(execFile)("bash", args);
    expect(JSON.parse(stdout)).toEqual([expect.stringMatching(/logged no further in '.*aa\.1\.log': EFBIG/)]);
    expect(shown(await logs.read("run_1", { block: "aa", attempt: 1 }))).toEqual([
      ["stdout", chunk],
      ["stdout", chunk],
      ["stdout", "\n... the log ends here: it could not be written ...\n"],
    ]);
  });

  test("costs nothing but the log when it can't even be made", () => {
    writeFileSync(directory, "in the way");
    const log = logs.open("run_1", key);
    write(log, ["stdout", "a"], ["stdout", "b"]);
    log.close();
    expect(problems).toEqual([expect.stringContaining("ENOTDIR")]);
  });
});

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
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LogPart, OutputStream, RunLog } from "../../src/block/ports.ts";
import { createRunLogs } from "../../src/platform/files/run-logs.ts";

const key = { block: "0a1b", attempt: 1 };
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

function write(log: RunLog, ...chunks: readonly (readonly [OutputStream, string])[]): void {
  for (const [stream, text] of chunks) log.write(stream, Buffer.from(text));
}

function shown({ chunks }: LogPart): [OutputStream, string][] {
  return chunks.map(({ stream, bytes }) => [stream, Buffer.from(bytes).toString()]);
}

test("what was written is there at once, by stream, with its time, and can be read on from where it ended", () => {
  const log = logs.open("run_1", key);
  const before = Date.now();
  write(log, ["stdout", "one\n"], ["stderr", "two"]);
  const first = logs.read("run_1", key);
  expect(shown(first)).toEqual([
    ["stdout", "one\n"],
    ["stderr", "two"],
  ]);
  for (const { at } of first.chunks) expect(at >= before && at <= Date.now()).toBe(true);
  write(log, ["stdout", "three"]);
  const second = createRunLogs(directory).read("run_1", key, first.position);
  expect(shown(second)).toEqual([["stdout", "three"]]);
  expect(logs.read("run_1", key, second.position)).toEqual({ chunks: [], position: second.position });
  log.close();
});

test("any bytes come back as they were, in their order", () => {
  const streams = fc.constantFrom<OutputStream>("stdout", "stderr");
  const written = fc.array(fc.tuple(streams, fc.uint8Array({ minLength: 1, maxLength: 300 })), { maxLength: 20 });
  let attempt = 0;
  fc.assert(
    fc.property(written, (all) => {
      const own = { block: "any", attempt: ++attempt };
      const log = logs.open("run_1", own);
      for (const [stream, bytes] of all) log.write(stream, bytes);
      log.close();
      const { chunks } = logs.read("run_1", own);
      expect(chunks.map(({ stream, bytes }) => [stream, new Uint8Array(bytes)])).toEqual(all);
    }),
    { seed: 7, numRuns: 100 },
  );
  expect(problems).toEqual([]);
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

describe("reading", () => {
  test("a log that is not there finds nothing, from the start on", () => {
    expect(logs.read("run_1", key, 700)).toEqual({ chunks: [], position: 0 });
  });

  test("stops before a frame that is not whole yet, wherever it is cut", () => {
    const log = logs.open("run_1", key);
    write(log, ["stdout", "whole"]);
    const { position } = logs.read("run_1", key);
    write(log, ["stderr", "o 3 5\nabc"]);
    log.close();
    const whole = readFileSync(file);
    for (let length = whole.length - 1; length >= position; length--) {
      truncateSync(file, length);
      expect(logs.read("run_1", key)).toMatchObject({ chunks: [{ stream: "stdout" }], position });
    }
    appendFileSync(file, whole.subarray(position));
    expect(shown(logs.read("run_1", key, position))).toEqual([["stderr", "o 3 5\nabc"]]);
  });

  test("never throws, whatever the file holds", () => {
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
    fc.assert(
      fc.property(garbage, fc.nat(80), (bytes, from) => {
        writeFileSync(file, bytes);
        const { chunks, position } = logs.read("run_1", key, from);
        expect(position).toBeGreaterThanOrEqual(from);
        for (const chunk of chunks) expect(chunk.bytes.length).toBeLessThanOrEqual(bytes.length);
      }),
      { seed: 7, numRuns: 500 },
    );
    rmSync(file);
    mkdirSync(file);
    expect(logs.read("run_1", key, 3)).toEqual({ chunks: [], position: 3 });
  });
});

test("a log that goes on in another process goes on after its last whole frame", () => {
  const log = logs.open("run_1", key);
  write(log, ["stdout", "before"], ["stdout", "cut off"]);
  log.close();
  truncateSync(file, statSync(file).size - 3);
  for (const text of ["after", "and on"]) {
    const next = createRunLogs(directory).open("run_1", key);
    write(next, ["stdout", text]);
    next.close();
  }
  expect(shown(logs.read("run_1", key))).toEqual([
    ["stdout", "before"],
    ["stdout", "after"],
    ["stdout", "and on"],
  ]);
});

describe("a log has at most 10 MB", () => {
  const marker = "\n... the log ends here: it has reached 10 MB ...\n";

  function textOf(part: LogPart): string {
    return part.chunks.map(({ bytes }) => Buffer.from(bytes).toString()).join("");
  }

  test.each([1, 1000, 65_536, 30_000_000])("and then says so once, when written %i bytes at a time", (length) => {
    const log = logs.open("run_1", key);
    const chunk = Buffer.alloc(length, "x");
    for (let written = 0; written < 12_000_000; written += length) log.write("stdout", chunk);
    log.close();
    const text = textOf(logs.read("run_1", key));
    expect(text.replaceAll("x", "")).toBe(marker.replaceAll("x", ""));
    expect(text.endsWith(marker)).toBe(true);
    expect(Math.abs(statSync(file).size - 10_000_000)).toBeLessThan(100);
    expect(problems).toEqual([]);
  });

  test("also when it is opened again", () => {
    const log = logs.open("run_1", key);
    log.write("stdout", Buffer.alloc(11_000_000, "x"));
    log.close();
    const { size } = statSync(file);
    const again = logs.open("run_1", key);
    write(again, ["stdout", "more"], ["stdout", "and more"]);
    again.close();
    expect(statSync(file).size).toBe(size);
  });
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
    expect(statSync(join(directory, "run_1", "aa.1.log")).size).toBe(2048);
    expect(shown(logs.read("run_1", { block: "aa", attempt: 1 }))).toEqual([
      ["stdout", chunk],
      ["stdout", chunk],
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

test("the logs of a run know their size and go together, and those of others stay", () => {
  for (const [runId, attempt] of [
    ["run_1", 1],
    ["run_1", 2],
    ["run_2", 1],
  ] as const) {
    const log = logs.open(runId, { ...key, attempt });
    write(log, ["stdout", "x".repeat(1000)]);
    log.close();
  }
  expect(logs.size("run_1")).toBe(2 * statSync(file).size);
  logs.remove("run_1");
  expect([logs.size("run_1"), logs.size("run_2") > 1000]).toEqual([0, true]);
  logs.remove("run_1");
});

test("no name leads out of the directory", () => {
  for (const name of ["..", ".", "", "a/b", "../x", ".hidden", "a\0b"]) {
    expect(() => logs.open(name, key)).toThrow(RangeError);
    expect(() => logs.read(name, key)).toThrow(RangeError);
    expect(() => logs.size(name)).toThrow(RangeError);
    expect(() => logs.remove(name)).toThrow(RangeError);
    expect(() => logs.open("run_1", { block: name, attempt: 1 })).toThrow(RangeError);
  }
});

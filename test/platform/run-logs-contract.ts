import * as fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { LogPart, OutputStream, RunLog, RunLogs } from "../../src/block/ports.ts";

/** How a kind of logs is tested. */
export interface LogsKind {
  readonly name: string;
  /** Empty, and removed with the test. Opening them twice is like two processes; of shared ones, on two machines. */
  createStore(): () => RunLogs;
}

export const key = { block: "0a1b", attempt: 1 };

export function write(log: RunLog, ...chunks: readonly (readonly [OutputStream, string])[]): void {
  for (const [stream, text] of chunks) log.write(stream, Buffer.from(text));
}

export function shown({ chunks }: LogPart): [OutputStream, string][] {
  return chunks.map(({ stream, bytes }) => [stream, Buffer.from(bytes).toString()]);
}

/** What all logs promise, wherever they are kept. */
export function describeRunLogs({ name, createStore }: LogsKind): void {
  describe(name, () => {
    let logs: RunLogs;
    let others: RunLogs;

    beforeEach(() => {
      const open = createStore();
      [logs, others] = [open(), open()];
    });

    test("what was written is there, by stream, with its time, and can be read on from where it ended", async () => {
      const log = logs.open("run_1", key);
      const before = Date.now();
      write(log, ["stdout", "one\n"], ["stderr", "two"]);
      const first = await logs.read("run_1", key);
      expect(shown(first)).toEqual([
        ["stdout", "one\n"],
        ["stderr", "two"],
      ]);
      for (const { at } of first.chunks) expect(at >= before && at <= Date.now()).toBe(true);
      write(log, ["stdout", "three"]);
      log.close();
      await logs.shared?.flush("run_1");
      const second = await others.read("run_1", key, first.position);
      expect(shown(second)).toEqual([["stdout", "three"]]);
      expect((await others.readEnd("run_1", key)).at(-1)).toEqual(second.chunks[0]);
      expect(await others.read("run_1", key, second.position)).toEqual({ chunks: [], position: second.position });
    });

    test("any bytes come back as they were, in their order", async () => {
      const streams = fc.constantFrom<OutputStream>("stdout", "stderr");
      const written = fc.array(fc.tuple(streams, fc.uint8Array({ minLength: 1, maxLength: 300 })), { maxLength: 20 });
      let attempt = 0;
      await fc.assert(
        fc.asyncProperty(written, async (all) => {
          const own = { block: "any", attempt: ++attempt };
          const log = logs.open("run_1", own);
          for (const [stream, bytes] of all) log.write(stream, bytes);
          log.close();
          await logs.shared?.flush("run_1");
          const { chunks } = await others.read("run_1", own);
          expect(chunks.map(({ stream, bytes }) => [stream, new Uint8Array(bytes)])).toEqual(all);
        }),
        { seed: 7, numRuns: 100 },
      );
    });

    test("a log that is not there finds nothing, from the start on", async () => {
      expect(await logs.read("run_1", key, 700)).toEqual({ chunks: [], position: 0 });
    });

    test("a log goes on where it ended, whoever opens it again", async () => {
      for (const [text, own] of [
        ["before", logs],
        ["after", others],
        ["and on", logs],
      ] as const) {
        await own.shared?.fetch("run_1", key);
        const log = own.open("run_1", key);
        write(log, ["stdout", text]);
        log.close();
        await own.shared?.flush("run_1");
      }
      const texts = [
        ["stdout", "before"],
        ["stdout", "after"],
        ["stdout", "and on"],
      ];
      for (const reader of [logs, others]) expect(shown(await reader.read("run_1", key))).toEqual(texts);
    });

    test("a log has at most 10 MB, and then says so once, also when it is opened again", async () => {
      const log = logs.open("run_1", key);
      for (let written = 0; written < 12_000_000; written += 65_536) log.write("stdout", Buffer.alloc(65_536, "x"));
      log.close();
      await logs.shared?.flush("run_1");
      await others.shared?.fetch("run_1", key);
      const again = others.open("run_1", key);
      write(again, ["stdout", "more"], ["stdout", "and more"]);
      again.close();
      await others.shared?.flush("run_1");
      const { chunks, position } = await others.read("run_1", key);
      const text = chunks.map(({ bytes }) => Buffer.from(bytes).toString()).join("");
      expect(text.replace(/^x+/, "")).toBe(fullMarker);
      expect(Math.abs(position - 10_000_000)).toBeLessThan(100);
    });

    test("the logs of a run know their size and go together, and those of others stay", async () => {
      for (const [runId, attempt] of [
        ["run_1", 1],
        ["run_1", 2],
        ["run_2", 1],
      ] as const) {
        const log = logs.open(runId, { ...key, attempt });
        write(log, ["stdout", "x".repeat(1000)]);
        log.close();
        await logs.shared?.flush(runId);
      }
      const before = await others.sizes();
      expect([...before.keys()].toSorted()).toEqual(["run_1", "run_2"]);
      expect(before.get("run_1")).toBe(2 * (before.get("run_2") ?? 0));
      expect(before.get("run_2")).toBeGreaterThan(1000);
      await others.remove("run_1");
      await logs.remove("run_1");
      expect([...(await logs.sizes()).keys()]).toEqual(["run_2"]);
      expect(await logs.read("run_1", key)).toEqual({ chunks: [], position: 0 });
    });

    test("no name leads out of where they are kept", async () => {
      for (const name of ["..", ".", "", "a/b", "../x", ".hidden", "a\0b"]) {
        expect(() => logs.open(name, key)).toThrow(RangeError);
        await expect(logs.read(name, key)).rejects.toThrow(RangeError);
        await expect(logs.remove(name)).rejects.toThrow(RangeError);
        expect(() => logs.open("run_1", { block: name, attempt: 1 })).toThrow(RangeError);
      }
    });
  });
}

export const fullMarker = "\n... the log ends here: it has reached 10 MB ...\n";

import fc from "fast-check";
import { expect, test } from "vitest";
import type { LogChunk, LogKey, LogPart, OutputStream, RunLogs } from "../../src/block/ports.ts";
import type { BlockStarted, RunEvent } from "../../src/engine/events.ts";
import { idempotencyKey } from "../../src/engine/ids.ts";
import { LogDecoder, type LogEntry, LogReader, type LogSelection } from "../../src/views/read-logs.ts";
import { blockFinished } from "../journal/sample-events.ts";

const runId = "run_1";

/** Logs whose times the test decides; a position is a number of chunks. */
class TestLogs implements Pick<RunLogs, "read"> {
  readonly reads: string[] = [];
  readonly #logs = new Map<string, LogChunk[]>();

  write(path: string, attempt: number, at: number, text: string, stream: OutputStream = "stdout", run = runId): void {
    const name = nameOf({ block: idempotencyKey(run, path), attempt });
    this.#logs.set(name, [...(this.#logs.get(name) ?? []), { stream, at, bytes: Buffer.from(text) }]);
  }

  async read(_runId: string, key: LogKey, position = 0): Promise<LogPart> {
    const all = this.#logs.get(nameOf(key)) ?? [];
    const chunks = all.slice(position);
    this.reads.push(...chunks.map(({ bytes }) => Buffer.from(bytes).toString()));
    return { chunks, position: all.length };
  }
}

function nameOf({ block, attempt }: LogKey): string {
  return `${block}.${attempt}`;
}

function started(path: string, at: number, attempt = 1): BlockStarted {
  return {
    type: "block-started",
    at: new Date(at).toISOString(),
    path,
    attempt,
    inputs: {},
    idempotencyKey: idempotencyKey(runId, path),
    becauseOf: [],
    inside: { kind: "leaf" },
  };
}

function createReader(logs: TestLogs, events: readonly RunEvent[], selection: LogSelection = {}): LogReader {
  const reader = new LogReader(logs as unknown as RunLogs, runId, selection);
  reader.learn(events);
  return reader;
}

async function entriesOf(parts: AsyncIterable<Iterable<LogEntry>>): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const part of parts) entries.push(...part);
  return entries;
}

function texts(entries: readonly LogEntry[]): string[] {
  return entries.map(({ bytes }) => Buffer.from(bytes).toString());
}

/** Logs of a few attempts: when each began, and how long after the chunk before it each chunk was written. */
const someLogs = fc.array(fc.tuple(fc.nat(20), fc.array(fc.nat(5), { maxLength: 8 })), { maxLength: 6 });

test("everything is given once, by its time, and each log in its own order", async () => {
  await fc.assert(
    fc.asyncProperty(someLogs, fc.array(fc.nat(60), { maxLength: 4 }), async (written, looks) => {
      const logs = new TestLogs();
      const chunks = written.flatMap(([start, gaps], index) => {
        let at = start;
        return gaps.map((gap, number) => {
          at += gap;
          return { block: `b${index}`, at, text: `b${index}.${number}` };
        });
      });
      const starts = written
        .map(([start], index) => started(`b${index}`, start))
        .sort((a, b) => (a.at < b.at ? -1 : 1));
      const reader = createReader(logs, starts);
      const given: LogEntry[] = [];
      // Looked at several times while it is written, as by somebody who follows.
      let since = -1;
      for (const until of [...looks.sort((a, b) => a - b), Number.POSITIVE_INFINITY]) {
        for (const { block, at, text } of chunks.filter((one) => one.at > since && one.at <= until)) {
          logs.write(block, 1, at, text);
        }
        since = until;
        const part = await entriesOf(reader.take());
        expect(part.map(({ at }) => at)).toEqual(part.map(({ at }) => at).toSorted((a, b) => a - b));
        given.push(...part);
      }
      const order = (block: string) => given.filter((entry) => entry.block === block);
      for (const [index] of written.entries()) {
        const own = chunks.filter(({ block }) => block === `b${index}`).map(({ text }) => text);
        expect(texts(order(`b${index}`))).toEqual(own);
      }
      expect(given).toHaveLength(chunks.length);
    }),
    { seed: 1 },
  );
});

test("a log is not read before all that was written before its attempt began has been given away", async () => {
  const logs = new TestLogs();
  logs.write("first", 1, 1, "a");
  logs.write("first", 1, 2, "b");
  logs.write("second", 1, 11, "c");
  const parts = createReader(logs, [started("first", 0), started("second", 10)]).take();
  const first = await parts.next();
  expect(texts([...first.value])).toEqual(["a", "b"]);
  expect(logs.reads).toEqual(["a", "b"]);
  expect(texts(await entriesOf(parts))).toEqual(["c"]);
});

test("what an attempt wrote last is read although its end is known first, and then it is read no more", async () => {
  const logs = new TestLogs();
  const reader = createReader(logs, [started("a", 0)]);
  logs.write("a", 1, 1, "one");
  expect(texts(await entriesOf(reader.take()))).toEqual(["one"]);
  logs.write("a", 1, 2, "two");
  reader.learn([blockFinished("a")]);
  expect(texts(await entriesOf(reader.take()))).toEqual(["two"]);
  logs.write("a", 1, 3, "after the end");
  expect(texts(await entriesOf(reader.take()))).toEqual([]);
});

test("the last entry of an attempt says so, or an empty one that comes when its end is known", async () => {
  const logs = new TestLogs();
  const reader = createReader(logs, [started("a", 0), started("quiet", 0)]);
  const seen = async (): Promise<[string, boolean][]> =>
    (await entriesOf(reader.take())).map(({ bytes, isLast }) => [Buffer.from(bytes).toString(), isLast]);
  logs.write("a", 1, 1, "one");
  expect(await seen()).toEqual([["one", false]]);
  reader.learn([blockFinished("a"), blockFinished("quiet"), started("b", 5)]);
  logs.write("b", 1, 6, "two");
  logs.write("b", 1, 7, "three");
  expect(await seen()).toEqual([
    ["", true],
    ["two", false],
    ["three", false],
  ]);
  logs.write("b", 1, 8, "four");
  reader.learn([blockFinished("b")]);
  expect(await seen()).toEqual([["four", true]]);
  expect(await seen()).toEqual([]);
});

test("a block stands for all that is inside it, and for nothing that merely begins like it", async () => {
  const logs = new TestLogs();
  const paths = ["deploy", "deploy/build", "deploy/build/0", "deployed", "test"];
  for (const path of paths) logs.write(path, 1, 1, path);
  const events = paths.map((path) => started(path, 0));
  expect(texts(await entriesOf(createReader(logs, events, { block: "deploy" }).take()))).toEqual(paths.slice(0, 3));
});

test("every attempt has its log, and one of them can be asked for", async () => {
  const logs = new TestLogs();
  logs.write("a", 1, 1, "one");
  logs.write("a", 2, 11, "two");
  const events = [started("a", 0), started("a", 10, 2)];
  expect((await entriesOf(createReader(logs, events).take())).map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(texts(await entriesOf(createReader(logs, events, { attempt: 2 }).take()))).toEqual(["two"]);
});

test("an attempt that goes on after a question writes to the log it has", async () => {
  const logs = new TestLogs();
  logs.write("a", 1, 1, "before");
  const reader = createReader(logs, [started("a", 0)]);
  expect(texts(await entriesOf(reader.take()))).toEqual(["before"]);
  reader.learn([{ type: "block-resumed", at: new Date(5).toISOString(), path: "a", attempt: 1 }]);
  logs.write("a", 1, 6, "after");
  expect(texts(await entriesOf(reader.take()))).toEqual(["after"]);
  expect(reader.attempts).toEqual([{ block: "a", attempt: 1 }]);
});

test("the log of a reused result is that of the run in which it ran", async () => {
  const logs = new TestLogs();
  logs.write("b", 2, 1, "from there", "stdout", "run_0");
  const at = new Date(5).toISOString();
  const origin = { runId: "run_0", address: "b", runEndedAt: at };
  const result = {
    status: "completed",
    outcome: "success",
    message: null,
    outputs: {},
    inputs: {},
    becauseOf: [],
  } as const;
  const times = { at, startedAt: at, completedAt: at, durationMs: 1 };
  const reader = createReader(logs, [{ type: "block-reused", path: "a", origin, attempt: 2, ...result, ...times }]);
  expect(reader.attempts).toEqual([{ block: "a", attempt: 2 }]);
  expect(texts(await entriesOf(reader.take()))).toEqual(["from there"]);
});

test("a character that two chunks share is decoded whole, and streams don't disturb each other", () => {
  const decoder = new LogDecoder();
  const [first, second] = [Buffer.from("é").subarray(0, 1), Buffer.from("é").subarray(1)];
  const entry = (stream: OutputStream, bytes: Uint8Array): LogEntry => ({
    block: "a",
    attempt: 1,
    stream,
    at: 0,
    bytes,
    isLast: false,
  });
  const text = [entry("stdout", first), entry("stderr", Buffer.from("x")), entry("stdout", second)];
  expect(text.map((one) => decoder.decode(one))).toEqual(["", "x", "é"]);
});

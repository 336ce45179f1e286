import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonSize } from "../util/json-size.ts";
import { fitText } from "../util/shorten-text.ts";
import { fitPage, fitResponse, type Truncated } from "./fit-response.ts";

const limits = [19_999, 39_999] as const;
const noCall = (): undefined => undefined;
const shorten = (data: object, limit = 19_999): Record<string, unknown> =>
  fitResponse(data, limit, (keys) => `get ${keys.slice(0, 3).join("/")}`) as Record<string, unknown>;

/** Texts that are long, and hard to write in JSON. */
const longText = fc
  .tuple(fc.constantFrom("x", "\n", "\u0001", '"', "\\", "é", "😀", "\ud800", "word "), fc.nat(60_000))
  .map(([piece, length]) => piece.repeat(Math.ceil(length / piece.length)));
const anyText = fc.oneof({ weight: 3, arbitrary: fc.string({ maxLength: 30 }) }, { weight: 1, arbitrary: longText });
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    anyText,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 30 }),
    fc.array(fc.integer(), { maxLength: 4_000 }),
    fc.dictionary(fc.string({ maxLength: 12 }), tie("value"), { maxKeys: 30, noNullPrototype: false }),
  ),
})).value;

const address = fc.stringMatching(/^[a-z_]{1,12}(\/[a-z0-9]{1,12}){0,3}$/);
const metadata = fc.record({
  status: fc.constantFrom("completed", "failed", "skipped"),
  outcome: fc.constantFrom("success", "failure"),
  execution_time_ms: fc.nat(100_000),
  message: fc.option(anyText),
  started_at: fc.constant("2026-01-01T00:00:00.000Z"),
});
const execution = fc.letrec((tie) => ({
  tree: fc.dictionary(fc.stringMatching(/^[a-z_]{1,20}$/), tie("block"), { maxKeys: 20, depthIdentifier: "tree" }),
  block: fc.oneof(
    { maxDepth: 3, depthIdentifier: "tree" },
    fc.record({ inputs: anyValue, outputs: anyValue, metadata }),
    fc.record({ inputs: anyValue, outputs: anyValue, metadata, blocks: tie("tree") }),
  ),
})).tree;

const response = fc.record(
  {
    status: fc.constantFrom("success", "failure", "paused", "running"),
    run_id: fc.stringMatching(/^run_[a-z0-9]{20}$/),
    workflow: fc.stringMatching(/^[a-z]{1,100}$/),
    outputs: fc.dictionary(fc.string(), anyValue),
    error: anyText,
    failed_blocks: fc.array(fc.record({ block: address, message: anyText, stderr_tail: anyText }), { maxLength: 40 }),
    pending: fc.array(
      fc.record({
        checkpoint_id: fc.stringMatching(/^pause_[a-z0-9]{24}$/),
        block: address,
        prompt: anyText,
        schema: anyValue,
      }),
      { maxLength: 20 },
    ),
    message: anyText,
    blocks: execution,
    metadata,
  },
  { requiredKeys: ["status", "run_id"] },
);

interface Essential {
  readonly status: string;
  readonly run_id: string;
  readonly error?: string;
  readonly failed_blocks?: readonly { readonly block: string }[];
  readonly pending?: readonly { readonly checkpoint_id: string }[];
}

const parameters = { seed: 7, numRuns: 300 };

describe.each(limits)("below %i characters", (limit) => {
  test("any reply fits and is JSON, and what it is read for survives", () => {
    fc.assert(
      fc.property(response, (data) => {
        const text = JSON.stringify(fitResponse(data, limit, noCall));
        expect(text.length).toBeLessThanOrEqual(limit);
        const [before, after] = [data as Essential, JSON.parse(text) as Essential];
        expect(after).toMatchObject({ status: before.status, run_id: before.run_id });
        expect(after.error === undefined).toBe(before.error === undefined);
        expect(after.error?.slice(0, 10)).toBe(before.error?.slice(0, 10));
        expect(after.failed_blocks?.map(({ block }) => block)).toEqual(before.failed_blocks?.map(({ block }) => block));
        expect(after.pending?.map(({ checkpoint_id: id }) => id)).toEqual(
          before.pending?.map(({ checkpoint_id: id }) => id),
        );
      }),
      parameters,
    );
  });

  test("whatever the data is, it fits; and what fits is handed on untouched", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anyValue), (data) => {
        const fitted = fitResponse(data, limit, noCall);
        const [before, after] = [JSON.stringify(data), JSON.stringify(fitted)];
        expect(after.length).toBeLessThanOrEqual(limit);
        expect(fitted === data).toBe(before.length <= limit);
        expect("truncated" in fitted).toBe(before.length > limit);
      }),
      parameters,
    );
  });
});

test("a size is what JSON takes, and counting stops where it is enough", () => {
  fc.assert(
    fc.property(anyValue, fc.nat(1_000), (value, enough) => {
      const { length } = JSON.stringify(value);
      expect(jsonSize(value)).toBe(length);
      expect(jsonSize(value, enough) > enough).toBe(length > enough);
    }),
    parameters,
  );
});

function block(more: object = {}): object {
  const times = {
    execution_time_ms: 5,
    started_at: "2026-01-01T00:00:00.000Z",
    completed_at: null,
    wave: 1,
    attempts: 1,
  };
  return {
    inputs: {},
    outputs: {},
    metadata: { status: "completed", outcome: "success", message: null, ...times },
    ...more,
  };
}

function manyBlocks(count: number, make: (index: number) => object): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`block_${index}`, make(index)]));
}

const run = { status: "success", run_id: "run_1" };

test("a long text keeps its head and its tail and says how much is missing, and all else stays", () => {
  const { outputs, truncated } = shorten({ ...run, outputs: { log: `first${"x".repeat(100_000)}last`, exit: 0 } }) as {
    outputs: { log: string; exit: number };
    truncated: Truncated[];
  };
  expect(outputs.log).toMatch(/^firstx+\n\.\.\. [\d,]+ characters left out \.\.\.\nx+last$/);
  expect(outputs.log.length).toBeGreaterThan(15_000);
  expect(outputs.exit).toBe(0);
  expect(truncated).toEqual([
    { path: "outputs.log", what: "the middle of a text of 100,009 characters left out", get: "get outputs/log" },
  ]);
});

test("outputs give way before the tree of blocks does", () => {
  const blocks = manyBlocks(150, () => block({ outputs: { stdout: "x".repeat(5_000) } }));
  const fitted = shorten({ ...run, outputs: { all: "y".repeat(1_000_000) }, blocks }, 79_999) as { blocks: object };
  const kept = Object.values(fitted.blocks) as { metadata: object }[];
  expect(kept).toHaveLength(150);
  for (const { metadata: about } of kept) {
    expect(about).toMatchObject({ status: "completed", execution_time_ms: 5, started_at: "2026-01-01T00:00:00.000Z" });
  }
});

test("where not all is known of every block, status and time are; then the deepest blocks go first", () => {
  const wide = shorten({ ...run, blocks: manyBlocks(600, () => block()) }, 79_999) as { blocks: object };
  const states = Object.values(wide.blocks) as { metadata: object }[];
  expect(states).toHaveLength(600);
  for (const { metadata: about } of states) expect(about).toMatchObject({ status: "completed", execution_time_ms: 5 });
  const nested = manyBlocks(100, () => block({ blocks: manyBlocks(100, () => block()) }));
  const deep = shorten({ ...run, blocks: nested }, 79_999) as { blocks: object; truncated: Truncated[] };
  const outer = Object.values(deep.blocks) as { blocks?: object }[];
  expect(outer).toHaveLength(100);
  expect(deep.truncated[0]).toMatchObject({ path: "blocks.block_0.blocks", what: "all of 100 blocks left out" });
});

test("more failures than there is room for are the first ones, and the rest is counted", () => {
  const failed = Array.from({ length: 5_000 }, (_, index) => ({ block: `loop/${index}`, message: "no" }));
  const fitted = shorten({ ...run, failed_blocks: failed, message: "next" }) as {
    failed_blocks: object[];
    message: string;
    truncated: Truncated[];
  };
  expect(fitted.message).toBe("next");
  expect(fitted.failed_blocks.length).toBeGreaterThan(200);
  expect(fitted.failed_blocks).toEqual(failed.slice(0, fitted.failed_blocks.length));
  expect(fitted.truncated[0]?.what).toBe(
    `${(5_000 - fitted.failed_blocks.length).toLocaleString("en-US")} of 5,000 items left out`,
  );
});

test("five megabytes are dealt with in the time of their length, whatever they are made of", () => {
  const shapes = [
    { text: "x".repeat(5_000_000) },
    { texts: Array.from({ length: 5_000 }, () => "x".repeat(1_000)) },
    { numbers: Array.from({ length: 500_000 }, (_, index) => index) },
    { map: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key_${index}`, "x".repeat(80)])) },
  ];
  // Whatever else the machine does, writing the same as JSON is as slow as that makes it.
  const spent = { writing: 0, fitting: 0 };
  for (const outputs of shapes) {
    const data = { ...run, outputs };
    const startedAt = performance.now();
    const { length } = JSON.stringify(data);
    const writtenAt = performance.now();
    const fitted = shorten(data);
    spent.fitting += performance.now() - writtenAt;
    spent.writing += writtenAt - startedAt;
    expect(length).toBeGreaterThan(3_000_000);
    expect(JSON.stringify(fitted).length).toBeLessThan(20_000);
  }
  expect(spent.fitting).toBeLessThan(40 * spent.writing);
});

test("a page holds as many items as fit, and never none", () => {
  expect(fitPage(["aaaa", "bbbb", "cccc"], 14)).toEqual(["aaaa", "bbbb"]);
  expect(fitPage(["x".repeat(100), "b"], 10)).toEqual(["x".repeat(100)]);
  expect(fitPage([], 10)).toEqual([]);
});

test("a text is read in pieces that each fit, are as long as can be, and together are the text", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 200 });
  fc.assert(
    fc.property(anyText, fc.integer({ min: 3, max: 60 }), (text, room) => {
      let rest = text;
      while (rest !== "") {
        const piece = fitText(rest, room);
        expect(piece).not.toBe("");
        if ([...piece].length > 1) expect(JSON.stringify(piece).length).toBeLessThanOrEqual(room);
        rest = rest.slice(piece.length);
        const [next] = rest;
        if (next !== undefined) expect(JSON.stringify(piece + next).length).toBeGreaterThan(room);
      }
    }),
  );
  expect(fitText("", 10)).toBe("");
});

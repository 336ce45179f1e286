import fc from "fast-check";
import type { RunEvent } from "../../src/engine/events.ts";
import { crashed, operationFailed, succeeded } from "../../src/engine/execution.ts";
import type { Value, ValueMap } from "../../src/expression/value.ts";
import { at, blockFinished, blockPaused, runFinished } from "./sample-events.ts";

/** Any sequence of UTF-16 units: NUL, control characters and halves of surrogate pairs too. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7f0, max: 0xe010 }), fc.constant(0)), {
    maxLength: 12,
  })
  .map((units) => String.fromCharCode(...units));

const anyKey = fc.oneof(anyText, fc.constantFrom("__proto__", "constructor", "toJSON", "length", "0", "parts", "hash"));

/** Around the size from which on content is kept apart. */
const largeText = fc
  .tuple(anyText, fc.integer({ min: 60_000, max: 140_000 }))
  .map(([text, length]) => `${text}${"large ".repeat(length / 6)}`);

// JSON knows only one zero.
const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number));

export const anyValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value; map: ValueMap }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 4, arbitrary: fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null)) },
    { weight: 1, arbitrary: largeText },
    { weight: 2, arbitrary: fc.array(tie("value"), { maxLength: 6 }) },
    { weight: 2, arbitrary: tie("map") },
  ),
  map: fc.array(fc.tuple(anyKey, tie("value")), { maxLength: 6 }).map(toMap),
})).value;

/** As values are: without a prototype. */
export function toMap(members: readonly (readonly [string, Value])[]): ValueMap {
  const map: Record<string, Value> = Object.create(null);
  for (const [key, value] of members) map[key] = value;
  return map;
}

const path = fc.constantFrom("a", "b", "a/1", "a/1/c", "\0\ud800");
const time = fc.nat({ max: 1000 }).map(at);
const durationMs = fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e6, noNaN: true }));
const ending = fc.oneof(fc.constant(succeeded), anyText.map(operationFailed), anyText.map(crashed));

/** Any event but the first one of a run, in no sensible order: a summary has to follow them all the same. */
export const anyEvent: fc.Arbitrary<RunEvent> = fc.oneof(
  fc
    .record({ path, at: time, durationMs, ending })
    .map(({ ending: end, ...more }) => blockFinished(more.path, more, end)),
  fc.record({ path, at: time, questionId: anyText, durationMs }).map((more) => blockPaused(more.path, more)),
  fc.record({
    type: fc.constant("question-answered"),
    path,
    at: time,
    questionId: anyText,
    answer: anyText,
    by: anyText,
  } as const),
  fc.record({
    type: fc.constant("block-skipped"),
    path,
    at: time,
    reason: fc.record({ kind: fc.constant("condition"), message: anyText } as const),
  } as const),
  fc.record({ type: fc.constant("block-resumed"), path, at: time, attempt: fc.nat() } as const),
  fc.record({ type: fc.constant("run-paused"), at: time } as const),
  fc.record({ type: fc.constant("run-paused"), at: time, wakeAt: time } as const),
  fc.record({ type: fc.constant("run-sleeping"), at: time, wakeAt: time } as const),
  fc.record({ type: fc.constant("run-resumed"), at: time } as const),
  fc.record({
    type: fc.constant("run-cancelling"),
    at: time,
    message: anyText,
    cause: fc.constantFrom("timeout", "cancelled", "limit"),
  } as const),
  fc.record({ at: time, durationMs, ending }).map(({ ending: end, ...more }) => runFinished(more, end)),
);

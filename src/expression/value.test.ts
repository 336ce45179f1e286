import { expect, test } from "vitest";
import { startCpuTime } from "../../test/rig/cpu-time.ts";
import { toValue, typeOfValue } from "./value.ts";

test("data is copied without prototypes, whatever its keys", () => {
  const outside = JSON.parse('{"a":[{"__proto__":{"x":1},"constructor":2}],"b":null}') as object;
  const result = toValue(outside);
  if (!result.ok) throw new Error(result.error);
  const copy = result.value as { a: readonly [Record<string, unknown>] };
  expect(Object.getPrototypeOf(copy)).toBeNull();
  expect(Object.getPrototypeOf(copy.a[0])).toBeNull();
  expect(Object.keys(copy.a[0])).toEqual(["__proto__", "constructor"]);
  expect(JSON.stringify(copy)).toBe(JSON.stringify(outside));
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});

test("a property that is undefined is left out, as in JSON", () => {
  const result = toValue({ a: undefined, b: 1 });
  expect(result.ok && Object.keys(result.value as object)).toEqual(["b"]);
});

const cycle: unknown[] = [];
cycle.push(cycle, cycle);
const shared = Array.from({ length: 60 }).reduce<unknown>((inner) => [inner, inner], 1);

test.each([
  [{ a: [() => 1] }, "The value at a[0] is a function, which is not data."],
  [Number.NaN, "The value is NaN, which is not a number JSON can hold."],
  [{ a: Number.POSITIVE_INFINITY }, "The value at a is Infinity"],
  [undefined, "The value is undefined"],
  [[1, undefined], "The value at [1] is undefined"],
  [10n, "a bigint"],
  [Symbol("a"), "a symbol"],
  [new Date(0), "an object of a class"],
  [new Map(), "an object of a class"],
  [Object.create({ inherited: 1 }), "an object of a class"],
])("%s is refused with the place and the reason", (data, expected) => {
  const result = toValue(data);
  expect(!result.ok && result.error).toContain(expected);
});

test("a cycle and a value that shares itself endlessly are refused soon", () => {
  const cpuTime = startCpuTime();
  expect(toValue(cycle)).toMatchObject({ ok: false, error: expect.stringContaining("nested more than 200 levels") });
  expect(toValue(shared)).toMatchObject({ ok: false, error: expect.stringContaining("more than 2000000 values") });
  expect(cpuTime()).toBeLessThan(5_000);
});

test("every value has one type", () => {
  expect([null, true, 1, "a", [], {}].map(typeOfValue)).toEqual(["null", "boolean", "number", "string", "list", "map"]);
});

import { expect, expectTypeOf, test } from "vitest";
import { defined } from "./defined.ts";

test("what is undefined is left out, and nothing else", () => {
  const missing = undefined as string | undefined;
  const made = { ...defined({ missing, none: null, zero: 0, empty: "", no: false }) };
  expect(Object.entries(made)).toEqual([
    ["none", null],
    ["zero", 0],
    ["empty", ""],
    ["no", false],
  ]);
  expectTypeOf(defined({ missing })).toEqualTypeOf<{ missing?: string }>();
});

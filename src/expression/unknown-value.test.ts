import { expect, test } from "vitest";
import type { Scope } from "./ast.ts";
import { evaluate } from "./evaluate.ts";
import { parseExpression } from "./parse-expression.ts";
import { readSteps } from "./read-path.ts";
import { demandKnown, UnknownRead, unknownValue, whenKnown } from "./unknown-value.ts";

const unknown = unknownValue((keys) => ["what", ...keys].join("."));
const scope: Scope = {
  read(_, keys) {
    const lookup = readSteps({ known: true, unknown }, keys);
    if (lookup.found) demandKnown(lookup.value);
    return lookup;
  },
};

function about(text: string): unknown {
  const parsed = parseExpression(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const result = whenKnown(() => evaluate(parsed.value, scope));
  return result instanceof UnknownRead ? result.about : result;
}

test("an expression that needs a value which is not known says so, however deep it reads", () => {
  expect(about("inputs.unknown")).toBe("what");
  expect(about("inputs.unknown.a[0].b == 1")).toBe("what.a.0.b");
  expect(about("default(inputs.unknown, 1)")).toBe("what");
  expect(about("len([inputs.unknown])")).toBe("what");
  expect(about("1 if inputs.known else inputs.unknown")).toEqual({ ok: true, value: 1 });
});

test("no data can pass for a value that is not known, and a list that holds one is not known", () => {
  expect(whenKnown(() => demandKnown([{ a: Object.freeze(Object.create(null)) }]))).toBeUndefined();
  expect(whenKnown(() => demandKnown([{ a: unknown }]))).toBeInstanceOf(UnknownRead);
});

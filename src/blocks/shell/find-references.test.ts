import { expect, test } from "vitest";
import { findReferences, maskReferences } from "./find-references.ts";

function summarise(text: string): string[] {
  return findReferences(text).map(({ start, end, escaped }) => `${escaped ? "text " : ""}${text.slice(start, end)}`);
}

test("references are found by their roots, whatever stands in them", () => {
  expect(summarise("a ${inputs.v} ${HOME} ${ blocks.b.stdout } ${inputs['a}b']}")).toEqual([
    "${inputs.v}",
    "${ blocks.b.stdout }",
    "${inputs['a}b']}",
  ]);
  expect(summarise("${A:-${inputs.v}}")).toEqual(["${inputs.v}"]);
});

test("an odd number of dollar signs before one makes it text", () => {
  expect(summarise("$${inputs.v}")).toEqual(["text $${inputs.v}"]);
  expect(summarise("$$${inputs.v}")).toEqual(["${inputs.v}"]);
  expect(summarise("\\$${inputs.v}")).toEqual(["${inputs.v}"]);
  expect(summarise("\\\\$${inputs.v}")).toEqual(["text $${inputs.v}"]);
});

test("a mask has the length of what it stands for, so that every offset stays right", () => {
  const text = "echo ${inputs.v} '${ blocks.b.stdout }' $${each.value} # ${inputs.w}";
  const masked = maskReferences(text, findReferences(text));
  expect(masked).toHaveLength(text.length);
  expect(masked.replaceAll(/_+/g, "_")).toBe("echo ${F_} '${F_}' ${F_} # ${F_}");
});

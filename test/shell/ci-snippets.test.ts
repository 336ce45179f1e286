import { afterAll, expect, test } from "vitest";
import { ciSnippets } from "../../scripts/bench/ci-snippets.ts";
import { declaredInputs } from "../../scripts/bench/declared-inputs.ts";
import { moreCiSnippets } from "../../scripts/bench/more-ci-snippets.ts";
import { type Snippet, workflowOf } from "../../scripts/bench/refusals.ts";
import { openTestEngine } from "../rig/engine.ts";

const engine = openTestEngine();
afterAll(() => engine.close());

function refusedOf(snippets: readonly Snippet[], declared: Readonly<Record<string, object>>): readonly string[] {
  const isRefused = ({ command }: Snippet): boolean =>
    engine.check(workflowOf(command, declared)).diagnostics.some(({ level }) => level === "error");
  return snippets.filter(isRefused).map(({ name }) => name);
}

test("with declared inputs, of 110 ordinary CI commands two are refused, each for a reason", () => {
  // Text of any kind is pasted into a program, and what a command prints is calculated with.
  expect(refusedOf(ciSnippets, declaredInputs)).toEqual(["xargs sh -c"]);
  expect(refusedOf(moreCiSnippets, declaredInputs)).toEqual(["too many todos"]);
  expect(ciSnippets.length + moreCiSnippets.length).toBe(110);
});

test("without declarations nine and seven of them are", () => {
  expect(refusedOf(ciSnippets, {})).toHaveLength(9);
  expect(refusedOf(moreCiSnippets, {})).toHaveLength(7);
});

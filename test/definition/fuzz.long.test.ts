import fc from "fast-check";
import { expect, test } from "vitest";
import { renderDiagnostic } from "../../src/diagnostic/render-diagnostic.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { check } from "./check.ts";

const seed = 4_217;

const sound = `name: build-and-test
description: Build, test, report
version: 1.0
tags: [ci, "node"]
max_parallel: 4
timeout: 1h
inputs:
  project: { type: string, description: Where, default: "." }
  environment: { type: string, enum: [staging, production], required: true, description: 'Which' }
blocks:
  - id: build
    type: Shell
    inputs: { command: npm run build, working_dir: "$\{inputs.project}" }
  - id: test
    type: Shell
    timeout: 30s
    inputs:
      command: |
        set -e
        npm test -- "$\{blocks.build.stdout}"
      env: { STAGE: "$\{inputs.environment}" }
    depends_on: [build]
    outputs:
      results: { type: json, path: "$SCRATCH/results.json", required: false }
  - id: each_file
    type: Shell
    for_each: [a, b]
    for_each_mode: sequential
    on_error: stop
    inputs: { args: [echo, "$\{each.value}"] }
    condition: >
      $\{blocks.test.succeeded} and
      len('$\{inputs.project}') > 0
    depends_on: [{ block: test, required: false }]
  - id: ask
    type: Prompt
    inputs: { prompt: "Go? \\u00e9 $\{blocks.each_file.results}", choices: ['yes', 'no'] }
  - id: call
    type: ExecuteWorkflow
    inputs: { workflow: other, inputs: &again { a: 1 } }
outputs:
  passed: $\{blocks.test.succeeded} and $\{blocks.build.exit_code} == 0
  report: { value: "$\{blocks.test.outputs.results}", type: json }
`;

/** Never a throw, and every problem can be shown: its place lies within the text. */
function expectTold(text: string): void {
  const { diagnostics, plan, problems } = check(text);
  for (const diagnostic of diagnostics) {
    const { range } = diagnostic;
    expect(diagnostic.message).not.toBe("");
    if (diagnostic.code !== "too-many-errors") expect(range).toBeDefined();
    if (range === undefined) continue;
    expect(range.start).toBeGreaterThanOrEqual(0);
    expect(range.end).toBeGreaterThanOrEqual(range.start);
    expect(range.end).toBeLessThanOrEqual(text.length);
    expect(renderDiagnostic(diagnostic, false)).toContain(`[${diagnostic.code}]`);
  }
  if (plan === undefined) expect(problems.map(({ level }) => level)).toContain("error");
}

test("the workflow that is mutated is sound itself", () => {
  expect(check(sound).problems.filter(({ level }) => level === "error")).toEqual([]);
});

test("any text ends in diagnostics whose places lie within it", { timeout: longTimeout }, () => {
  const characters = fc.constantFrom(...Array.from(" \n\t:-?[]{},&*!|>'\"%@`#$abc\\\r\u00e9\u{1F600}0.~<="));
  const soup = fc.array(characters, { maxLength: 120 }).map((parts) => parts.join(""));
  const text = fc.oneof(soup, fc.string({ unit: "binary", maxLength: 200 }), fc.string({ maxLength: 200 }));
  fc.assert(fc.property(text, expectTold), { seed, numRuns: scaled({ slice: 150, long: 50_000 }) });
});

test("any few changes to a sound workflow end in diagnostics whose places lie within it", {
  timeout: longTimeout,
}, () => {
  const pieces = Array.from("\n\t :-[]{},&*!|>'\"$#\\}").concat(
    "${",
    "  ",
    "- ",
    ": ",
    "${blocks.test.",
    "each",
    "__proto__",
  );
  const change = fc.record({
    at: fc.nat(sound.length),
    length: fc.nat(12),
    text: fc.oneof(
      fc.constantFrom(...pieces),
      fc.nat(sound.length).map((from) => sound.slice(from, from + 20)),
    ),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      let text = sound;
      for (const { at, length, text: piece } of changes) text = text.slice(0, at) + piece + text.slice(at + length);
      expectTold(text);
    }),
    { seed, numRuns: scaled({ slice: 100, long: 30_000 }) },
  );
});

test("a workflow cut off anywhere ends in diagnostics whose places lie within it", () => {
  for (let end = 0; end < sound.length; end += scaled({ slice: 5, long: 1 })) expectTold(sound.slice(0, end));
});

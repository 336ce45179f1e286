import { expect, test } from "vitest";
import { check, codes, onlyProblem, planned } from "../../test/definition/check.ts";

const head = "name: x\ndescription: x\n";
const main = 'blocks:\n  - { id: a, type: Shell, inputs: { command: "true" } }\n';

function withFinally(...blocks: readonly string[]): string {
  return `${head}${main}finally:\n${blocks.map((block) => `  - ${block}\n`).join("")}`;
}

test.each([
  [
    "{ id: ask, type: Prompt, inputs: { prompt: Sure? } }",
    /^block 'ask' asks, being of type Prompt, and nothing under `finally` may wait\.$/,
  ],
  ["{ id: rest, type: Wait, inputs: { duration: 5s } }", /^block 'rest' sleeps, being of type Wait/],
  ['{ id: b, type: Shell, inputs: { command: "true" }, on_interrupted: ask }', /^block 'b' says `on_interrupted: ask`/],
])("nothing under finally may wait: %s", (block, message) => {
  expect(onlyProblem(withFinally(block))).toMatchObject({
    code: "waits-in-finally",
    message: expect.stringMatching(message),
  });
});

test("a dependency on a block outside of finally, or the other way round, is refused with what to do", () => {
  const outside = onlyProblem(withFinally('{ id: b, type: Shell, inputs: { command: "true" }, depends_on: [a] }'));
  expect(outside).toMatchObject({
    code: "finally-dependency",
    message: "block 'b' is under `finally`, which runs when 'a' has ended anyway.",
    fix: "Remove 'a' from its `depends_on`; it can read it without.",
  });
  const inside = onlyProblem(
    `${head}blocks:\n  - { id: a, type: Shell, inputs: { command: "true" }, depends_on: [b] }\nfinally:\n  - { id: b, type: Shell, inputs: { command: "true" } }\n`,
  );
  expect(inside).toMatchObject({ code: "finally-dependency", fix: expect.stringContaining("Move 'b' to `blocks:`") });
});

test("blocks and outputs can't read what is under finally", () => {
  const text = `${withFinally('{ id: b, type: Shell, inputs: { command: "true" } }')}outputs: { said: "\${blocks.b.stdout}" }\n`;
  expect(onlyProblem(text)).toMatchObject({ code: "reads-finally" });
  const block = `${head}blocks:\n  - { id: a, type: Shell, inputs: { command: 'echo "\${blocks.b.stdout}"' } }\nfinally:\n  - { id: b, type: Shell, inputs: { command: "true" } }\n`;
  expect(onlyProblem(block)).toMatchObject({ code: "reads-finally" });
});

test("`run` is known under finally only, with its fields", () => {
  expect(
    codes(withFinally(`{ id: b, type: Shell, inputs: { command: 'echo "\${run.status} \${run.message}"' } }`)),
  ).toEqual([]);
  expect(onlyProblem(withFinally(`{ id: b, type: Shell, inputs: { command: 'echo "\${run.state}"' } }`))).toMatchObject(
    {
      code: "unknown-run-field",
      message: "There is no run.state.",
    },
  );
  const elsewhere = `${head}blocks:\n  - { id: a, type: Shell, inputs: { command: 'echo "\${run.status}"' } }\n`;
  expect(onlyProblem(elsewhere)).toMatchObject({ code: "run-elsewhere" });
});

test("an id is used once in blocks and finally together", () => {
  expect(onlyProblem(withFinally('{ id: a, type: Shell, inputs: { command: "true" } }'))).toMatchObject({
    code: "duplicate-block",
  });
});

test("a comparison of run.status with a word that it never is gets a warning", () => {
  const text = withFinally(
    '{ id: b, type: Shell, inputs: { command: "true" }, condition: "${run.status} == \'failed\'" }',
  );
  expect(check(text).diagnostics.map(({ level, code }) => [level, code])).toEqual([["warning", "never-equal"]]);
});

test("waves of finally follow all others", () => {
  const plan = planned(withFinally('{ id: b, type: Shell, inputs: { command: "true" } }'));
  expect(plan.waves).toEqual([["a"], ["b"]]);
});

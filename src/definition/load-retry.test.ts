import { expect, test } from "vitest";
import { check, onlyProblem, planned, shell, workflow } from "../../test/definition/check.ts";
import type { Retry } from "./workflow-definition.ts";

function retryOf(text: string): Retry | undefined {
  return planned(workflow(shell("a", `retry: ${text}`))).definition.blocks[0]?.retry;
}

test("a number is the number of attempts in all", () => {
  expect(retryOf("3")).toMatchObject({ attempts: { value: 3 }, backoff: "exponential", jitter: 0 });
  expect(retryOf("3")).not.toHaveProperty("on");
});

test("everything that is said is read", () => {
  const text = '{ attempts: 5, delay: 2s, backoff: fixed, max_delay: 1m, jitter: 0.5, on: [timeout, "exit:75"] }';
  expect(retryOf(text)).toMatchObject({
    attempts: { value: 5 },
    delay: { value: "2s" },
    backoff: "fixed",
    maxDelay: { value: "1m" },
    jitter: 0.5,
    on: [{ kind: "timeout" }, { kind: "exit", code: 75 }],
  });
});

test("max_retries counts the attempts after the first", () => {
  expect(retryOf("{ max_retries: 2 }")?.attempts).toMatchObject({ kind: "literal", value: 3 });
  expect(retryOf("{ max_retries: 0 }")?.attempts).toMatchObject({ value: 1 });
});

test("counts and delays may be given by expressions", () => {
  const inputs = "inputs: { n: { type: integer, description: d }, d: { type: string, description: d } }\n";
  const retry = (text: string): Retry | undefined =>
    planned(workflow(shell("a", `retry: ${text}`), inputs)).definition.blocks[0]?.retry;
  expect(retry('"${inputs.n}"')?.attempts.kind).toBe("text");
  expect(retry('{ attempts: "${inputs.n + 1}", delay: "${inputs.d}", max_delay: "${inputs.n}" }')).toMatchObject({
    attempts: { kind: "text" },
    delay: { kind: "text" },
    maxDelay: { kind: "text" },
  });
});

const httpCall = (on: string): string =>
  workflow(`- { id: a, type: HttpCall, inputs: { url: "https://x.test" }, retry: { attempts: 2, on: ${on} } }`);

test("reasons are words, codes and texts, one or a list", () => {
  const reasons = (on: string): unknown => retryOf(`{ attempts: 2, on: ${on} }`)?.on;
  expect(reasons("failure")).toEqual([{ kind: "failure" }]);
  expect(reasons("[timeout, failure, crash]")).toEqual([{ kind: "timeout" }, { kind: "failure" }, { kind: "crash" }]);
  expect(reasons("[exit:0, 'exit: 255']")).toEqual([
    { kind: "exit", code: 0 },
    { kind: "exit", code: 255 },
  ]);
  expect(reasons("connection reset")).toEqual([{ kind: "text", text: "connection reset" }]);
  const { definition } = planned(httpCall("[http:503, http:100]"));
  expect(definition.blocks[0]?.retry?.on).toEqual([
    { kind: "http", code: 503 },
    { kind: "http", code: 100 },
  ]);
});

const withExit = 'Write timeout, failure, crash, "exit:75", or a text that the message contains.';

const wrong: readonly [retry: string, problem: object][] = [
  [
    "yes",
    {
      message: "'retry' of block 'a' must be a number of attempts or a map, not the text 'yes'.",
      fix: "Write `retry: 3`.",
    },
  ],
  ["0", { message: "'retry' of block 'a' must be a whole number from 1 to 100, not the number 0." }],
  ["{}", { code: "missing-key", message: "retry of block 'a' has no 'attempts'.", fix: "Add `attempts: 3`." }],
  [
    "{ attempts: 101 }",
    { message: "'attempts' of retry of block 'a' must be a whole number from 1 to 100, not the number 101." },
  ],
  [
    "{ attempts: 1.5 }",
    { message: "'attempts' of retry of block 'a' must be a whole number from 1 to 100, not the number 1.5." },
  ],
  ["{ attempts: '3' }", { fix: "Remove the quotes: 3." }],
  [
    "{ attempts: [3] }",
    { message: "'attempts' of retry of block 'a' must be a whole number from 1 to 100, not a list." },
  ],
  [
    "{ attempts: 3, max_retries: 2 }",
    {
      code: "two-counts",
      message: "retry of block 'a' says twice how many attempts there are.",
      fix: "Keep `attempts`, which counts all attempts, and remove `max_retries`.",
      marked: "max_retries",
    },
  ],
  [
    "{ max_retries: 100 }",
    { message: "'max_retries' of retry of block 'a' must be a whole number from 0 to 99, not the number 100." },
  ],
  [
    '{ max_retries: "${metadata.run_id}" }',
    {
      message:
        "'max_retries' of retry of block 'a' must be a number that is written out, not the text '${metadata.run_id}'.",
      fix: "Write `attempts:`, which counts all attempts.",
    },
  ],
  [
    "{ attempts: 2, delay: 5 minutes }",
    {
      code: "bad-delay",
      message: "'delay' of retry of block 'a': a delay is a number of seconds, or a text like 500ms, 30s, 5m or 1h.",
      fix: "Write `delay: 5m`.",
    },
  ],
  ["{ attempts: 2, delay: -1 }", { code: "bad-delay", marked: "-1" }],
  ["{ attempts: 2, delay: [1, '${metadata.run_id}'] }", { code: "bad-delay" }],
  [
    "{ attempts: 2, max_delay: 721h }",
    { message: "'max_delay' of retry of block 'a': a delay can be 30 days at most." },
  ],
  [
    "{ attempts: 2, backoff: linear }",
    {
      code: "unknown-value",
      message: "'backoff' can't be 'linear'.",
      fix: expect.stringContaining("exponential, fixed"),
    },
  ],
  [
    "{ attempts: 2, jitter: 2 }",
    { message: "'jitter' of retry of block 'a' must be a number from 0 to 1, not the number 2." },
  ],
  ["{ attempts: 2, jitter: 10% }", { fix: "Write `jitter: 0.1`." }],
  [
    "{ attempts: 2, on: [] }",
    {
      message: "'on' of retry of block 'a' must be a text or a list of them, not a list.",
      fix: "Write `on: [timeout, failure]`, or leave it out.",
    },
  ],
  ["{ attempts: 2, on: [75] }", { message: "'on' of retry of block 'a' can't hold the number 75.", fix: withExit }],
  ["{ attempts: 2, on: { exit: 75 } }", { message: "'on' of retry of block 'a' can't hold a map.", fix: withExit }],
  [
    "{ attempts: 2, on: 'exit:x' }",
    { message: "'exit:' of retry of block 'a' must be followed by an exit code, 0 to 255.", fix: withExit },
  ],
  [
    "{ attempts: 2, on: 'http:503' }",
    {
      code: "no-such-code",
      message: "retry of block 'a': a Shell block has no status_code, so 'http:503' never happens.",
      fix: "Remove it, or write failure for every failure.",
      marked: "'http:503'",
    },
  ],
];

test.each(wrong)("retry can't be %s", (retry, problem) => {
  expect(onlyProblem(workflow(shell("a", `retry: ${retry}`)))).toMatchObject({ level: "error", ...problem });
});

test("an exit code is a reason only where there is one", () => {
  expect(onlyProblem(httpCall("[failure, exit:1]"))).toMatchObject({
    code: "no-such-code",
    message: "retry of block 'a': a HttpCall block has no exit_code, so 'exit:1' never happens.",
    marked: "exit:1",
  });
  expect(onlyProblem(httpCall("[http:99]"))).toMatchObject({
    message: "'http:' of retry of block 'a' must be followed by a status code of HTTP, 100 to 599.",
    fix: 'Write timeout, failure, crash, "http:503", or a text that the message contains.',
  });
});

test.each([
  ["error", "failure"],
  ["Timeouts", "timeout"],
  ["exception", "crash"],
])("a reason of another system, %s, would be looked for in messages, and is warned of", (word, meant) => {
  expect(onlyProblem(workflow(shell("a", `retry: { attempts: 2, on: ${word} }`)))).toMatchObject({
    code: "text-not-reason",
    level: "warning",
    message: `'on' of retry of block 'a' waits for a message that contains '${word}'.`,
    fix: `Write ${meant}, if that is what it is tried again after.`,
  });
});

test.each([
  ["max_attempts: 3", "Write `attempts:`."],
  ["retries: 3", "Write `max_retries:`."],
  ["attempts: 2, interval: 3", "Write `delay:`."],
  ["attempts: 2, max-interval: 3", "Write `max_delay:`."],
  ["attempts: 2, strategy: fixed", "Write `backoff:`."],
  ["attempts: 2, retry_on: failure", "Write `on:`."],
])("a key of another system is answered with ours: %s", (keys, fix) => {
  expect(onlyProblem(workflow(shell("a", `retry: { ${keys} }`)))).toMatchObject({ code: "unknown-key", fix });
});

test("any block may be tried again, a question and a nested workflow too", () => {
  const child = workflow(shell("b")).replace("name: flow", "name: child");
  const blocks = [
    "- { id: a, type: Prompt, inputs: { prompt: x }, retry: 2, repeat: { max: 2 } }",
    "- { id: b, type: ExecuteWorkflow, inputs: { workflow: child }, retry: { attempts: 2, on: crash } }",
    '- { id: c, type: Shell, for_each: [1], inputs: { command: "true" }, retry: { attempts: 2, delay: "${each.value}" } }',
  ];
  expect(check(workflow(blocks.join("\n")), { child }).problems).toEqual([]);
});

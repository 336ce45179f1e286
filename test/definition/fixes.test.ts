import { expect, test } from "vitest";
import { applyFix } from "./apply-fix.ts";
import { check } from "./check.ts";

/** Blocks that others can be read from, and one in which a line is wrong. */
const inBlock = (line: string, type = "Shell", inputs = 'command: "true"'): string => `name: flow
description: A test
inputs:
  flag: { type: boolean, description: Whether, default: true }
  seconds: { type: integer, description: How long, default: 3 }
  names: { type: array, description: Which, default: [] }
blocks:
  - id: build
    type: Shell
    inputs: { command: make }
  - id: loop
    type: Shell
    for_each: [1, 2]
    inputs: { command: make }
  - id: wrong
    type: ${type}
    inputs: { ${inputs} }
    ${line}
`;

const inWorkflow = (line: string, key = "blocks"): string => `name: flow
description: A test
${line}
${key}:
  - id: build
    type: Shell
    inputs: { command: make }
`;

const condition = (text: string): string => inBlock(`condition: ${text}`);
const value = (text: string): string => `${inBlock("")}outputs:\n  it: \${${text}}\n`;

const texts: Readonly<Record<string, string>> = {
  "keys of other systems": inWorkflow("title: Flow").replace("name: flow\n", ""),
  jobs: inWorkflow("", "jobs"),
  steps: inWorkflow("", "steps"),
  params: inWorkflow("params: { a: { type: string, description: A, default: x } }"),
  environment: inWorkflow("environment: { CI: '1' }"),
  tags: inWorkflow("tags: ci"),
  "a limit in milliseconds": inWorkflow("timeout_ms: 500"),
  "a limit in minutes by an expression": inWorkflow('timeout_minutes: "${inputs.a}"'),
  needs: inBlock("needs: [build]"),
  if: inBlock("if: ${inputs.flag}"),
  retries: inBlock("retries: 3"),
  "a block's limit in seconds": inBlock("timeout_seconds: 30"),
  "a block's limit by an expression": inBlock('timeout_seconds: "${inputs.seconds}"'),
  "continue-on-error": inBlock("continue-on-error: true"),
  loop: inBlock("loop: [1, 2]"),
  "for_each without ${}": inBlock("for_each: inputs.names"),
  "a dependency by id": inBlock("depends_on: [{ id: build, required: false }]"),
  "an unknown dependency": inBlock("depends_on: [biuld]"),
  "an expected code": inBlock("expect: 3"),
  "a number of passes": inBlock("repeat: 3"),
  "a percentage": inBlock("retry: { attempts: 3, jitter: 10% }"),
  "items by their type": inWorkflow("inputs: { a: { type: array, items: string, description: A, default: [] } }"),
  "a type": inBlock("", "Shel"),
  "an input": inBlock("", "Shell", 'comand: "true"'),
  "names of other copies": inBlock("", "CopyFile", "source: a, dest: b"),
  "another word for missing_ok": inBlock("", "DeleteFile", "path: a, force: true"),
  "another word for parents": inBlock("", "MakeDir", "path: a, recursive: true"),
  "&&": condition("${inputs.flag && inputs.flag}"),
  "||": condition("${inputs.flag || inputs.flag}"),
  "===": condition("${inputs.seconds === 3}"),
  "=>": condition("${inputs.seconds => 3}"),
  "!": condition("${!inputs.flag}"),
  "two slips": condition("${inputs.flag && inputs.seconds => 3}"),
  "steps.build": value("steps.build.stdout"),
  "params.seconds": value("params.seconds"),
  "input.seconds": value("input.seconds"),
  "a function of another language": value("length(inputs.names)"),
  "an unknown block": value("blocks.biuld.stdout"),
  "an unknown output": value("blocks.build.stdot"),
  "a state among outputs": value("blocks.build.outputs.succeeded"),
  "a field of all results": value("blocks.loop.results.stdout"),
  "an element": inBlock("for_each: [1]").replace('command: "true"', 'command: "echo ${item}"'),
};

test.each(Object.entries(texts))("who does what the fixes say gets a file that is accepted: %s", (_, text) => {
  let now = text;
  for (let round = 0; round < 4; round++) {
    const [first] = check(now).diagnostics.filter(({ level }) => level === "error");
    if (first === undefined) {
      expect(round, "nothing was wrong").toBeGreaterThan(0);
      return;
    }
    const { message, fix = "", range } = first;
    const made = range && applyFix(now, range, message, fix);
    expect(made, `${message} ${fix}`).toBeDefined();
    now = made ?? "";
  }
  expect.fail(
    `${check(now)
      .problems.map(({ message, fix }) => `${message} ${fix}`)
      .join("\n")}\n${now}`,
  );
});
